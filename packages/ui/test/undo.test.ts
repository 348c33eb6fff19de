/** What the undo of a change on the page takes back: that change alone, whatever else was written or failed at the same time. */
import { err, type Hermes, HermesError } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import type { DoneView, InboxView, UpkeepView } from '../src/api/views.ts'
import { createHome, entriesOf, holdAdditions, openInspector, skillText, type TestHome, value } from './support.ts'

type List = Hermes['journal']['list']

const add = async ({ hermes, time }: TestHome, content: string) => {
  time.now += 1_000
  value(await hermes.memory.add('memory', content))
}

const factsOf = async ({ hermes }: TestHome) =>
  value(await hermes.memoryStore().facts('memory')).map(({ entry, pinned = false }) => [entry, pinned])

/** An inspector whose looks at the newest records of the journal are `look`; it is given the number of the look, and the list. */
const setUp = async (look: (count: number, list: () => ReturnType<List>) => ReturnType<List>) => {
  const home = createHome()
  const { hermes } = home
  let count = 0
  const list: List = (filter = {}) => {
    const real = () => hermes.journal.list(filter)
    return Object.keys(filter).join() === 'limit' ? look(++count, real) : real()
  }
  const { post, json } = await openInspector({ ...hermes, journal: { list } }, { write: true })
  const change = async (path: string, body?: unknown) => {
    count = 0
    home.time.now += 1_000
    return (await (await post(path, body)).json()) as DoneView
  }
  const undo = async (id: string | undefined) => {
    home.time.now += 1_000
    return (await post(`/api/undo/${id}`)).status
  }
  return { home, hermes, change, undo, json }
}

const pin = { action: 'pin', target: 'memory', text: 'one' } as const

describe('a change whose record cannot be told', () => {
  it.each([1, 2])('is carried out, and offers no undo: look %i at the journal fails', async (failing) => {
    const { home, change } = await setUp(async (count, list) =>
      count === failing ? err(new HermesError('locked', 'Another program writes.')) : list(),
    )
    for (const text of ['one', 'two', 'three']) await add(home, text)
    expect(await change('/api/memory', pin)).toEqual({ message: 'Pinned: only a person changes it now.' })
    expect(await factsOf(home)).toEqual([
      ['one', true],
      ['two', false],
      ['three', false],
    ])
  })

  it('offers no undo if another program did and undid the same thing meanwhile', async () => {
    const { home, hermes, change } = await setUp(async (count, list) => {
      if (count === 2) {
        value(await hermes.memory.unpin('memory', 'one'))
        value(await hermes.memory.pin('memory', 'one'))
      }
      return list()
    })
    await add(home, 'one')
    expect((await change('/api/memory', pin)).undo).toBeUndefined()
  })

  it.each([
    ['an entry', '/api/memory', pin],
    ['a skill', '/api/skills', { action: 'pin', name: 'deploy' }],
  ])('offers no undo if another program was first: pin of %s', async (_what, path, body) => {
    const { home, hermes, change } = await setUp(async (count, list) => {
      const listed = await list()
      if (count === 1 && path === '/api/memory') value(await hermes.memory.pin('memory', 'one'))
      if (count === 1 && path === '/api/skills') value(await hermes.curator.pin('deploy'))
      return listed
    })
    await add(home, 'one')
    value(await hermes.skillStore().create({ name: 'deploy', content: skillText('deploy', 'Build.') }))
    expect((await change(path, body)).undo).toBeUndefined()
  })
})

describe('the undo of a change', () => {
  /** The host and another inspector write before the change and after it. */
  const setUpBusy = async () => {
    let number = 0
    const busy = await setUp(async (count, list) => {
      const listed = count === 1 ? await list() : undefined
      value(await busy.hermes.memory.add('memory', `Written meanwhile ${++number}`))
      value(await busy.hermes.memory.add('user', `Written meanwhile ${number}`))
      value(await busy.hermes.skillStore().create({ name: `other-${number}`, content: skillText(`other-${number}`, 'x') }))
      value(await busy.hermes.curator.archive(`other-${number}`))
      return listed ?? list()
    })
    return busy
  }
  const MEANWHILE = ['Written meanwhile 1', 'Written meanwhile 2']

  it.each([
    ['pin', {}],
    ['replace', { content: '  One\r\nagain ' }],
    ['remove', {}],
  ])('of an entry takes back nothing that others wrote meanwhile: %s', async (action, rest) => {
    const { home, change, undo } = await setUpBusy()
    await add(home, 'one')
    const { undo: id } = await change('/api/memory', { ...pin, action, ...rest })
    expect(await undo(id)).toBe(200)
    expect((await entriesOf(home)).toSorted()).toEqual([...MEANWHILE, 'one'])
    expect(await factsOf(home)).toContainEqual(['one', false])
  })

  it('of an entry that came back from the archive', async () => {
    const { home, hermes, change, undo } = await setUpBusy()
    await add(home, 'one')
    value(await hermes.memory.remove('memory', 'one'))
    const [gone] = value(await hermes.memoryStore().archived('memory'))
    const { undo: id } = await change('/api/memory', { action: 'restore', id: gone?.id })
    expect(await entriesOf(home)).toContain('one')
    expect(await undo(id)).toBe(200)
    expect((await entriesOf(home)).toSorted()).toEqual(MEANWHILE)
  })

  it.each(['approve', 'reject', 'edit'])('of a decision takes back nothing that others wrote meanwhile: %s', async (verb) => {
    const { home, change, undo, json } = await setUpBusy()
    await holdAdditions(home, ['Deploys on Fridays', 'Uses pnpm 12'])
    const before = await json<InboxView>('/api/inbox')
    const { undo: id } = await change(`/api/inbox/${before.items[0]?.id}/${verb}`, verb === 'edit' ? { content: 'Never deploys ' } : {})
    expect(await undo(id)).toBe(200)
    expect(await json('/api/inbox')).toEqual(before)
    expect((await entriesOf(home)).toSorted()).toEqual(MEANWHILE)
  })

  it('of a skill takes back nothing that others wrote meanwhile', async () => {
    const { hermes, change, undo, json } = await setUpBusy()
    const text = skillText('deploy', 'Build.')
    value(await hermes.skillStore().create({ name: 'deploy', content: text }))
    const archived = async () => (await json<UpkeepView>('/api/upkeep')).archived.map(({ name }) => name).toSorted()
    const pinned = await change('/api/skills', { action: 'pin', name: 'deploy' })
    expect(await undo(pinned.undo)).toBe(200)
    expect((await hermes.usageStore().get('deploy'))?.pinned ?? false).toBe(false)
    const away = await change('/api/skills', { action: 'archive', name: 'deploy' })
    expect(await archived()).toEqual(['deploy', 'other-1', 'other-2', 'other-3', 'other-4'])
    expect(await undo(away.undo)).toBe(200)
    expect(value(await hermes.skillStore().view('deploy')).content).toBe(text)
    expect(await archived()).toEqual(['other-1', 'other-2', 'other-3', 'other-4'])
    value(await hermes.curator.archive('deploy'))
    const id = (await json<UpkeepView>('/api/upkeep')).archived.find(({ name }) => name === 'deploy')?.id
    const back = await change('/api/skills', { action: 'restore', name: id })
    expect(await undo(back.undo)).toBe(200)
    expect(await archived()).toEqual(['deploy', 'other-1', 'other-2', 'other-3', 'other-4', 'other-5', 'other-6'])
  })
  const BEFORE = skillText('deploy', '1. Build.')
  it.each([
    ['a text', 'patch', '1. Compile.', BEFORE],
    ['a text that is too long for the journal', 'patch', '1. Compile.\n'.repeat(2_000), BEFORE],
    ['the text that is there already', 'patch', '1. Build.', BEFORE],
    ['a new skill', 'create', '1. Compile.', undefined],
  ])('of an edited proposal for a skill takes back nothing that others wrote meanwhile: %s', async (_what, action, body, before) => {
    const { home, hermes, change, undo, json } = await setUpBusy()
    if (before !== undefined) value(await hermes.skillStore().create({ name: 'deploy', content: before }))
    const patch = { action: 'patch', name: 'deploy', oldText: '1. Build.', newText: '1. Make.' } as const
    const op = action === 'patch' ? patch : ({ action: 'create', name: 'deploy', content: BEFORE } as const)
    value(await hermes.session('chat-1').submit({ target: 'skill', op, rationale: 'It failed.', score: 0.9 }))
    const { items } = await json<InboxView>('/api/inbox')
    const text = skillText('deploy', body)
    const { undo: id } = await change(`/api/inbox/${items[0]?.id}/edit`, { content: text })
    expect(value(await hermes.skillStore().view('deploy')).content).toBe(text)
    expect(await undo(id)).toBe(200)
    const viewed = await hermes.skillStore().view('deploy')
    expect(viewed.ok ? viewed.value.content : undefined).toBe(before)
    expect((await json<InboxView>('/api/inbox')).items).toEqual(items)
    expect((await entriesOf(home)).toSorted()).toEqual(MEANWHILE)
  })
})
