/** A text is erased from the page in a real browser. */
import { afterAll, describe, expect, it } from 'vitest'
import { startBrowser } from '../../../scripts/support/browser.ts'
import { STREET, setUpForgetting } from './forgetting.ts'
import { openPage } from './open-page.ts'
import { serveInspector } from './serve-inspector.ts'

const browser = await startBrowser()
afterAll(() => browser?.close())

describe('forgetting', () => {
  it.runIf(browser)('asks on the page, with the counts', async () => {
    const { hermes, holdsStreet } = await setUpForgetting()
    const served = await serveInspector(hermes, { write: true })
    if (!browser) throw new Error('There is no browser.')
    const { page, context, problems } = await openPage(browser, served, '#/why')
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
    await context.close()
    await served.close()
  })
})
