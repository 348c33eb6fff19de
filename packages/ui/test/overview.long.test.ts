/** The first screen in a real browser. */
import { inMemoryBackend } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import { fillDemoHome } from './demo-home.ts'
import { browserForTests } from './open-page.ts'
import { createHome, type TestHome, value } from './support.ts'

const { browser, serve, open: openPage } = await browserForTests()

const open = async ({ hermes }: Pick<TestHome, 'hermes'>, hash = '') => {
  await serve(hermes, { write: true })
  return openPage(hash)
}

const add = async ({ hermes, time }: TestHome, content: string): Promise<void> => {
  time.now += 1_000
  value(await hermes.memoryStore().apply('memory', { action: 'add', content }, { origin: 'user' }))
}

describe.runIf(browser)('the first screen', () => {
  it('says in an empty home how to begin', async () => {
    const { page, problems } = await open(createHome())
    await page.getByText('withHermes(model, hermes.session())').waitFor()
    expect(await page.locator('.begin li').count()).toBe(3)
    await page.getByText('Nothing waits for you.').waitFor()
    await page.locator('.begin').getByRole('link', { name: 'inbox' }).click()
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    expect(problems).toEqual([])
  })

  it('leads to the records of what was learned, and to what waits', async () => {
    const { hermes } = await fillDemoHome(inMemoryBackend())
    const { page, problems } = await open({ hermes })
    await page.getByText('proposals wait for you').waitFor()
    await page.getByRole('link', { name: 'Is on call in the last week of May' }).click()
    await page.getByRole('list', { name: 'How it came about' }).getByRole('listitem').first().waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'deploy-service' }).first().click()
    await page.getByRole('article', { name: 'deploy-service' }).getByText('History').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: /proposals wait for you/ }).click()
    await page.locator('article').first().waitFor()
    expect(problems).toEqual([])
  })

  it('shows what is learned while it is open', async () => {
    const home = createHome()
    const { page } = await open(home)
    await page.locator('.begin').waitFor()
    await add(home, 'Came later')
    await page.getByRole('link', { name: 'Came later' }).waitFor()
    expect(await page.locator('.begin').count()).toBe(0)
  })
})

describe.runIf(browser)('the page', () => {
  it('shows its keys with ?, and closes them with Esc', async () => {
    const { page } = await open(createHome())
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('approve, edit, reject').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  })

  it('hides the headings of a search that finds nothing, and says so', async () => {
    const home = createHome()
    await add(home, 'Uses pnpm')
    const { page } = await open(home, '#/why')
    await page.getByRole('searchbox').fill('pnpm')
    await expect.poll(() => page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['MEMORY.md', 'Forget'])
    await page.getByRole('searchbox').fill('no such thing')
    await page.getByText('No entry matches').waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Forget'])
  })
})
