/** One set of tools for all owners: the owner of a call follows from what the session reported; an ambiguous call is refused. */
import { describe, expect, it } from 'vitest'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { Hermes } from '../../src/hermes.ts'
import type { Owner } from '../../src/homes/owner.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'

const said = (text: string): readonly TurnMessage[] => [{ role: 'user', text }]

const openHomes = () => {
  const events: HermesEvent[] = []
  const homes = createHermesHomes({ storage: inMemoryBackend(), onEvent: (event) => events.push(event) })
  const [memory] = homes.offerTools({ only: ['memory'] })
  if (memory === undefined) throw new Error('There is no memory tool.')
  /** The model of a session calls the tool. */
  const report = (owner: Owner, id: string, prompt: readonly TurnMessage[]) => {
    const session = homes.for(owner).session('chat')
    session.beginStep(prompt)
    session.noteToolCall({ id, name: 'memory', input: {}, prompt })
  }
  const remember = (content: string, id: string, messages?: readonly TurnMessage[]) =>
    memory.execute({ target: 'user', action: 'add', content }, { toolCallId: id, ...(messages ? { messages } : {}) })
  const mistakes = () => events.flatMap((event) => (event.type === 'wiring-failed' ? [event.mistake] : []))
  return { homes, report, remember, mistakes }
}

const notesOf = async (hermes: Hermes) => {
  const store = hermes.memoryStore()
  await store.load()
  return store.entries('user')
}

const TEA = 'Prefers tea over coffee.'
const WORDS = 'Please remember: I prefer tea over coffee.'

describe('a tool that serves everybody', () => {
  it('acts for the session whose model made the call, if ids are counted from the start but the words differ', async () => {
    const { homes, report, remember, mistakes } = openHomes()
    report('alice', 'call_0', said(WORDS))
    report('bob', 'call_0', said('Hello'))
    expect(await remember(TEA, 'call_0', said(WORDS))).toMatchObject({ success: true })
    expect(await notesOf(homes.for('alice'))).toEqual([TEA])
    expect(await notesOf(homes.for('bob'))).toEqual([])
    expect(mistakes()).toEqual([])
  })

  it.each([
    ['was never reported', () => undefined],
    [
      'two people’s models made with the same words',
      (report: Report) => [report('alice', 'call_0', said(WORDS)), report('bob', 'call_0', said(WORDS))],
    ],
    ['was reported with other words', (report: Report) => report('alice', 'call_0', said('Hello'))],
    ['was reported with another id', (report: Report) => report('alice', 'call_1', said(WORDS))],
  ])('refuses a call that %s', async (_what, prepare) => {
    const { homes, report, remember, mistakes } = openHomes()
    prepare(report)
    expect(await remember(TEA, 'call_0', said(WORDS))).toMatchObject({ success: false, code: 'wiring' })
    for (const owner of ['alice', 'bob']) expect(await notesOf(homes.for(owner))).toEqual([])
    expect(mistakes()).toEqual(['missing-session'])
  })
})

it('refuses a call without an id or a conversation', async () => {
  const { homes, report, mistakes } = openHomes()
  report('alice', 'call_0', said(WORDS))
  const [memory] = homes.offerTools({ only: ['memory'] })
  const input = { target: 'user', action: 'add', content: TEA }
  for (const context of [undefined, {}, { messages: said(WORDS) }])
    expect(await memory?.execute(input, context)).toMatchObject({ code: 'wiring' })
  expect(await notesOf(homes.for('alice'))).toEqual([])
  expect(mistakes()).toEqual(['missing-session', 'missing-session', 'missing-session'])
})

it('acts under the name with which it was offered', async () => {
  const { homes } = openHomes()
  const [memory] = homes.offerTools({ prefix: 'my_', only: ['memory'] })
  const session = homes.for('alice').session('chat')
  session.beginStep(said(WORDS))
  session.noteToolCall({ id: 'call_0', name: 'my_memory', input: {}, prompt: said(WORDS) })
  const input = { target: 'user', action: 'add', content: TEA }
  expect(await memory?.execute(input, { toolCallId: 'call_0' })).toMatchObject({ success: true })
  expect(await notesOf(homes.for('alice'))).toEqual([TEA])
})

type Report = ReturnType<typeof openHomes>['report']

describe('noteOffered', () => {
  const skill = { name: 'deploy-shop', content: '---\nname: deploy-shop\ndescription: How to deploy.\n---\n\nTag the release.\n' }

  const blockFor = async (offer: (description: string) => Parameters<ReturnType<typeof createHermesHomes>['noteOffered']>[1]) => {
    const { homes } = openHomes()
    expect(await homes.for('alice').skillStore().create(skill)).toMatchObject({ ok: true })
    const tools = homes.offerTools({ prefix: 'my_', only: ['skill_view'] })
    const session = homes.for('alice').session('chat')
    homes.noteOffered(session, offer(tools[0]?.description ?? ''))
    return session.systemBlock()
  }

  it.each([
    ['its name', () => ['my_skill_view']],
    ['its name and description', (description: string) => [{ name: 'my_skill_view', description }]],
  ])('shows the catalogue to a call that offers our tool by %s', async (_what, offer) => {
    expect(await blockFor(offer)).toContain('my_skill_view')
  })

  it.each([
    ['nothing', () => []],
    ['another tool', () => ['skill_view']],
    ['a tool of the host’s that has the name of ours', () => [{ name: 'my_skill_view', description: 'Shows a page about a skill.' }]],
  ])('shows none to a call that offers %s', async (_what, offer) => {
    expect(await blockFor(offer)).toBe('')
  })
})
