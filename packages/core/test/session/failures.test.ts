import { describe, expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import type { Session } from '../../src/session/session.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { assistant, openHome, proposing, remember, user } from './open-home.ts'

describe('failures after the turn', () => {
  const tenTurns = (session: Session, model?: HostModel) => {
    for (let turn = 1; turn <= 10; turn++) {
      session.recordTurn({ messages: [user(`q${turn}`), assistant(`a${turn}`)], ...(model ? { model } : {}) })
    }
  }

  const failing: readonly (readonly [string, HostModel, string])[] = [
    ['throws', () => Promise.reject(new Error('429')), 'model'],
    ['answers prose', async () => 'What a nice chat that was!', 'unparseable'],
    ['answers half a JSON', async () => '{"proposals": [{"target": "user", "op": {"act', 'unparseable'],
    ['hangs', () => new Promise(() => {}), 'timeout'],
  ]

  it.each(failing)('a model that %s is an event and a journal record', async (_, model, code) => {
    const { hermes, events } = openHome(inMemoryBackend(), { review: { timeoutMs: 20 } })
    tenTurns(hermes.session('one'), model)
    await hermes.settled()
    const failure = events.find((event) => event.type === 'review-failed')
    expect(failure?.error.code).toBe(code)
    const records = await hermes.journal.list()
    expect(records.ok && records.value.map(({ kind, error }) => [kind, error?.code])).toEqual([['review-failed', code]])
  })

  it('a storage that fails leaves the session without memory, with an event, and never rejects', async () => {
    const broken: StorageBackend = {
      ...inMemoryBackend(),
      read: async () => err(new HermesError('io', 'disk on fire')),
      update: async () => err(new HermesError('no_space', 'disk full')),
      list: async () => err(new HermesError('io', 'disk on fire')),
    }
    const { hermes, events } = openHome(broken)
    const session = hermes.session('one')
    expect(await session.systemBlock()).toBe('')
    tenTurns(session, proposing('x'))
    await hermes.settled()
    expect(events.some((event) => event.type === 'storage-failed' && event.error.code === 'no_space')).toBe(true)
  })

  it('a storage that hangs does not hold up the turn, and the prompt does not move when it wakes up', async () => {
    const storage = inMemoryBackend()
    await remember(storage, 'Repo builds with pnpm')
    let wake: () => void = () => {}
    const awake = new Promise<void>((resolve) => {
      wake = resolve
    })
    const hanging: StorageBackend = { ...storage, read: (paths) => awake.then(() => storage.read(paths)) }
    const { hermes, events } = openHome(hanging, { sessions: { loadTimeoutMs: 5 } })
    const session = hermes.session('one')
    expect(await session.systemBlock()).toBe('')
    expect(events.some((event) => event.type === 'storage-failed' && event.error.code === 'timeout')).toBe(true)
    wake()
    await hermes.settled()
    expect(await session.systemBlock()).toBe('')
    expect(await session.refresh()).toContain('Repo builds with pnpm')
    expect(await session.systemBlock()).toContain('Repo builds with pnpm')
  })

  it('takes a value that is not a turn for none, with an event, and never throws', async () => {
    const { hermes, events } = openHome(inMemoryBackend())
    const session = hermes.session('one')
    await session.systemBlock()
    const reply = [assistant('a')]
    const wrong: readonly (readonly ['beginStep' | 'endStep' | 'recordTurn', unknown])[] = [
      ['beginStep', null],
      ['beginStep', undefined],
      ['beginStep', [{ role: 'user', text: null }]],
      ['beginStep', [{ role: 'system', text: 'x' }]],
      ['beginStep', [{ role: 'user', text: 'x', toolNames: 'y' }]],
      ['endStep', undefined],
      ['endStep', {}],
      ['endStep', { turnFinished: true, calledTools: false, reply: [7] }],
      ['endStep', { turnFinished: 'yes', calledTools: false, reply }],
      ['endStep', { turnFinished: true, calledTools: false, reply, prompt: 'hello' }],
      ['endStep', { turnFinished: true, calledTools: false, reply, model: 'gpt' }],
      ['recordTurn', null],
      ['recordTurn', {}],
      ['recordTurn', { messages: [user('q')], toolIterations: 1e300 }],
      ['recordTurn', { messages: [user('q')], toolIterations: -1 }],
      ['recordTurn', { messages: [user('q')], model: {} }],
    ]
    for (const [method, input] of wrong) Reflect.apply(session[method], session, [input])
    await hermes.settled()
    expect(events.flatMap((event) => (event.type === 'host-failed' ? [event.operation] : []))).toEqual(wrong.map(([method]) => method))
    expect(events.some(({ type }) => type === 'storage-failed')).toBe(false)
    tenTurns(session, proposing())
    await hermes.settled()
    expect(events.find(({ type }) => type === 'review-started')).toMatchObject({ turns: 10, iterations: 0 })
  })

  it('moves a record aside that is none, and begins a new one', async () => {
    const storage = inMemoryBackend()
    await updateDocument(storage, 'sessions/one.json', () => new TextEncoder().encode('{"half":'))
    const { hermes, events } = openHome(storage)
    tenTurns(hermes.session('one'), proposing())
    await hermes.settled()
    const { error } = events.find((event) => event.type === 'storage-failed') ?? {}
    expect(error?.code).toBe('unreadable')
    expect(error?.message).toMatch(/was moved to 'sessions\/\.unreadable\/\d+-one\.json'/)
    expect(error?.message).not.toContain('left as it is')
    expect(events.some((event) => event.type === 'review-finished')).toBe(true)
    const listed = await storage.list('sessions/.unreadable')
    expect(listed.ok && listed.value).toHaveLength(1)
  })

  it('never runs two reviews of a session at once, not even in two processes', async () => {
    const storage = inMemoryBackend()
    let running = 0
    let most = 0
    const model: HostModel = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      return '{"proposals": []}'
    }
    const homes = [openHome(storage, { nudge: { memoryInterval: 1 } }), openHome(storage, { nudge: { memoryInterval: 1 } })]
    for (let turn = 1; turn <= 10; turn++) {
      for (const { hermes } of homes) hermes.session('one').recordTurn({ messages: [user(`q${turn}`)], model })
      await Promise.all(homes.map(({ hermes }) => hermes.settled()))
    }
    expect(most).toBe(1)
  })

  it('continues when the listener throws', async () => {
    const { hermes } = openHome(inMemoryBackend(), {
      onEvent: () => {
        throw new Error('listener')
      },
    })
    expect(await hermes.session('one').systemBlock()).toBe('')
    tenTurns(hermes.session('one'), proposing())
    await expect(hermes.settled()).resolves.toBeUndefined()
  })
})
