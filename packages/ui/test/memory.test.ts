/** What the page shows of entries that hold for a time, and of the notes that a team shares. */
import { createHermes, inMemoryBackend } from '@hermes/core'
import { expect, it } from 'vitest'
import type { MemoryView } from '../src/api/views.ts'
import { openInspector, value } from './support.ts'

it('an entry with its days, which another wording keeps, beside the notes of the team', async () => {
  const team = inMemoryBackend()
  value(await createHermes({ storage: team }).memory.add('memory', 'Deploys run on Tuesdays', { until: '2999-12-31' }))
  const broken = { ...inMemoryBackend(), read: () => Promise.reject(new Error('gone')) }
  const hermes = createHermes({ storage: inMemoryBackend(), actor: 'person', memory: { shared: [team, broken] } })
  value(await hermes.memory.add('user', 'In Lisbon until Friday', { until: '2999-12-04' }))
  const { json, post } = await openInspector(hermes, { write: true })
  expect(await json<MemoryView>('/api/memory')).toMatchObject({
    entries: [{ text: 'In Lisbon until Friday', time: 'until 2999-12-04' }],
    shared: [{ text: 'Deploys run on Tuesdays', time: 'until 2999-12-31' }],
    problems: [expect.stringContaining('memory.shared[1]')],
  })
  await post('/api/memory', {
    action: 'replace',
    target: 'user',
    text: 'In Lisbon until Friday',
    content: 'In Lisbon, Hotel Alba, until Friday',
  })
  const { entries, shared } = await json<MemoryView>('/api/memory?query=alba')
  expect(entries).toMatchObject([{ text: 'In Lisbon, Hotel Alba, until Friday', time: 'until 2999-12-04' }])
  expect(shared).toEqual([])
})
