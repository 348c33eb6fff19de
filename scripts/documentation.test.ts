/** The links in the documentation work, and what it lists matches the repository. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && !path.includes('/test/') && existsSync(join(ROOT, path)))

const withoutBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')

const withoutCode = (text: string): string => withoutBlocks(text).replace(/`[^`\n]*`/g, '')

/** Anchors as code hosts make them: lower case, no punctuation, a hyphen for each space. */
const anchorsOf = (text: string): readonly string[] =>
  [...withoutBlocks(text).matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )

const brokenLinks = (page: string): readonly string[] =>
  [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return []
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(ROOT, file))) return [`${page} → ${target}`]
    const isMissing = anchor !== undefined && file.endsWith('.md') && !anchorsOf(read(file)).includes(anchor)
    return isMissing ? [`${page} → ${target}`] : []
  })

const foldersIn = (path: string): readonly string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

describe('the documentation', () => {
  it('links only to pages and headings that are there', () => {
    expect(pages.length).toBeGreaterThan(10)
    expect(pages.flatMap(brokenLinks)).toEqual([])
  })

  it('shows the files of the Next.js example as they are', () => {
    const shown = [...read('docs/nextjs.md').matchAll(/^```ts\n\/\/ ((?:app|lib)\/\S+)\n([\s\S]*?)^```/gm)]
    expect(shown.map(([, path]) => path)).toEqual(['lib/homes.ts', 'app/api/chat/route.ts'])
    for (const [, path = '', code] of shown) expect(code).toBe(read(`examples/next-chat/${path}`))
  })

  it('gives every folder of core its place in the layers', () => {
    const layers = /^0 `shared` ·[\s\S]*?`entries`$/m.exec(read('AGENTS.md'))?.[0] ?? ''
    const named = [...layers.matchAll(/`([a-z]+)`/g)].map(([, name]) => name)
    expect(foldersIn('packages/core/src').filter((folder) => !named.includes(folder))).toEqual([])
  })

  it('names every package and every example in the tree', () => {
    const guide = read('AGENTS.md')
    const parts = ['packages', 'examples'].flatMap((folder) => foldersIn(folder).map((name) => `${folder}/${name}`))
    expect(parts.filter((part) => !guide.includes(part))).toEqual([])
  })

  it.each([
    ['README.md', 150],
    ['packages/ai-sdk/README.md', 80],
    ['packages/langchain/README.md', 80],
    ['packages/openai-agents/README.md', 80],
  ])('%s has at most %i lines', (page, most) => {
    expect(read(page).trimEnd().split('\n').length).toBeLessThanOrEqual(most)
  })

  it('lists every decision', () => {
    const index = read('docs/decisions/README.md')
    const records = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name))
    expect(records.filter((name) => !index.includes(`(${name})`))).toEqual([])
  })
})
