/** Builds the site, follows its links, and looks at it in a browser. `SCREENSHOTS=<folder>` keeps pictures of some pages. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBrowser } from '../../scripts/support/browser.ts'
import { type ServedFolder, serveFolder } from './serve-folder.ts'

const DOCS = fileURLToPath(new URL('..', import.meta.url))
const GENERATOR = join(createRequire(import.meta.url).resolve('vitepress/package.json'), '../bin/vitepress.js')
const run = promisify(execFile)

let folder = ''
let printed = ''
let served: ServedFolder
let browser: Browser | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-site-'))
  const options = { cwd: DOCS, env: { ...process.env, NODE_ENV: 'production' } }
  await run(process.execPath, [join(DOCS, '.vitepress/reference.ts')], options)
  // Fails on a link to a page that does not exist.
  const { stdout, stderr } = await run(process.execPath, [GENERATOR, 'build', '.', '--outDir', folder], options)
  printed = stdout + stderr
  served = await serveFolder(folder)
  browser = await startBrowser()
}, 240_000)

afterAll(async () => {
  await browser?.close()
  await served?.close()
  await rm(folder, { recursive: true, force: true })
})

const pagesOf = (): readonly string[] => globSync('**/*.html', { cwd: folder }).map((file) => file.replaceAll('\\', '/'))

const htmlOf = (page: string): string => readFileSync(join(folder, page), 'utf8')

/** The file that the host answers an address with. */
const fileOf = (address: string): string => {
  const path = decodeURIComponent(address).slice(1)
  return path === '' || path.endsWith('/') ? `${path}index.html` : `${path}.html`
}

describe('the site', () => {
  it('is built without a warning', () => {
    expect(printed).toContain('build complete')
    expect(printed).not.toMatch(/warn|\(!\)|deprecated/i)
  })

  it('has the changelog as a page, with what the next version brings', () => {
    const next = globSync('../.changeset/!(README).md', { cwd: DOCS })
    const text = readFileSync(join(folder, 'changelog.md'), 'utf8')
    expect(text.startsWith('# Changelog\n')).toBe(true)
    expect([...text.matchAll(/^### @hermes\//gm)].length).toBeGreaterThanOrEqual(next.length)
    if (next.length > 0) expect(htmlOf('changelog.html')).toContain('id="next"')
  })

  it('has a page for each page of docs/, each decision, each public package and each entry', () => {
    const pages = pagesOf()
    const named = [...globSync('*.md', { cwd: DOCS }), ...globSync('decisions/0*.md', { cwd: DOCS })]
    expect(named.map((file) => file.replace(/\.md$/, '.html')).filter((page) => !pages.includes(page))).toEqual([])
    for (const page of ['packages/core.html', 'packages/ai-sdk.html', 'reference/core.html', 'reference/core/curator.html'])
      expect(pages).toContain(page)
    expect(pages.filter((page) => /node_modules|AGENTS|CHANGELOG|CONTRIBUTING/.test(page))).toEqual([])
  })

  it('has an llms.txt that names the pages, most with what they are about, and each as Markdown', () => {
    const text = readFileSync(join(folder, 'llms.txt'), 'utf8')
    expect(text).toMatch(/^# Hermes for TypeScript\n\n> .+\n\n## Start\n\n- /)
    const named = [...text.matchAll(/^- \[.+\]\(\/(.+\.md)\)(?:: .+\.)?$/gm)]
    expect(named.length).toBeGreaterThan(40)
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(named.length)
    expect(named.filter(([line]) => line.endsWith('.')).length).toBeGreaterThan(20)
    expect(named.filter(([, page = '']) => !existsSync(join(folder, page))).map(([line]) => line)).toEqual([])
  })

  it('links to headings that exist, and loads nothing from elsewhere', () => {
    const ids = new Map(pagesOf().map((page) => [page, new Set([...htmlOf(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]))
    const dead = pagesOf().flatMap((page) =>
      [...htmlOf(page).matchAll(/<a [^>]*href="(\/[^"#]*)?(?:#([^"]+))?"/g)].flatMap(([, address, anchor]) => {
        const target = ids.get(address === undefined ? page : fileOf(address))
        if (address?.startsWith('/assets/')) return []
        const isThere = target !== undefined && (anchor === undefined || anchor === 'VPContent' || target.has(decodeURIComponent(anchor)))
        return isThere ? [] : [`${page} → ${address ?? ''}#${anchor ?? ''}`]
      }),
    )
    expect(dead).toEqual([])
    const foreign = pagesOf().flatMap((page) => [...htmlOf(page).matchAll(/<(?:script|img|link)[^>]* (?:src|href)="(https?:[^"]+)"/g)])
    expect(foreign).toEqual([])
  })

  it('keeps the links between pages, wherever their files are', () => {
    expect(htmlOf('configuration.html')).toContain('href="/journal#ledger"')
    expect(htmlOf('skills.html')).toContain('href="/packages/cli"')
    expect(htmlOf('packages/core.html')).toContain('href="/servers"')
    expect(htmlOf('decisions/index.html')).toContain('href="/decisions/0001-layers-and-entries"')
    // Files that are no pages are named without a link.
    expect(htmlOf('write-your-own.html')).not.toMatch(/href="[^"]*write-your-own\.test/)
  })

  it('says in the reference what an option is, in the words of its doc comment', async () => {
    const source = await readFile(join(DOCS, 'reference/@hermes/core.md'), 'utf8')
    expect(source).toContain('createHermes()')
    expect(source).toContain('Approves scores of at least `min`')
    // What opens the file of an entry is about the entry, not about its first name.
    const memory = await readFile(join(DOCS, 'reference/@hermes/core/memory.md'), 'utf8')
    expect(memory).toMatch(/^# @hermes\/core\/memory\n\n[A-Z][^\n]+\n\n## /)
  })
})

/** Opens a page and returns what the browser's console complains of. */
const open = async (page: Page, path: string): Promise<readonly string[]> => {
  const problems: string[] = []
  page.on('console', (message) => {
    // A browser on a busy machine needs more than its few seconds.
    if (message.text().includes('was preloaded using link preload but not used within a few seconds')) return
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(`${served.url}${path}`, { waitUntil: 'networkidle' })
  return problems
}

const keep = async (page: Page, name: string): Promise<void> => {
  const { SCREENSHOTS } = process.env
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}

const LOOKED_AT = [
  { path: '/', colorScheme: 'light' },
  { path: '/', colorScheme: 'dark' },
  { path: '/start-ai-sdk', colorScheme: 'light' },
  { path: '/compare', colorScheme: 'light' },
  { path: '/windows', colorScheme: 'dark' },
  { path: '/concepts', colorScheme: 'dark' },
  { path: '/configuration', colorScheme: 'light' },
  { path: '/reference/core/memory', colorScheme: 'dark' },
] as const

describe.each([1280, 390])('in a browser %i pixels wide', (width) => {
  it.each(LOOKED_AT)('$path, $colorScheme, is readable and complains of nothing', async ({ path, colorScheme }) => {
    if (browser === undefined) return
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    try {
      expect(await open(page, path)).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(overflow).toBe(0)
      await keep(page, `${path.slice(1).replaceAll('/', '-') || 'home'}-${colorScheme}-${width}`)
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate(() =>
        (
          globalThis as unknown as {
            axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> }
          }
        ).axe.run({
          runOnly: ['wcag2a', 'wcag2aa'],
        }),
      )
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.length} × ${String(nodes[0]?.target)}`)).toEqual([])
    } finally {
      await page.close()
    }
  })

  it('copies a page as Markdown', async () => {
    if (browser === undefined) return
    const context = await browser.newContext({ viewport: { width, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] })
    try {
      const page = await context.newPage()
      expect(await open(page, '/packages/core')).toEqual([])
      await page.getByRole('button', { name: 'Copy as Markdown' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      const copied = await page.evaluate(() => globalThis.navigator.clipboard.readText())
      expect(copied).toBe(await readFile(join(DOCS, '../packages/core/README.md'), 'utf8'))
      await keep(page, `copied-${width}`)
    } finally {
      await context.close()
    }
  })

  it('finds a page by a word', async () => {
    if (browser === undefined) return
    const page = await browser.newPage({ viewport: { width, height: 900 } })
    try {
      await open(page, '/')
      await page.locator('.VPNavBarSearch button').first().click()
      await page.locator('.search-input').fill('owner')
      const found = () => page.locator('.results .result').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
      await expect.poll(async () => (await found()).length).toBeGreaterThan(3)
      // What says what the word means comes first.
      await expect.poll(async () => (await found())[0]).toMatch(/^\/glossary/)
      await keep(page, `search-${width}`)
      await page.locator('.results .result').first().click()
      await page.waitForURL((url) => url.pathname !== '/')
      // The address changes before the page.
      await expect.poll(() => page.locator('main').textContent()).toMatch(/owner/i)
    } finally {
      await page.close()
    }
  })
})
