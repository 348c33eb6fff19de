/** More of what can go wrong on the page. */
import { createHermesHomes, inMemoryBackend } from '@hermes/core'
import type { BrowserContext } from 'playwright-core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startBrowser } from '../../../scripts/support/browser.ts'
import { openPage } from './open-page.ts'
import { type ServedInspector, serveInspector } from './serve-inspector.ts'
import { createHome, holdAdditions, skillText, value } from './support.ts'

const browser = await startBrowser()
let served: ServedInspector | undefined
const contexts: BrowserContext[] = []

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
  await served?.close()
})

afterAll(() => browser?.close())

const open = async (hash = '#/inbox', width = 1000) => {
  if (!browser || !served) throw new Error('There is no browser or no inspector.')
  const opened = await openPage(browser, served, hash, { width })
  contexts.push(opened.context)
  return opened
}

/** More than any store holds. */
const TOO_LONG = 'Too long. '.repeat(400).trim()

it.runIf(browser)('a text that cannot be saved stays in the editor of an entry', async () => {
  const home = createHome()
  value(await home.hermes.memoryStore().apply('memory', { action: 'add', content: 'Uses pnpm' }))
  served = await serveInspector(home.hermes, { write: true })
  const { page } = await open('#/why')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Replace it with').fill(TOO_LONG)
  await page.keyboard.press('Control+Enter')
  await page.locator('.message.failed').waitFor()
  expect(await page.getByLabel('Replace it with').inputValue()).toBe(TOO_LONG)
})

it.runIf(browser)("undo takes back a change in the home where it was made, although another person's is shown", async () => {
  const homes = createHermesHomes({ storage: inMemoryBackend() })
  for (const user of [{ user: 'ada', tenant: 'north' }, 'bob'])
    value(await homes.for(user).memoryStore().apply('user', { action: 'add', content: 'Kept' }))
  served = await serveInspector(homes, { write: true })
  const { page } = await open('#/why')
  await page.getByLabel('Person').selectOption({ label: 'ada · north' })
  await page.getByRole('button', { name: 'Remove' }).click()
  const entries = async () => value(await homes.for({ user: 'ada', tenant: 'north' }).memoryStore().current('user'))
  await expect.poll(entries).toEqual([])
  await page.getByLabel('Person').selectOption({ label: 'bob' })
  await page.getByRole('button', { name: 'Remove' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(entries).toEqual(['Kept'])
})

describe.runIf(browser)('a text without a space', () => {
  it.each([400, 1_100])('is cut off on no screen: %d px', async (width) => {
    const home = createHome()
    const long = 'W'.repeat(300)
    const name = 'a'.repeat(60)
    value(await home.hermes.skillStore().create({ name, content: skillText(name, long).replace('About ', long) }))
    value(await home.hermes.memoryStore().apply('memory', { action: 'add', content: long }))
    await holdAdditions(home, [`${long}x`])
    home.hermes.session(long).recordTurn({ messages: [{ role: 'user', text: long }] })
    await home.hermes.settled()
    served = await serveInspector(home.hermes, { write: true, label: long })
    const { page } = await open('', width)
    for (const screen of ['inbox', 'prompt', 'why', `why?text=${long}y`, 'skills', `skills?name=${name}`, 'ledger']) {
      await page.goto(`${served.origin}/#/${screen}`)
      await page.getByRole('heading', { level: 1, name: new RegExp(/\w+/.exec(screen)?.[0] ?? '', 'i') }).waitFor()
      if (screen !== 'ledger')
        await page
          .locator('main')
          .getByText(/W{300}|a{60}/)
          .first()
          .waitFor({ state: 'attached' })
      expect(await page.evaluate(() => document.documentElement.scrollWidth), screen).toBeLessThanOrEqual(width)
    }
  })
})
