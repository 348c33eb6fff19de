/** Links and pictures of the repository's pages, for the site. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MarkdownRenderer } from 'vitepress'
import { addressOf } from './pages.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Replaces the address of each link; a link to a file that the site does not have becomes its text. */
const relinkTokens = (tokens: readonly Token[], file: string): Token[] => {
  let isDropped = false
  return tokens.filter((token) => {
    if (token.type === 'link_open') {
      const address = addressOf(file, token.attrGet('href') ?? '')
      isDropped = address === undefined
      if (address !== undefined) token.attrSet('href', address)
      return !isDropped
    }
    return token.type !== 'link_close' || !isDropped
  })
}

/** A markdown-it plugin. */
export const relink = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push('relink', (state) => {
    // `path` is where the page will be, `realPath` where its file is, if that is elsewhere.
    const { path = '', realPath = path }: { path?: string; realPath?: string } = state.env
    const file = relative(ROOT, realPath).replaceAll('\\', '/')
    for (const token of state.tokens) if (token.children) token.children = relinkTokens(token.children, file)
  })
}
