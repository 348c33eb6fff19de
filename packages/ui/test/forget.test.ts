/** A text is erased from the page: counted first, then for good. */
import { createHermes, inMemoryBackend } from '@hermes/core'
import { afterAll, describe, expect, it } from 'vitest'
import { startBrowser } from '../../../scripts/support/browser.ts'
import type { DoneView, ForgetView, MemoryView } from '../src/api/views.ts'
import { openPage } from './open-page.ts'
import { serveInspector } from './serve-inspector.ts'
import { openInspector, value } from './support.ts'

const STREET = 'Lives at Calle Mayor 5'

const setUp = async () => {
  const storage = inMemoryBackend()
  const hermes = createHermes({ storage, actor: 'person' })
  const store = hermes.memoryStore()
  value(await store.apply('user', { action: 'add', content: STREET }, { origin: 'user' }))
  value(await store.apply('user', { action: 'add', content: 'Likes tea' }, { origin: 'user' }))
  hermes.session('chat').recordTurn({ messages: [{ role: 'user', text: `${STREET}, by the way.` }] })
  await hermes.settled()
  const holdsStreet = async () => {
    const documents = value(await storage.list(''))
    const texts = await Promise.all(documents.map(async ({ path }) => new TextDecoder().decode(value(await storage.read(path))?.bytes)))
    return texts.some((text) => text.includes('Calle Mayor'))
  }
  return { hermes, holdsStreet }
}

const browser = await startBrowser()
afterAll(() => browser?.close())

describe('forgetting', () => {
  it('counts first, then erases everywhere, and leaves no way back', async () => {
    const { hermes, holdsStreet } = await setUp()
    const { post, json } = await openInspector(hermes, { write: true })
    const change = await post('/api/memory', { action: 'replace', target: 'user', text: STREET, content: `${STREET}, third floor` })
    const { undo } = (await change.json()) as DoneView
    const planned = (await (await post('/api/forget/plan', { text: 'Calle Mayor' })).json()) as ForgetView
    expect(planned.erased).toEqual(
      expect.arrayContaining([
        { what: 'memory entries', count: 1 },
        { what: 'archived entries', count: 1 },
        { what: 'session records', count: 1 },
      ]),
    )
    expect(await holdsStreet()).toBe(true)
    const done = (await (await post('/api/forget', { text: 'Calle Mayor' })).json()) as ForgetView
    expect(done).toEqual(planned)
    expect(await holdsStreet()).toBe(false)
    expect((await post(`/api/undo/${undo}`)).status).toBe(404)
    expect(await holdsStreet()).toBe(false)
    const { entries, archived } = await json<MemoryView>('/api/memory')
    expect([entries.map(({ text }) => text), archived]).toEqual([['Likes tea'], []])
  })

  it('is refused without --write, and for what is no text', async () => {
    const { hermes, holdsStreet } = await setUp()
    const reading = await openInspector(hermes)
    for (const path of ['/api/forget', '/api/forget/plan']) expect((await reading.post(path, { text: 'Calle Mayor' })).status).toBe(403)
    const writing = await openInspector(hermes, { write: true })
    for (const body of [{}, { text: 7 }, { text: '' }, { text: 'Ca' }]) expect((await writing.post('/api/forget', body)).status).toBe(400)
    expect(await holdsStreet()).toBe(true)
  })

  it.runIf(browser)('asks on the page, with the counts', async () => {
    const { hermes, holdsStreet } = await setUp()
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
