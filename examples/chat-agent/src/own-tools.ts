/** The agent's own tools, and which of them Hermes may trust. */
import { readdirSync, readFileSync } from 'node:fs'
import { type Clock, systemClock } from '@hermes/core'
import { calculateTool, currentTimeTool, readFileTool } from '@hermes/example-chat-parts/tools'
import { tool } from 'ai'
import { z } from 'zod'

const PAGES = new URL('../pages/', import.meta.url)
const pageNames: readonly string[] = readdirSync(PAGES)
  .flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []))
  .sort()

/** The text of a bundled page. Its words are somebody else's, so Hermes must not trust it. */
const readPageTool = tool({
  description: `Reads a page by its name. The pages are: ${pageNames.join(', ')}.`,
  inputSchema: z.object({ page: z.string().max(100).describe('The name alone, for example travel') }),
  execute: ({ page }) =>
    pageNames.includes(page)
      ? readFileSync(new URL(`${page}.md`, PAGES), 'utf8')
      : { success: false, error: `There is no page '${page}'. The pages are: ${pageNames.join(', ')}.` },
})

/** `folder`: the agent may read the text files below it. */
export const ownTools = ({ clock = systemClock, folder }: { readonly clock?: Clock; readonly folder: string }) => ({
  calculate: calculateTool,
  current_time: currentTimeTool(clock),
  read_page: readPageTool,
  read_file: readFileTool(folder),
})

/**
 * For `trustedTools`: what these answer was worked out here from what the agent asked, so it counts as the agent's own work. A tool that reads
 * files, mail or the web, such as `read_page` and `read_file`, must never be listed here: what it returns is somebody else's text, and a rule in it would be
 * learned as if the agent had found it out itself.
 */
export const TRUSTED_TOOLS: readonly string[] = ['calculate', 'current_time'] satisfies readonly (keyof ReturnType<typeof ownTools>)[]
