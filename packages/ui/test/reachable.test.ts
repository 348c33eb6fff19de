/** Everyone can use the page: checked by axe on every screen, in both colour schemes and at two widths. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inMemoryBackend } from '@hermes/core'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startBrowser } from '../../../scripts/support/browser.ts'
import { firstOf, IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { fillDemoHome } from './demo-home.ts'
import { openPage } from './open-page.ts'
import { serveInspector } from './serve-inspector.ts'
import { createHome, value } from './support.ts'

const browser = await startBrowser()
const contexts: BrowserContext[] = []
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Findings {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})

afterAll(() => browser?.close())

const SCREENS = [
  '#/overview',
  '#/inbox',
  '#/prompt',
  '#/why',
  '#/why?project=webshop',
  '#/timeline',
  '#/skills?name=deploy-service',
  '#/ledger',
] as const

const nameOf = (hash: string): RegExp => new RegExp(/\w+/.exec(hash)?.[0] ?? '', 'i')

const LOOKS = [
  ['light', 390],
  ['light', 1280],
  ['dark', 1280],
  ['dark', 390],
] as const

const barriersOf = async (page: Page): Promise<readonly string[]> => {
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as Findings
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}

const widthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth)

describe.runIf(browser)('the page', () => {
  it.each(firstOf(LOOKS))('has no barrier that axe finds, and nothing that is cut off: %s, %d px', async (scheme, width) => {
    if (!browser) return
    const { hermes } = await fillDemoHome(inMemoryBackend())
    value(await hermes.memory.add('project', 'Orders live in Postgres', { project: 'webshop' }))
    const served = await serveInspector(hermes, { write: true, label: '~/.hermes' })
    try {
      const { page, context } = await openPage(browser, served, '', { scheme, width })
      contexts.push(context)
      await page.evaluate(AXE)
      for (const hash of SCREENS) {
        await page.goto(`${served.origin}/${hash}`)
        await page.getByRole('heading', { level: 1, name: nameOf(hash) }).waitFor()
        if (hash === '#/ledger') await page.locator('.uplot').nth(2).waitFor()
        if (hash.includes('?name=')) await page.locator('#skill-title').waitFor()
        expect([hash, await barriersOf(page)]).toEqual([hash, []])
        expect(await widthOf(page)).toBeLessThanOrEqual(width)
      }
    } finally {
      await served.close()
    }
  })

  if (IS_LONG_RUN)
    it.each(firstOf(LOOKS))('has none in an empty home, nor beside the list of keys: %s, %d px', async (scheme, width) => {
      if (!browser) return
      const served = await serveInspector(createHome().hermes)
      try {
        const { page, context } = await openPage(browser, served, '', { scheme, width })
        contexts.push(context)
        await page.evaluate(AXE)
        await page.locator('.begin').waitFor()
        expect(await barriersOf(page)).toEqual([])
        expect(await widthOf(page)).toBeLessThanOrEqual(width)
        await page.keyboard.press('?')
        await page.getByRole('dialog', { name: 'Keys' }).waitFor()
        expect(await barriersOf(page)).toEqual([])
      } finally {
        await served.close()
      }
    })
})
