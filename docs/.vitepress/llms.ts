/** `llms.txt` of the site: what a coding agent reads first, with the pages in the order of the sidebar, each as Markdown at the address of the page with `.md`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DefaultTheme, SiteConfig } from 'vitepress'
import { withNextVersion } from './changelog.ts'
import { pageOf } from './pages.ts'
import { sidebar } from './sidebar.ts'

type Item = DefaultTheme.SidebarItem

/** The first sentence of a page, without its links; empty if it says little by itself. */
const aboutOf = (markdown: string): string => {
  const [, paragraph = ''] =
    /^(?!#|[|[>`!<-]|\*\*|---|\s)(.+(?:\n.+)*)/m.exec(markdown.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/^```[\s\S]*?^```/gm, '')) ?? []
  const [sentence = ''] = /^.*?[.:](?=\s|$)/s.exec(paragraph) ?? [paragraph]
  const plain = sentence.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ')
  return /^.{24,}\.$/.test(plain) ? `: ${plain}` : ''
}

/** `markdownOf`: the text of the page at an address. */
const sectionOf = ({ text, items = [] }: Item, base: string, markdownOf: (address: string) => string | undefined): string => {
  const lines = items.flatMap(({ text: title, link }) => {
    const markdown = link === undefined ? undefined : markdownOf(link)
    return markdown === undefined ? [] : [`- [${title}](${base}${link?.slice(1).replace(/\/$/, '/index')}.md)${aboutOf(markdown)}`]
  })
  return `## ${text}\n\n${lines.join('\n')}\n`
}

/** Writes `llms.txt` and the pages. */
export const writeForAgents = ({ outDir, srcDir, pages, site }: SiteConfig): void => {
  const read = (file: string): string => readFileSync(join(srcDir, file), 'utf8')
  const texts = new Map(pages.map((file) => [pageOf(file) ?? file, file === 'CHANGELOG.md' ? withNextVersion(read(file)) : read(file)]))
  for (const [page, text] of texts) {
    mkdirSync(dirname(join(outDir, page)), { recursive: true })
    writeFileSync(join(outDir, page), text)
  }
  const markdownOf = (address: string): string | undefined => texts.get(`${address.slice(1).replace(/\/$/, '/index')}.md`)
  const sections = sidebar().map((section) => sectionOf(section, site.base, markdownOf))
  writeFileSync(join(outDir, 'llms.txt'), `# ${site.title}\n\n> ${site.description}\n\n${sections.join('\n')}`)
}
