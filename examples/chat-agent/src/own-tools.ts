/** The agent's own tools, and which of them Hermes may trust. */
import { type Clock, systemClock } from '@hermes/core'
import { calculateTool, currentTimeTool, readFileTool, readPageTool } from '@hermes/example-chat-parts/tools'

/** Bundled pages. Their words are somebody else's, so Hermes must not trust the tool. */
const readBundledPage = readPageTool(new URL('../pages/', import.meta.url))

/** `folder`: the agent may read the text files below it. */
export const ownTools = ({ clock = systemClock, folder }: { readonly clock?: Clock; readonly folder: string }) => ({
  calculate: calculateTool,
  current_time: currentTimeTool(clock),
  read_page: readBundledPage,
  read_file: readFileTool(folder),
})

/**
 * For `trustedTools`: what these answer was worked out here from what the agent asked, so it counts as the agent's own work. A tool that reads
 * files, mail or the web, such as `read_page` and `read_file`, must never be listed here: what it returns is somebody else's text, and a rule in it would be
 * learned as if the agent had found it out itself.
 */
export const TRUSTED_TOOLS: readonly string[] = ['calculate', 'current_time'] satisfies readonly (keyof ReturnType<typeof ownTools>)[]
