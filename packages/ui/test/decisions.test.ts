/** What waits, and what a person decides about it. */
import { createHermes, createHermesHomes, type Hermes, inMemoryBackend } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import type { DoneView, ForgetView, InboxView, MemoryView, WhyView } from '../src/api/views.ts'
import { STREET, setUpForgetting } from './forgetting.ts'
import { createHome, holdAdditions, holdAll, openInspector, skillText, value } from './support.ts'

const entriesOf = async (hermes: Hermes) => value(await hermes.memoryStore().current('memory'))

const setUp = async (texts: readonly string[] = ['Deploys on Fridays', 'Uses pnpm 12']) => {
  const home = createHome()
  await holdAdditions(home, texts)
  const browser = await openInspector(home.hermes, { write: true })
  const inbox = () => browser.json<InboxView>('/api/inbox')
  const decide = async (id: string, verb: string, body?: unknown) => {
    const response = await browser.post(`/api/inbox/${id}/${verb}`, body)
    return { status: response.status, ...((await response.json()) as DoneView) }
  }
  const undo = async (id: string | undefined) => (await browser.post(`/api/undo/${id}`)).status
  return { ...home, ...browser, inbox, decide, undo }
}

describe('the inbox', () => {
  it('shows each proposal as a change, with the quote, whose words, and why it waits', async () => {
    const { inbox } = await setUp()
    const { total, items } = await inbox()
    expect(total).toBe(2)
    expect(items[0]).toMatchObject({
      target: 'memory',
      changes: [{ title: 'Add to MEMORY.md', before: '', after: 'Deploys on Fridays' }],
      reason: 'Text from outside waits for a person.',
      rationale: 'It was in a page.',
      quotes: ['Deploys on Fridays'],
      sessionId: 'chat-1',
      editable: 'Deploys on Fridays',
    })
    expect(items[0]?.problem).toBeUndefined()
  })

  it('marks what has become impossible', async () => {
    const { inbox, hermes } = await setUp()
    value(await hermes.memoryStore().apply('memory', { action: 'add', content: 'Uses pnpm 12' }))
    expect((await inbox()).items.map(({ problem }) => problem)).toEqual([undefined, 'The same entry is already there.'])
  })

  it('shows a change of a skill as a diff of its file', async () => {
    const home = createHome()
    value(await home.hermes.skillStore().create({ name: 'deploy', content: skillText('deploy', '1. Build.') }))
    const op = { action: 'patch', name: 'deploy', oldText: '1. Build.', newText: '1. Compile.' } as const
    value(await home.hermes.session('chat-1').submit({ target: 'skill', op, rationale: 'It failed.', score: 0.9 }))
    const { json, post } = await openInspector(home.hermes, { write: true })
    const [item] = (await json<InboxView>('/api/inbox')).items
    expect(item?.changes).toEqual([
      { title: 'Change the skill deploy', before: skillText('deploy', '1. Build.'), after: skillText('deploy', '1. Compile.') },
    ])
    const done = (await (await post(`/api/inbox/${item?.id}/approve`)).json()) as DoneView
    expect(value(await home.hermes.skillStore().view('deploy')).content).toContain('1. Compile.')
    expect((await post(`/api/undo/${done.undo}`)).status).toBe(200)
    expect(value(await home.hermes.skillStore().view('deploy')).content).toContain('1. Build.')
    expect((await json<InboxView>('/api/inbox')).items).toEqual([item])
  })
})

describe('a decision', () => {
  it('writes what is approved, and an undo takes it back and lets it wait again', async () => {
    const { inbox, decide, undo, hermes } = await setUp()
    const before = await inbox()
    const done = await decide(before.items[0]?.id ?? '', 'approve')
    expect(await entriesOf(hermes)).toEqual(['Deploys on Fridays'])
    expect((await inbox()).total).toBe(1)
    expect(await undo(done.undo)).toBe(200)
    expect(await entriesOf(hermes)).toEqual([])
    expect(await inbox()).toEqual(before)
    expect(await undo(done.undo)).toBe(422)
  })

  it('can be undone after a restart of the inspector', async () => {
    const { inbox, decide, hermes } = await setUp()
    const before = await inbox()
    const done = await decide(before.items[0]?.id ?? '', 'approve')
    const again = await openInspector(hermes, { write: true })
    expect(await (await again.post(`/api/undo/${done.undo}`)).json()).toMatchObject({ message: 'The approval is undone. It waits again.' })
    expect(await inbox()).toEqual(before)
  })

  it('drops what is rejected, and an undo lets it wait again', async () => {
    const { inbox, decide, undo, hermes } = await setUp()
    const before = await inbox()
    const done = await decide(before.items[1]?.id ?? '', 'reject')
    expect((await inbox()).total).toBe(1)
    expect(await undo(done.undo)).toBe(200)
    expect(await inbox()).toEqual(before)
    expect(await entriesOf(hermes)).toEqual([])
  })

  it("writes a person's version as their own words", async () => {
    const { inbox, decide, undo, hermes } = await setUp()
    const before = await inbox()
    const done = await decide(before.items[0]?.id ?? '', 'edit', { content: 'Never deploys on Fridays' })
    expect(value(await hermes.memoryStore().facts('memory'))).toMatchObject([{ entry: 'Never deploys on Fridays', origin: 'user' }])
    expect((await inbox()).total).toBe(1)
    await undo(done.undo)
    expect(await entriesOf(hermes)).toEqual([])
    expect(await inbox()).toEqual(before)
  })

  it('restores a replaced entry with its origin and its age', async () => {
    const home = createHome()
    const store = home.hermes.memoryStore()
    value(await store.apply('memory', { action: 'add', content: 'Uses pnpm 9' }, { origin: 'assistant' }))
    const [before] = value(await store.facts('memory'))
    home.time.now += 86_400_000
    const op = { action: 'replace', oldText: 'pnpm 9', content: 'Uses pnpm 12' } as const
    value(await home.hermes.session('chat-1').submit({ target: 'memory', op, rationale: 'New.', score: 0.9 }))
    const { json, post } = await openInspector(home.hermes, { write: true })
    const [item] = (await json<InboxView>('/api/inbox')).items
    expect(item?.changes).toEqual([{ title: 'Replace in MEMORY.md', before: 'Uses pnpm 9', after: 'Uses pnpm 12' }])
    const done = (await (await post(`/api/inbox/${item?.id}/approve`)).json()) as DoneView
    expect(await entriesOf(home.hermes)).toEqual(['Uses pnpm 12'])
    await post(`/api/undo/${done.undo}`)
    expect(value(await home.hermes.memoryStore().facts('memory'))).toMatchObject([
      { entry: before?.entry, origin: 'assistant', firstSeenAt: before?.firstSeenAt },
    ])
  })

  it('says so when another tab was first', async () => {
    const { inbox, decide } = await setUp()
    const [item] = (await inbox()).items
    await decide(item?.id ?? '', 'reject')
    expect(await decide(item?.id ?? '', 'approve')).toMatchObject({ status: 404, error: { code: 'not_found' } })
    expect((await inbox()).total).toBe(1)
  })

  it.each([{}, { content: 1 }, []])('needs a text to write: %o', async (body) => {
    const { inbox, decide } = await setUp()
    expect(await decide((await inbox()).items[0]?.id ?? '', 'edit', body)).toMatchObject({ status: 400 })
    expect((await inbox()).total).toBe(2)
  })
})

describe('an entry', () => {
  it('has a chain from the proposal over the approval to what replaced it', async () => {
    const { inbox, decide, post, json } = await setUp()
    await decide((await inbox()).items[0]?.id ?? '', 'approve')
    await post('/api/memory', { action: 'replace', target: 'memory', text: 'Deploys on Fridays', content: 'Deploys on Mondays' })
    const { records } = await json<WhyView>(`/api/why?text=${encodeURIComponent('Deploys on Mondays')}`)
    expect(records.map(({ kind, actor }) => `${actor} ${kind}`)).toEqual(['host held', 'person applied', 'person applied'])
  })

  it('is changed by hand, with a way back', async () => {
    const { post, undo, hermes } = await setUp()
    value(await hermes.memoryStore().apply('user', { action: 'add', content: 'Lives in Oslo' }, { origin: 'user' }))
    const change = async (body: unknown) => (await (await post('/api/memory', body)).json()) as DoneView
    const pinned = await change({ action: 'pin', target: 'user', text: 'Lives in Oslo' })
    expect(value(await hermes.memoryStore().facts('user'))).toMatchObject([{ pinned: true }])
    await undo(pinned.undo)
    expect(value(await hermes.memoryStore().facts('user'))[0]?.pinned).toBeUndefined()
    const removed = await change({ action: 'remove', target: 'user', text: 'Lives in Oslo' })
    expect(value(await hermes.memoryStore().current('user'))).toEqual([])
    await undo(removed.undo)
    expect(value(await hermes.memoryStore().facts('user'))).toMatchObject([{ entry: 'Lives in Oslo', origin: 'user' }])
    expect(await change({ action: 'remove', target: 'user', text: 'Oslo' })).toMatchObject({ error: { code: 'not_found' } })
  })
})

describe('many people', () => {
  it("never shows one person's inbox to a request that names another, and undoes only in the same home", async () => {
    const homes = createHermesHomes({ storage: inMemoryBackend(), gate: holdAll })
    for (const user of ['ada', 'bob']) {
      const op = { action: 'add', content: `Is called ${user}` } as const
      value(await homes.for(user).session('chat').submit({ target: 'user', op, rationale: 'said', score: 1 }))
    }
    const { json, post, get } = await openInspector(homes, { write: true })
    expect(await json('/api/owners')).toEqual({ owners: [{ user: 'ada' }, { user: 'bob' }], total: 2 })
    const { items } = await json<InboxView>('/api/inbox?user=ada')
    expect(items.flatMap(({ changes }) => changes.map(({ after }) => after))).toEqual(['Is called ada'])
    expect((await get('/api/inbox')).status).toBe(400)
    expect((await get('/api/inbox?user=')).status).toBe(400)
    const done = (await (await post(`/api/inbox/${items[0]?.id}/reject?user=ada`)).json()) as DoneView
    expect((await post(`/api/undo/${done.undo}?user=bob`)).status).toBe(404)
    expect((await post(`/api/undo/${done.undo}?user=ada`)).status).toBe(200)
  })
})

it('reads a home without anything in it', async () => {
  const { json } = await openInspector(createHermes({ storage: inMemoryBackend() }))
  expect(await json('/api/inbox')).toEqual({ total: 0, items: [] })
  expect(await json('/api/prompt')).toMatchObject({ sessions: [], next: '' })
  expect(await json('/api/skills')).toMatchObject({ total: 0, rows: [] })
  expect(await json('/api/upkeep')).toMatchObject({ archived: [], backups: [] })
  expect(await json('/api/journal')).toEqual({ records: [] })
  expect(await json(`/api/ledger?days=3&now=${Date.UTC(2026, 4, 20)}`)).toMatchObject({
    days: [{ day: '2026-05-18' }, { day: '2026-05-19' }, { day: '2026-05-20' }],
  })
})

describe('what was forgotten after a decision', () => {
  it.each([
    ['reject', undefined],
    ['approve', undefined],
    ['edit', { content: 'Something else' }],
  ])('does not come back by undoing it: %s', async (verb, body) => {
    const { hermes, inbox, decide, undo } = await setUp(['The plan is called Zebra', 'Uses pnpm 12'])
    const [zebra, pnpm] = (await inbox()).items
    const decided = await decide(zebra?.id ?? '', verb, body)
    const other = await decide(pnpm?.id ?? '', 'reject')
    value(await hermes.forget('Zebra'))
    expect(await undo(decided.undo)).toBe(404)
    expect((await inbox()).items).toEqual([])
    expect(JSON.stringify([value(await hermes.journal.list()), await entriesOf(hermes)])).not.toContain('Zebra')
    expect(await undo(other.undo)).toBe(200)
    expect((await inbox()).items).toEqual([pnpm])
  })
})

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
