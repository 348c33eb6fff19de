/** The other screens of the page in a real browser, and an inbox that is read late. */
import { createHermesHomes, inMemoryBackend } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import { browserForTests } from './open-page.ts'
import { createHome, entriesOf, holdAdditions, numbered, skillText, value, waitingOf } from './support.ts'

const { browser, serve, open } = await browserForTests()

const setUp = async (texts: readonly string[], { write = true } = {}) => {
  const home = createHome()
  await holdAdditions(home, texts)
  await serve(home.hermes, { write })
  return home
}

describe.runIf(browser)('the inbox', () => {
  it('approves 20 proposals from the keyboard within a minute', async () => {
    const home = await setUp(numbered(20))
    const { page, problems } = await open()
    await page.locator('article').nth(19).waitFor()
    const before = performance.now()
    for (let count = 0; count < 20; count++) await page.keyboard.press('a')
    await page.getByText('Nothing waits for you.').waitFor()
    await expect.poll(() => waitingOf(home)).toBe(0)
    expect(performance.now() - before).toBeLessThan(60_000)
    expect((await entriesOf(home)).toSorted()).toEqual(numbered(20).toSorted())
    expect(problems).toEqual([])
  })

  it('tells a second tab, which cannot decide the same again', async () => {
    const home = await setUp(numbered(2))
    const first = await open()
    const second = await open()
    await second.page.locator('article').nth(1).waitFor()
    await first.page.keyboard.press('r')
    await expect.poll(() => second.page.locator('article').count()).toBe(1)
    expect(await second.page.locator('article').textContent()).toContain('Fact number 2')
    await Promise.all([first.page.keyboard.press('a'), second.page.keyboard.press('a')])
    await Promise.all([first, second].map(({ page }) => page.getByText('Nothing waits for you.').waitFor()))
    // A page hides what it decides at once, and the inspector carries it out after that.
    await expect.poll(() => waitingOf(home)).toBe(0)
    expect(await entriesOf(home)).toEqual(['Fact number 2'])
  })

  it('shows what came between its first reading and the first look at the home', async () => {
    const home = createHome()
    let look = () => {}
    const isTime = new Promise<void>((resolve) => {
      look = resolve
    })
    const list: typeof home.hermes.journal.list = async (query) => {
      await isTime
      return home.hermes.journal.list(query)
    }
    await serve({ ...home.hermes, journal: { ...home.hermes.journal, list } })
    const { page } = await open()
    await page.getByText('Nothing waits for you.').waitFor()
    await holdAdditions(home, ['Came between'])
    look()
    await page.getByRole('insertion').getByText('Came between').waitFor()
  })
})

describe.runIf(browser)('the other screens', () => {
  it('show the frozen text byte for byte, and what changes next', async () => {
    const home = await setUp([])
    value(await home.hermes.memoryStore().apply('memory', { action: 'add', content: '  Two\n\nparagraphs & <tags>' }, { origin: 'user' }))
    const block = await home.hermes.session('chat-1').systemBlock()
    home.hermes.session('chat-1').recordTurn({ messages: [{ role: 'user', text: 'Hello.' }] })
    await home.hermes.settled()
    value(await home.hermes.memoryStore().apply('memory', { action: 'add', content: 'Newer than the session' }, { origin: 'user' }))
    const { page } = await open('#/prompt')
    expect(await page.locator('.block pre').textContent()).toBe(block)
    await page.locator('ins', { hasText: 'Newer than the session' }).waitFor()
  })

  it('pin a skill, archive it and bring it back', async () => {
    const home = await setUp([])
    value(await home.hermes.skillStore().create({ name: 'deploy', content: skillText('deploy', '1. Build.') }))
    const { page } = await open('#/skills')
    await page.getByRole('link', { name: 'deploy' }).click()
    await page.getByRole('button', { name: 'Pin' }).click()
    await page.getByRole('button', { name: 'Unpin' }).click()
    await page.getByRole('button', { name: 'Pin', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('The agent has no skills yet.').waitFor()
    await page.getByText('Upkeep').click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('link', { name: 'deploy' }).waitFor()
    expect(value(await home.hermes.skillStore().list()).skills).toHaveLength(1)
  })

  it('roll the skills back after asking, and show the job', async () => {
    const home = await setUp([])
    value(await home.hermes.skillStore().create({ name: 'deploy', content: skillText('deploy', '1. Build.') }))
    value(await home.hermes.curator.backup('before'))
    value(await home.hermes.skillStore().patch('deploy', { oldText: '1. Build.', newText: '1. Ship.' }))
    const { page } = await open('#/skills')
    await page.getByText('Upkeep').click()
    await page.getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
    await page.getByText('To undo it, roll back to').waitFor()
    expect(value(await home.hermes.skillStore().view('deploy')).content).toContain('1. Build.')
  })

  it('show the person that is chosen, and follow that one', async () => {
    const homes = createHermesHomes({ storage: inMemoryBackend() })
    const write = async (user: string, content: string) =>
      value(await homes.for(user).memoryStore().apply('user', { action: 'add', content }))
    await write('ada', 'Is called Ada')
    await write('bob', 'Is called Bob')
    await serve(homes)
    const { page } = await open('#/why')
    await page.getByText('Is called Ada').waitFor()
    await page.getByLabel('Person').selectOption('bob')
    await page.getByText('Is called Bob').waitFor()
    expect(await page.getByText('Is called Ada').count()).toBe(0)
    await write('bob', 'Lives in Bergen')
    await page.getByText('Lives in Bergen').waitFor()
  })
})
