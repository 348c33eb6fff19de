/** What can go wrong on the page, and how it is noticed: failures, strange texts, no token, an erasure. */
import { createHermesHomes, inMemoryBackend } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import { STREET, setUpForgetting } from './forgetting.ts'
import { browserForTests } from './open-page.ts'
import { createHome, holdAdditions, skillText, value } from './support.ts'

const { browser, serve, open } = await browserForTests()

/** More than any store holds. */
const TOO_LONG = 'Too long. '.repeat(400).trim()

it.runIf(browser)('a text that cannot be saved stays in the editor of an entry', async () => {
  const home = createHome()
  value(await home.hermes.memoryStore().apply('memory', { action: 'add', content: 'Uses pnpm' }))
  await serve(home.hermes, { write: true })
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
  await serve(homes, { write: true })
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
    const served = await serve(home.hermes, { write: true, label: long })
    const { page } = await open('', { width })
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

describe.runIf(browser)('undo', () => {
  it('can be tried again if the inspector did not answer', async () => {
    const home = createHome()
    await holdAdditions(home, ['Fact one'])
    await serve(home.hermes, { write: true })
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
  await serve(home.hermes)
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
    await serve(createHome().hermes)
    const { page, problems } = await open('#/prompt')
    await page.addInitScript(() => Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true }))
    await page.reload()
    await page.getByRole('link', { name: 'Ledger' }).click()
    await page.locator('.uplot').nth(2).waitFor()
    expect(await page.getByText('could not be drawn').count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe.runIf(browser)('without the token', () => {
  it('there is nothing, and a used link opens nothing', async () => {
    if (!browser) return
    const home = createHome()
    await holdAdditions(home, ['Held secret'])
    const served = await serve(home.hermes)
    const link = await served.link()
    const context = await browser.newContext()
    const page = await context.newPage()
    for (const address of [served.origin, `${served.origin}/index.html`, `${served.origin}/?token=${'0'.repeat(36)}`]) {
      expect((await page.goto(address))?.status()).toBe(401)
      expect(await page.content()).not.toContain('app')
    }
    expect((await page.goto(link))?.status()).toBe(200)
    expect(page.url()).toBe(`${served.origin}/`)
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const second = await browser.newContext()
    expect((await (await second.newPage()).goto(link))?.status()).toBe(401)
  })

  it('an open page says so once the inspector is started again', async () => {
    if (!browser) return
    const home = createHome()
    const served = await serve(home.hermes)
    const { page } = await open('')
    served.inspector.close()
    await page.keyboard.press('2')
    await page.getByRole('alert').getByText('Not signed in.').waitFor()
  })
})

it.runIf(browser)('forgetting asks on the page, with the counts', async () => {
  const { hermes, holdsStreet } = await setUpForgetting()
  await serve(hermes, { write: true })
  const { page, problems } = await open('#/why')
  const ask = () => page.getByRole('listitem').filter({ hasText: STREET }).getByRole('button', { name: 'Forget…' }).click()
  await ask()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('memory entries: 1').waitFor()
  expect(await dialog.textContent()).toContain('This cannot be undone')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await holdsStreet()).toBe(true)
  await ask()
  await dialog.getByRole('button', { name: 'Erase permanently' }).click()
  await page.getByText('Erased permanently (memory entries: 1').waitFor()
  expect(await holdsStreet()).toBe(false)
  await page.getByLabel('A text, wherever it is stored').fill('Calle Mayor')
  await page.getByRole('button', { name: 'Show what would be erased' }).click()
  await page.getByText('Nothing to erase.').waitFor()
  expect(problems).toEqual([])
})
