/** The page when something fails: what was done can still be undone, and the page follows again by itself. */
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

const open = async (hash = '#/inbox') => {
  if (!browser || !served) throw new Error('There is no browser or no inspector.')
  const opened = await openPage(browser, served, hash)
  contexts.push(opened.context)
  return opened
}

describe.runIf(browser)('undo', () => {
  it('can be tried again if the inspector did not answer', async () => {
    const home = createHome()
    await holdAdditions(home, ['Fact one'])
    served = await serveInspector(home.hermes, { write: true })
    const { page } = await open()
    await page.locator('article').waitFor()
    await page.keyboard.press('r')
    await page.getByText('Rejected.').waitFor()
    await page.route('**/api/undo/*', (route) => route.abort(), { times: 1 })
    await page.keyboard.press('z')
    await page.getByText('does not answer').waitFor()
    await page.keyboard.press('z')
    await page.getByText('The rejection is undone.').waitFor()
  })
})

it.runIf(browser)('the page follows the home again after a proxy has answered for it', async () => {
  const home = createHome()
  served = await serveInspector(home.hermes)
  const { page } = await open()
  await page.getByText('Waiting for the next turn.').waitFor()
  await page.route('**/api/live*', (route) => route.fulfill({ status: 503, body: 'Try later.' }), { times: 1 })
  await page.reload()
  await page.getByText('Not connected.').waitFor()
  await page.getByText('Waiting for the next turn.').waitFor()
  await holdAdditions(home, ['Came later'])
  await page.getByRole('insertion').getByText('Came later').waitFor()
})

describe.runIf(browser)('the charts', () => {
  it('are drawn in a browser whose language is none, such as en-US@posix', async () => {
    served = await serveInspector(createHome().hermes)
    const { page, problems } = await open('#/prompt')
    await page.addInitScript(() => Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true }))
    await page.reload()
    await page.getByRole('link', { name: 'Ledger' }).click()
    await page.locator('.uplot').nth(2).waitFor()
    expect(await page.getByText('could not be drawn').count()).toBe(0)
    expect(problems).toEqual([])
  })
})
