/** A text is erased: counted first, then for good. */
import { describe, expect, it } from 'vitest'
import type { DoneView, ForgetView, MemoryView } from '../src/api/views.ts'
import { STREET, setUpForgetting } from './forgetting.ts'
import { openInspector } from './support.ts'

describe('forgetting', () => {
  it('counts first, then erases everywhere, and leaves no way back', async () => {
    const { hermes, holdsStreet } = await setUpForgetting()
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
    const { hermes, holdsStreet } = await setUpForgetting()
    const reading = await openInspector(hermes)
    for (const path of ['/api/forget', '/api/forget/plan']) expect((await reading.post(path, { text: 'Calle Mayor' })).status).toBe(403)
    const writing = await openInspector(hermes, { write: true })
    for (const body of [{}, { text: 7 }, { text: '' }, { text: 'Ca' }]) expect((await writing.post('/api/forget', body)).status).toBe(400)
    expect(await holdsStreet()).toBe(true)
  })
})
