/** A browser without the token, or with one that has been used or has ended. */
import type { BrowserContext } from 'playwright-core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startBrowser } from '../../../scripts/support/browser.ts'
import { openPage } from './open-page.ts'
import { type ServedInspector, serveInspector } from './serve-inspector.ts'
import { createHome, holdAdditions } from './support.ts'

const browser = await startBrowser()
let served: ServedInspector | undefined
const contexts: BrowserContext[] = []

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
  await served?.close()
})

afterAll(() => browser?.close())

describe.runIf(browser)('without the token', () => {
  it('there is nothing, and a used link opens nothing', async () => {
    if (!browser) return
    const home = createHome()
    await holdAdditions(home, ['Held secret'])
    served = await serveInspector(home.hermes)
    const link = await served.link()
    const context = await browser.newContext()
    contexts.push(context)
    const page = await context.newPage()
    for (const address of [served.origin, `${served.origin}/index.html`, `${served.origin}/?token=${'0'.repeat(36)}`]) {
      expect((await page.goto(address))?.status()).toBe(401)
      expect(await page.content()).not.toContain('app')
    }
    expect((await page.goto(link))?.status()).toBe(200)
    expect(page.url()).toBe(`${served.origin}/`)
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const second = await browser.newContext()
    contexts.push(second)
    expect((await (await second.newPage()).goto(link))?.status()).toBe(401)
  })

  it('an open page says so once the inspector is started again', async () => {
    if (!browser) return
    const home = createHome()
    served = await serveInspector(home.hermes)
    const { page, context } = await openPage(browser, served)
    contexts.push(context)
    served.inspector.close()
    await page.keyboard.press('2')
    await page.getByRole('alert').getByText('Not signed in.').waitFor()
  })
})
