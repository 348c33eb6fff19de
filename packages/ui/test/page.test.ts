/** The page in a real browser: decided from the keyboard, and live. */
import { describe, expect, it } from 'vitest'
import { browserForTests } from './open-page.ts'
import { createHome, entriesOf, holdAdditions, numbered, value, waitingOf } from './support.ts'

const { browser, serve, open } = await browserForTests()

const setUp = async (texts: readonly string[], { write = true } = {}) => {
  const home = createHome()
  await holdAdditions(home, texts)
  await serve(home.hermes, { write })
  return home
}

/** More than any store holds. */
const TOO_LONG = 'Too long. '.repeat(400).trim()

describe.runIf(browser)('the inbox', () => {
  it('moves, edits, rejects and undoes from the keyboard', async () => {
    const home = await setUp(numbered(3))
    const { page, problems } = await open()
    const selected = page.locator('article[aria-current=true]')
    await page.keyboard.press('j')
    expect(await selected.textContent()).toContain('Fact number 2')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-current'))).toBe('true')
    await page.keyboard.press('e')
    await page.getByLabel('Write this instead').fill('Fact number two')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => entriesOf(home)).toEqual(['Fact number two'])
    await expect.poll(() => selected.textContent()).toContain('Fact number 3')
    await page.keyboard.press('r')
    await expect.poll(() => waitingOf(home)).toBe(1)
    await page.getByText('Rejected.').waitFor()
    await page.keyboard.press('z')
    await page.getByText('The rejection is undone.').waitFor()
    await page.keyboard.press('z')
    await page.getByText('The edited text is gone.').waitFor()
    await expect.poll(() => waitingOf(home)).toBe(3)
    expect(await entriesOf(home)).toEqual([])
    await page.locator('article').nth(2).waitFor()
    expect(problems).toEqual([])
  })

  it('offers no decision if it may only be read', async () => {
    const home = await setUp(numbered(1), { write: false })
    const { page } = await open()
    await page.getByText('read only: start with --write').waitFor()
    await page.keyboard.press('a')
    expect(await page.getByRole('button', { name: /Approve|Edit|Reject/ }).count()).toBe(0)
    expect(await waitingOf(home)).toBe(1)
  })

  it('shows what comes while it is open, and lights up the loop', async () => {
    const home = await setUp([])
    const { page } = await open()
    await page.getByText('Nothing waits for you.').waitFor()
    await page.getByText('Waiting for the next turn.').waitFor()
    // The loop is lit for two seconds and a half.
    const isLit = page.locator('.loop li.lit', { hasText: 'Gate' }).waitFor()
    await holdAdditions(home, ['Came later'])
    await page.getByRole('insertion').getByText('Came later').waitFor()
    await isLit
  })
})

describe.runIf(browser)('a text that cannot be saved', () => {
  it('stays in the editor of the inbox', async () => {
    const home = createHome()
    await holdAdditions(home, ['Fact one', 'Fact two'])
    await serve(home.hermes, { write: true })
    const { page } = await open()
    await page.keyboard.press('e')
    const field = page.getByLabel('Write this instead')
    await field.fill(TOO_LONG)
    await page.keyboard.press('Control+Enter')
    await page.locator('.message.failed').waitFor()
    expect(await field.inputValue()).toBe(TOO_LONG)
    await field.fill('Fact 1')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => value(await home.hermes.memoryStore().current('memory'))).toEqual(['Fact 1'])
    await expect.poll(() => page.locator('article').count()).toBe(1)
    expect(await field.count()).toBe(0)
  })
})

describe.runIf(browser)('the other screens', () => {
  it('edit an entry in place, with a way back', async () => {
    const home = await setUp([])
    value(await home.hermes.memoryStore().apply('memory', { action: 'add', content: 'Uses pnpm 9' }, { origin: 'user' }))
    const { page } = await open('#/why')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Replace it with').fill('Uses pnpm 12')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Uses pnpm 12' }).click()
    await page.getByRole('list', { name: 'How it came about' }).getByRole('listitem').nth(1).waitFor()
    expect(await entriesOf(home)).toEqual(['Uses pnpm 12'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The entry is as it was.').waitFor()
    expect(await entriesOf(home)).toEqual(['Uses pnpm 9'])
  })

  it('show and change the notes on the project that is chosen', async () => {
    const { hermes } = await setUp([])
    for (const project of ['blog', 'web shop']) value(await hermes.memory.add('project', `Of the ${project}`, { project }))
    const { page, problems } = await open('#/overview')
    await page.getByRole('link', { name: 'Of the blog' }).click()
    await page.getByRole('heading', { name: 'MEMORY.md of the project blog' }).waitFor()
    await page.getByRole('list', { name: 'How it came about' }).getByText('person').first().waitFor()
    await page.getByRole('combobox').selectOption('web shop')
    await page.getByRole('link', { name: 'Of the web shop' }).waitFor()
    expect(await page.getByText('Of the blog').count()).toBe(0)
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(async () => value(await hermes.memory.list('project', { project: 'web shop' }))).toEqual([])
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(async () => value(await hermes.memory.list('project', { project: 'web shop' }))).toHaveLength(1)
    await page.getByRole('combobox').selectOption('the person')
    await page.getByRole('heading', { name: 'USER.md' }).waitFor()
    expect(value(await hermes.memory.list('project', { project: 'blog' }))).toHaveLength(1)
    expect(problems).toEqual([])
  })

  it('are reached by number, and by the back button', async () => {
    await setUp([])
    const { page } = await open('')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    for (const [key, name] of [
      ['2', 'Inbox'],
      ['3', 'Prompt'],
      ['4', 'Why'],
      ['5', 'Timeline'],
      ['6', 'Skills'],
      ['7', 'Ledger'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Skills' }).waitFor()
  })
})
