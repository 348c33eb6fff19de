/** `read_page`: the text of one of the bundled pages. Its words are somebody else's, so Hermes must not trust it. */
import { readdirSync, readFileSync } from 'node:fs'
import { type Tool, tool } from 'ai'
import { z } from 'zod'

const FOLDER = new URL('../../pages/', import.meta.url)
const EXTENSION = '.md'

const pageNames: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(EXTENSION))
  .map((file) => file.slice(0, -EXTENSION.length))
  .sort()

/** The page as Markdown. */
export type ReadPageResult = string | { readonly success: false; readonly error: string }

const readPage = (page: string): ReadPageResult =>
  pageNames.includes(page)
    ? readFileSync(new URL(page + EXTENSION, FOLDER), 'utf8')
    : { success: false, error: `There is no page '${page}'. The pages are: ${pageNames.join(', ')}.` }

export const readPageTool: Tool<{ page: string }, ReadPageResult> = tool({
  description: `Reads a page by its name. The pages are: ${pageNames.join(', ')}.`,
  inputSchema: z.object({ page: z.string().max(100).describe('The name alone, for example travel') }),
  execute: ({ page }) => readPage(page),
})
