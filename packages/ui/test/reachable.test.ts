/** Everyone can use the page: checked by axe on every screen, in both colour schemes and at two widths. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inMemoryBackend } from '@hermes/core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { firstOf, IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { fillDemoHome } from './demo-home.ts'
import { browserForTests } from './open-page.ts'
import { createHome, value } from './support.ts'

const { browser, serve, open } = await browserForTests()
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Findings {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

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
    const { hermes } = await fillDemoHome(inMemoryBackend())
    value(await hermes.memory.add('project', 'Orders live in Postgres', { project: 'webshop' }))
    const { origin } = await serve(hermes, { write: true, label: '~/.hermes' })
    const { page } = await open('', { scheme, width })
    await page.evaluate(AXE)
    for (const hash of SCREENS) {
      await page.goto(`${origin}/${hash}`)
      await page.getByRole('heading', { level: 1, name: nameOf(hash) }).waitFor()
      if (hash === '#/ledger') await page.locator('.uplot').nth(2).waitFor()
      if (hash.includes('?name=')) await page.locator('#skill-title').waitFor()
      expect([hash, await barriersOf(page)]).toEqual([hash, []])
      expect(await widthOf(page)).toBeLessThanOrEqual(width)
    }
  })

  if (IS_LONG_RUN)
    it.each(firstOf(LOOKS))('has none in an empty home, nor beside the list of keys: %s, %d px', async (scheme, width) => {
      await serve(createHome().hermes)
      const { page } = await open('', { scheme, width })
      await page.evaluate(AXE)
      await page.locator('.begin').waitFor()
      expect(await barriersOf(page)).toEqual([])
      expect(await widthOf(page)).toBeLessThanOrEqual(width)
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      expect(await barriersOf(page)).toEqual([])
    })
})
