import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { Session } from '../../src/session/session.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readOnlyBackend } from '../../src/storage/read-only-backend.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { assistant, openHome, proposing, remember, user } from './open-home.ts'
import { answer, callTool, skillText, yes } from './skill-home.ts'

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

/** Without an event listener, the operator must still learn that memory does not work. */
const lines: string[] = []

beforeEach(() => {
  lines.length = 0
  vi.spyOn(console, 'warn').mockImplementation((...words) => lines.push(words.join(' ')))
})

afterEach(() => vi.restoreAllMocks())

const useTwice = async (storage: StorageBackend) => {
  for (const id of ['one', 'two']) {
    const hermes = createHermes({ storage })
    await hermes.session(id).systemBlock()
    hermes.session(id).recordTurn({ messages: [user('hello')] })
    await hermes.settled()
  }
}

describe('a memory provider that does not work', () => {
  it('is reported once in a process: which one, and why', async () => {
    const storage = inMemoryBackend()
    for (let home = 0; home < 2; home++) {
      const initialize = () => {
        throw new Error('The key is invalid.')
      }
      const hermes = createHermes({ storage, memory: { provider: { name: 'notes', initialize } } })
      for (const id of ['one', 'two', 'three', 'four']) {
        hermes.session(id).recordTurn({ messages: [user('hello')] })
        await hermes.settled()
        await hermes.session(id).beforeCompress([])
      }
    }
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain("the memory provider 'notes' does not work")
    expect(lines[0]).toContain('The key is invalid.')
  })
})

describe('a home that cannot be written', () => {
  it('is reported once in a process: what failed, what it means, what to do', async () => {
    await useTwice(readOnlyBackend(inMemoryBackend()))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('nothing new is remembered')
    expect(lines[0]).toContain("'sessions/")
    expect(lines[0]).toContain('onEvent')
  })

  it('is the only reason to speak: a home that works is silent', async () => {
    await useTwice(inMemoryBackend())
    expect(lines).toEqual([])
  })
})

describe('reviews that fail', () => {
  it('are reported when they pause, once, with where to read why', async () => {
    const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1 } })
    const model = async (): Promise<string> => {
      throw new Error('no credit')
    }
    for (let turn = 0; turn < 8; turn++) {
      hermes.session('one').recordTurn({ messages: [user(`turn ${turn}`)], model })
      await hermes.settled()
    }
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('3 reviews have failed in a row')
    expect(lines[0]).toContain('hermes journal list')
  })
})

/** Events go to logs: no review's event holds a secret that was refused. */
const KEY = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'
const FACT = 'User lives in Lisbon'
const OTHER = 'The repo builds with pnpm'
const shared = { rationale: 'said', score: 0.9, evidence: [] }
const fact = (content: string) => ({ target: 'user', op: { action: 'add', content }, ...shared })
const leak = fact(`The token is ${KEY}`)
const skill = { target: 'skill', op: { action: 'create', name: 'deploy', content: skillText('deploy', `Use ${KEY}.`) }, ...shared }

/** The events of one review of ten turns. */
const review = async (model: HostModel, options: Partial<HermesOptions> = {}, more: readonly TurnMessage[] = []) => {
  const { hermes, events } = openHome(inMemoryBackend(), { gate: yes, ...options })
  const session = hermes.session('one')
  session.offerTools()
  for (let turn = 1; turn <= 10; turn++)
    session.recordTurn({ messages: [user(`q${turn}`), ...more, assistant('a')], toolIterations: 1, model })
  await hermes.settled()
  return events
}

/** Everything that a log may show of a value. */
const logged = (value: unknown): string => [JSON.stringify(value), inspect(value, { depth: 20, showHidden: true })].join('\n')

describe('the event of a finished review', () => {
  it.each([
    ['a refused fact', leak],
    ['a reason', { ...fact(FACT), rationale: `They said ${KEY}` }],
    ['a proposal that is none', { ...leak, target: 'nowhere' }],
    ['a refused skill', skill],
  ])('holds no key of %s', async (_, proposed) => {
    const events = await review(async () => answer(proposed, fact(OTHER)))
    const [finished] = events.flatMap((event) => (event.type === 'review-finished' ? [event.outcome] : []))
    expect(finished?.applied.map(({ proposal }) => proposal.op)).toContainEqual({ action: 'add', content: OTHER })
    expect([...(finished?.rejected ?? []), ...(finished?.held ?? []), ...(finished?.applied ?? [])]).toHaveLength(2)
    expect(logged(events)).toContain('[redacted: looks like a secret]')
    expect(logged(events)).not.toContain(KEY)
  })
})

describe('the event of a failed review', () => {
  it('holds no key that was refused before the gate failed', async () => {
    const gate: HermesOptions['gate'] = async () => err(new HermesError('gate', 'The host is down.'))
    const events = await review(async () => answer(leak, fact(OTHER)), { gate })
    expect(events.at(-1)).toMatchObject({ type: 'review-failed', error: { code: 'gate' } })
    expect(logged(events)).not.toContain(KEY)
  })

  it('holds no key of an answer that cannot be read', async () => {
    const events = await review(async () => `I would rather not.\nThe token is ${KEY}.`)
    expect(events.at(-1)).toMatchObject({
      type: 'review-failed',
      error: { code: 'unparseable', details: { answer: 'I would rather not.\n[redacted: looks like a secret]' } },
    })
    expect(logged(events)).not.toContain(KEY)
  })

  it('holds no key of the error that the model threw', async () => {
    const events = await review(async () => {
      throw new Error(`Incorrect key provided: ${KEY}`)
    })
    expect(events.at(-1)).toMatchObject({ type: 'review-failed', error: { code: 'model' } })
    expect(logged(events)).not.toContain(KEY)
  })
})

/** The agent's tools on a storage that does not respond: they return within the time limit of a turn and claim nothing unknown. */
/** Holds all calls until `wake`. */
const sleeping = (storage: StorageBackend) => {
  let wake: () => void = () => {}
  const awake = new Promise<void>((resolve) => {
    wake = resolve
  })
  const asleep: StorageBackend = {
    ...storage,
    read: (paths) => awake.then(() => storage.read(paths)),
    update: (paths, plan, options) => awake.then(() => storage.update(paths, plan, options)),
    list: (prefix) => awake.then(() => storage.list(prefix)),
  }
  return { asleep, wake: () => wake() }
}

const sessions = { loadTimeoutMs: 20 }

describe('a tool on a storage that hangs', () => {
  it('does not know whether a note was saved, says so, and tells the operator', async () => {
    const storage = inMemoryBackend()
    const { asleep, wake } = sleeping(storage)
    const { hermes, events } = openHome(asleep, { sessions })
    const note = { action: 'add', target: 'memory', content: 'The repo builds with pnpm 12.' }
    const answer = await callTool(hermes.session('one'), 'memory', note, [user('remember: The repo builds with pnpm 12.')])
    expect(answer).toMatchObject({ success: false, done: true, code: 'timeout', error: expect.stringContaining('not known whether') })
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'storage-failed', operation: 'memory tool', error: expect.objectContaining({ code: 'timeout' }) }),
    )
    wake()
    await hermes.settled()
    expect(await openHome(storage).hermes.session('two').systemBlock()).toContain('The repo builds with pnpm 12.')
  })
})
