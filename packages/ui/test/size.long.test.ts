/** How soon a browser shows something of a large home. */
import { createHermes, inMemoryBackend } from '@hermes/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBrowser } from '../../../scripts/support/browser.ts'
import { firstOf } from '../../../scripts/support/rounds.ts'
import { fillLargeHome } from './demo-home.ts'
import { openPage } from './open-page.ts'
import { serveInspector } from './serve-inspector.ts'

const browser = await startBrowser()

afterAll(() => browser?.close())

const RECORDS = 10_000
const SKILLS = 1_000
const PAINT_MS = 300

/** Runs in the page: milliseconds from the start of loading to the first contents. */
const firstPaint = (): Promise<number> =>
  new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
    })
    observer.observe({ type: 'paint', buffered: true })
  })

describe.runIf(browser)('with 10,000 journal records and 1,000 skills', () => {
  const storage = inMemoryBackend()

  beforeAll(() => fillLargeHome(storage, { records: RECORDS, skills: SKILLS }))

  it.each(firstOf(['#/overview', '#/inbox', '#/skills', '#/ledger']))('paints within 300 ms, and shows %s soon after', async (hash) => {
    if (!browser) return
    const served = await serveInspector(createHermes({ storage }))
    try {
      const { page, context } = await openPage(browser, served, hash)
      const paints: number[] = []
      // The best of several: other tests run on the same machine.
      for (let round = 0; round < 20 && !paints.some((paint) => paint < PAINT_MS); round++) {
        await page.reload()
        await page.locator('main h1').waitFor()
        paints.push(await page.evaluate(firstPaint))
      }
      await context.close()
      expect(Math.min(...paints)).toBeLessThan(PAINT_MS)
    } finally {
      await served.close()
    }
  })
})
