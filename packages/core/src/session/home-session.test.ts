/** One session as a whole: its events, its work behind the turn, and what its parts are wired to. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { START, sessionHome } from '../../test/support/session-home.ts'
import { isSameHome } from '../homes/owner.ts'
import { createJournal } from '../journal/journal.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { HomeSession } from './home-session.ts'
import type { SessionCheckpoint } from './session.ts'
import type { OwnedSession, SessionHome, SessionOptions, SessionReviews } from './session-home.ts'
import { sessionOfCall } from './session-nesting.ts'
import { sessionPath } from './session-record.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })
const TURN = [user('hello'), assistant('hi')]

const io = () => err(new HermesError('io', 'The disk is broken.'))

interface Change extends Partial<Omit<SessionHome, 'options' | 'reviews'>>, Partial<SessionOptions> {
  readonly id?: string
  readonly checkpoint?: SessionCheckpoint
}

const OPTIONS = [
  'keepText',
  'retainDays',
  'journalRetainDays',
  'loadTimeoutMs',
  'recallChars',
  'trustedTools',
  'background',
  'limits',
] as const

/** A session whose reviews note what they are asked. */
const open = ({ id = 'one', checkpoint, ...change }: Change = {}, inner: StorageBackend = inMemoryBackend()) => {
  const saved: unknown[] = []
  const reviewed: unknown[] = []
  const others: (readonly [id: string, tainted: Promise<boolean>])[] = []
  const session = (other: string) =>
    ({ id: other, goesOn: (tainted: Promise<boolean>) => others.push([other, tainted]) }) as unknown as OwnedSession
  const options = Object.fromEntries(OPTIONS.flatMap((name) => (name in change ? [[name, change[name]]] : [])))
  const { home, events, of, recordOf, storage, clock } = sessionHome({ storage: inner, session, ...change, options }, inner)
  const reviews: SessionReviews = {
    turnSaved: async (...given) => {
      saved.push(given)
      return undefined
    },
    review: async (...given) => {
      reviewed.push(given)
      return ok({ kind: 'nothing-due', unreadTurns: 0 })
    },
  }
  const opened = new HomeSession({ ...home, reviews: async () => ok(reviews) }, id, checkpoint)
  return { session: opened, events, of, saved, reviewed, others, record: recordOf, storage, clock }
}

/** The work that a session hands to its host, without asking it to settle, which would save what is unsaved. */
const handedOver = () => {
  const tasks: Promise<unknown>[] = []
  const background = (task: Promise<unknown>) => void tasks.push(task)
  const done = async () => {
    for (let at = 0; at < tasks.length; at++) await tasks[at]
  }
  return { background, done }
}

const remember = (storage: StorageBackend, content: string) =>
  new MemoryStore({ storage }).apply('memory', { action: 'add', content }, { origin: 'user' })

describe('the events of a session', () => {
  it('say whether it is new, and how long its frozen text is', async () => {
    const storage = inMemoryBackend()
    await remember(storage, 'Repo builds with pnpm')
    const first = open({}, storage)
    const block = await first.session.systemBlock()
    await first.session.settled()
    const started = { type: 'session-started', sessionId: 'one', at: START, chars: block.length }
    expect(first.events).toEqual([{ ...started, newSession: true }])
    const next = open({}, storage)
    expect(await next.session.systemBlock()).toBe(block)
    expect(next.events).toEqual([{ ...started, newSession: false }])
  })

  it('name what the host did wrong, what the storage could not do, and a defect', async () => {
    const { session, events } = open({
      memoryOf: (_id, onFailure) => {
        onFailure(new HermesError('unreadable', 'broken'))
        return new MemoryStore({ storage: inMemoryBackend() })
      },
      activity: {
        lastStepAt: undefined,
        note: () => () => {
          throw new Error('a defect')
        },
      },
    })
    session.recordTurn({} as never)
    session.recordTurn({ messages: TURN })
    await session.settled()
    session.reportWiring({ mistake: 'other-session', message: 'Wrong.' })
    const at = { sessionId: 'one', at: START }
    expect(events.filter(({ type }) => type !== 'session-started')).toEqual([
      { ...at, type: 'storage-failed', operation: 'load memory', error: expect.objectContaining({ code: 'unreadable' }) },
      { ...at, type: 'host-failed', operation: 'recordTurn', error: expect.objectContaining({ code: 'invalid' }) },
      {
        ...at,
        type: 'storage-failed',
        operation: 'background',
        error: expect.objectContaining({ code: 'io', message: expect.stringContaining('a defect') }),
      },
      { ...at, type: 'wiring-failed', mistake: 'other-session', error: expect.objectContaining({ message: 'Wrong.' }) },
    ])
  })

  it('name the host’s function for background work if that fails, with the cause', async () => {
    const cause = new Error('outside a request')
    const { session, of } = open({
      background: () => {
        throw cause
      },
    })
    await session.systemBlock()
    await session.settled()
    const [event] = of('host-failed')
    expect(event).toMatchObject({ operation: 'background', error: { code: 'invalid', message: expect.stringContaining("'background'") } })
    expect(event?.error.cause).toBe(cause)
  })

  it('say how many turns found no room', async () => {
    const { session, of } = open()
    for (let turn = 0; turn < 9; turn++) session.recordTurn({ messages: [user('so much to say '.repeat(2_000))] })
    await session.settled()
    const [event] = of('turns-dropped')
    expect(event).toEqual({ type: 'turns-dropped', sessionId: 'one', at: START, turns: expect.any(Number) })
    expect(event?.turns).toBeGreaterThan(0)
  })
})

describe('what was learned', () => {
  it('is not for a call without a person, and stays for the next one', () => {
    const { session } = open()
    const op = { action: 'add', content: 'tea' } as const
    const proposal = { target: 'user', op, rationale: '', score: 1 } as const
    session.noteLearned({ applied: [], rejected: [], failed: [], held: [{ proposal, reason: 'Ask.' }] })
    const [automated, person] = [[user('Run the report.')], [user('hello')]]
    session.beginStep(automated, { automated: true })
    expect(session.takeLearned(automated)).toBeUndefined()
    session.beginStep(person)
    expect(session.takeLearned(person)).toEqual({ learned: [], held: 1 })
  })
})

describe('the record of a session', () => {
  it('is written at once, so that another process finds the same text', async () => {
    const storage = inMemoryBackend()
    await remember(storage, 'Repo builds with pnpm')
    const { session, record } = open({}, storage)
    const block = await session.systemBlock()
    expect(await record()).toMatchObject({ block, userTurns: 0 })
  })

  it('is written behind the first prompt if it could not be written before', async () => {
    const inner = inMemoryBackend()
    let updates = 0
    const update: StorageBackend['update'] = (paths, plan, options) =>
      paths.includes(sessionPath('one')) && ++updates === 1 ? Promise.resolve(io()) : inner.update(paths, plan, options)
    const { background, done } = handedOver()
    const { session, record } = open({ storage: { ...inner, update }, background }, inner)
    await session.systemBlock()
    expect(await record()).toBeUndefined()
    await done()
    expect(await record()).toMatchObject({ userTurns: 0 })
  })

  it('is written behind a text that is frozen anew', async () => {
    const storage = inMemoryBackend()
    const { background, done } = handedOver()
    const { session, record } = open({ background }, storage)
    expect(await session.systemBlock()).toBe('')
    await done()
    await remember(storage, 'Repo builds with pnpm')
    const block = await session.refresh()
    expect(block).toContain('Repo builds with pnpm')
    await done()
    expect(await record()).toMatchObject({ block })
  })

  it('is tidied away with the old ones when a session begins, not when one goes on', async () => {
    const storage = inMemoryBackend()
    const old = JSON.stringify({ updatedAt: 1 })
    await updateDocument(storage, 'sessions/old', () => new TextEncoder().encode(old))
    const has = async () => {
      const found = await readDocument(storage, 'sessions/old')
      return found.ok && found.value !== undefined
    }
    const first = open({}, storage)
    await first.session.systemBlock()
    await first.session.settled()
    expect(await has()).toBe(true)
    const days = 86_400_000
    const next = open({ retainDays: 1, clock: () => 9 * days }, storage)
    await next.session.systemBlock()
    await next.session.settled()
    expect(await has()).toBe(true)
    const other = open({ id: 'two', retainDays: 1, clock: () => 9 * days }, storage)
    await other.session.systemBlock()
    await other.session.settled()
    expect(await has()).toBe(false)
  })

  it('begins with an old journal tidied away', async () => {
    const storage = inMemoryBackend()
    const journalAt = (clock: () => number) => createJournal({ storage, clock, createId: () => 'old' })
    await journalAt(() => START).append([{ actor: 'host', kind: 'applied', reason: 'old' }])
    const later = () => START + 10 * 86_400_000
    const { session } = open({ journalRetainDays: 1, clock: later }, storage)
    await session.systemBlock()
    await session.settled()
    expect(await journalAt(later).list()).toEqual(ok([]))
  })

  it('is saved again if the first save behind a turn failed', async () => {
    const inner = inMemoryBackend()
    let isFull = false
    const refused: (readonly string[])[] = []
    const update: StorageBackend['update'] = (paths, plan, options) => {
      if (!isFull || !paths.includes(sessionPath('one'))) return inner.update(paths, plan, options)
      isFull = false
      refused.push(paths)
      return Promise.resolve(io())
    }
    const { session, record, of } = open({ storage: { ...inner, update } }, inner)
    await session.systemBlock()
    await session.settled()
    isFull = true
    session.recordTurn({ messages: TURN })
    await session.settled()
    expect(refused).toHaveLength(1)
    expect(of('storage-failed')).toMatchObject([{ operation: 'save session' }])
    expect(await record()).toMatchObject({ userTurns: 1 })
  })

  it('is not written if nothing is unsaved', async () => {
    const inner = inMemoryBackend()
    let updates = 0
    const update: StorageBackend['update'] = (paths, plan, options) => {
      if (paths.includes(sessionPath('one'))) updates++
      return inner.update(paths, plan, options)
    }
    const { background, done } = handedOver()
    const { session } = open({ storage: { ...inner, update }, background }, inner)
    await session.settled()
    expect(updates).toBe(0)
    await session.systemBlock()
    await done()
    expect(updates).toBe(1)
    session.recordTurn({ messages: TURN })
    await session.settled()
    const before = updates
    await session.settled()
    expect(updates).toBe(before)
  })

  it('marks results of tools that the host trusts, and keeps what its own tools did in place of what they gave out', async () => {
    const { session, record } = open({ trustedTools: ['clock'] })
    const memory = session.offerTools({ prefix: 'h_' }).find(({ name }) => name === 'h_memory')
    const answer = await memory?.execute({ target: 'memory', action: 'remove', old_text: 'npm' }, { messages: [user('look')] })
    const results = ['h_memory', 'clock', 'fetch'].map((name): TurnMessage => ({ role: 'tool', text: name, toolNames: [name] }))
    const given: TurnMessage = { role: 'tool', text: JSON.stringify(answer, undefined, 1), toolNames: ['h_memory'] }
    session.recordTurn({ messages: [user('look'), given, ...results], toolIterations: 1 })
    await session.settled()
    const messages = (await record())?.unread[0]?.messages ?? []
    expect(messages.map(({ role, text, trusted = false }) => [role, text, trusted])).toEqual([
      ['user', 'look', false],
      ['assistant', '[memory {"target":"memory","action":"remove","old_text":"npm"}: not done: not_found]', false],
      ['tool', 'h_memory', false],
      ['tool', 'clock', true],
      ['tool', 'fetch', false],
    ])
  })
})

describe('a slow storage', () => {
  const hangs = () => new Promise<never>(() => {})

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('of skills does not take the time of memory', async () => {
    const storage = inMemoryBackend()
    await remember(storage, 'Repo builds with pnpm')
    const store = new SkillStore({ storage })
    const { session, of } = open(
      {
        loadTimeoutMs: 1_001,
        skills: {
          store,
          reader: { ...store, list: hangs } as never,
          createUsageStore: () => new UsageStore({ storage }),
          catalog: { charLimit: 1_000, stale: 'mark' },
          shared: [],
        },
      },
      storage,
    )
    session.offerTools()
    const block = session.systemBlock()
    await vi.advanceTimersByTimeAsync(501)
    expect(await Promise.race([block, 'late'])).toContain('Repo builds with pnpm')
    expect(of('storage-failed')).toMatchObject([
      { operation: 'load skills', error: { code: 'timeout', message: expect.stringContaining('501 ms') } },
    ])
  })

  it('that does not write the record in a quarter of the time does not hold up the first prompt', async () => {
    const inner = inMemoryBackend()
    await remember(inner, 'Repo builds with pnpm')
    const { session, of } = open({ storage: { ...inner, update: hangs }, loadTimeoutMs: 1_001 }, inner)
    const block = session.systemBlock()
    await vi.advanceTimersByTimeAsync(251)
    expect(await Promise.race([block, 'late'])).toContain('Repo builds with pnpm')
    expect(of('storage-failed')).toEqual([])
  })

  it('that does not answer leaves the prompt without memory', async () => {
    const inner = inMemoryBackend()
    const { session, of } = open({ storage: { ...inner, read: hangs }, loadTimeoutMs: 1_000 }, inner)
    const block = session.systemBlock()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await Promise.race([block, 'late'])).toBe('')
    expect(of('storage-failed')).toMatchObject([{ operation: 'load session', error: { code: 'timeout' } }])
  })
})

describe('the skills of a session', () => {
  it('report what their usage store finds broken', async () => {
    const storage = inMemoryBackend()
    const store = new SkillStore({ storage })
    const { of } = open({
      skills: {
        store,
        reader: store,
        createUsageStore: (onProblem) => {
          onProblem(new HermesError('unreadable', 'broken'))
          return new UsageStore({ storage })
        },
        catalog: { charLimit: 1_000, stale: 'mark' },
        shared: [],
      },
    })
    expect(of('storage-failed')).toMatchObject([{ operation: 'skill usage', error: { code: 'unreadable' } }])
  })
})

describe('the tools of a session', () => {
  const withSkills = (change: Change = {}) => {
    const storage = inMemoryBackend()
    const store = new SkillStore({ storage })
    const usage = new UsageStore({ storage })
    const home = open(
      {
        skills: { store, reader: store, createUsageStore: () => usage, catalog: { charLimit: 1_000, stale: 'mark' }, shared: [] },
        ...change,
      },
      storage,
    )
    const call = (name: string, input: unknown) => {
      const tool = home.session.offerTools().find((each) => each.name === name)
      return tool?.execute(input, { messages: [user('Keep how to deploy as a skill')] })
    }
    const content = '---\nname: deploy\ndescription: How to deploy\n---\n\n1. Build.\n'
    return { ...home, call, content, store, usage }
  }

  it('note for the next review which skills were loaded', async () => {
    const { session, call, content, store, record } = withSkills()
    await store.create({ name: 'deploy', content })
    expect(await call('skill_view', { name: 'deploy' })).toMatchObject({ success: true })
    await session.settled()
    expect((await record())?.loadedSkills).toEqual(['deploy'])
  })

  it('record the model of the current step with what they write', async () => {
    const { session, call, content, usage } = withSkills()
    session.beginStep([user('Keep how to deploy as a skill')], { modelId: 'model-1' })
    expect(await call('skill_manage', { action: 'create', name: 'deploy', content })).toMatchObject({ success: true })
    await session.settled()
    expect(JSON.stringify(await usage.get('deploy'))).toContain('model-1')
  })
})

describe('activity', () => {
  it('is written behind the turn, if it is due, and a failure is an event', async () => {
    let notes = 0
    let writes = 0
    const { session, of } = open({
      activity: {
        lastStepAt: undefined,
        note: () =>
          notes++ === 0
            ? async () => {
                writes++
                return io()
              }
            : undefined,
      },
    })
    session.recordTurn({ messages: TURN })
    session.recordTurn({ messages: [...TURN, ...TURN] })
    await session.settled()
    expect([notes, writes]).toEqual([2, 1])
    expect(of('storage-failed')).toMatchObject([{ operation: 'record activity', error: { code: 'io' } }])
  })
})

const providerOf = (change: Partial<ProviderConnection> = {}) =>
  ({
    name: 'notes',
    systemPromptBlock: '',
    tools: [],
    turnStarted: () => {},
    recall: async () => [],
    turnFinished: async () => {},
    memoryWritten: async () => {},
    sessionSwitched: async () => {},
    sessionEnded: async () => {},
    beforeCompress: async () => '',
    ...change,
  }) as unknown as ProviderConnection

describe('the memory provider of a session', () => {
  it('adds its text to the prompt', async () => {
    const { session } = open({ provider: providerOf({ systemPromptBlock: 'Notes are here.' }) })
    expect(await session.systemBlock()).toBe('Notes are here.')
  })

  it('is told of no turn after the session was forgotten', async () => {
    const told: string[] = []
    const provider = providerOf({
      turnFinished: async ({ user: said }) => {
        told.push(said)
      },
    })
    const { session, record, storage } = open({ provider })
    session.recordTurn({ messages: TURN })
    await session.settled()
    await session.forget()
    await updateDocument(storage, sessionPath('one'), () => undefined)
    session.recordTurn({ messages: [user('later'), assistant('ok')] })
    await session.settled()
    expect(told).toEqual(['hello'])
    expect(await record()).toBeUndefined()
    expect(await session.systemBlock()).toBe('')
  })

  it('fills a conversation up to a limit, which is an event', async () => {
    const recall = async () => ['x'.repeat(60_000)]
    const { session, of } = open({ provider: providerOf({ recall }), recallChars: 10_000 })
    const first = [user('hello')]
    expect(await session.recall(first)).toHaveLength(1)
    session.beginStep(first)
    session.endStep({ prompt: first, turnFinished: true, calledTools: false, reply: [assistant('hi')] })
    await session.recall([...first, assistant('hi'), user('more')])
    expect(of('recall-full')).toEqual([{ type: 'recall-full', sessionId: 'one', at: START, chars: 60_000 }])
  })

  it('is not late if another process has sent messages that are looked up in time', async () => {
    const { session, of } = open({ provider: providerOf({ recall: async () => ['fact'] }), recallChars: 100 })
    await session.recall([user('hello')])
    await session.recall([user('elsewhere'), assistant('hi'), user('more')])
    await session.settled()
    expect(of('storage-failed')).toEqual([])
  })

  it('is not asked again for what another process has recalled, which is sent as well', async () => {
    const storage = inMemoryBackend()
    const recall = async ({ text }: { readonly text: string }) => [`fact about ${text}`]
    const read: StorageBackend['read'] = async (paths) => {
      await new Promise((resolve) => setImmediate(resolve))
      return storage.read(paths)
    }
    const one = open({ provider: providerOf({ recall }), recallChars: 100, storage: { ...storage, read } }, storage)
    const other = open({ provider: providerOf({ recall }), recallChars: 100 }, storage)
    const prompt: TurnMessage[] = []
    const say = async ({ session }: typeof one, text: string) => {
      prompt.push(user(text))
      const given = [...prompt]
      const sent = await session.recall(given)
      session.beginStep(given)
      const reply = [assistant(`answer to ${text}`)]
      session.endStep({ prompt: given, turnFinished: true, calledTools: false, reply })
      await session.settled()
      prompt.push(...reply)
      return sent.map(({ index }) => index)
    }
    expect(await say(one, 'first')).toEqual([0])
    expect(await say(other, 'second')).toEqual([0, 2])
    expect(await say(one, 'third')).toEqual([0, 2, 4])
  })

  it('recalls nothing inside a tool', async () => {
    const { session } = open({ provider: providerOf({ recall: async () => ['fact'] }), recallChars: 100 })
    expect(await session.recall([user('hello')], { nested: true })).toEqual([])
    expect(await session.recall([user('hello')])).toHaveLength(1)
  })

  it('that throws is a defect, and nothing is recalled', async () => {
    const provider = providerOf({ recall: () => Promise.reject(new Error('a defect')) })
    const { session, of } = open({ provider, recallChars: 100 })
    expect(await session.recall([user('hello')])).toEqual([])
    expect(of('storage-failed')).toMatchObject([{ operation: 'background' }])
  })
})

describe('a session that goes on from another one', () => {
  it.each([
    ['text from outside was in sight', Promise.resolve(true), true],
    ['none was', Promise.resolve(false), false],
  ])('knows that %s, and keeps it', async (_, inherited, tainted) => {
    const { background, done } = handedOver()
    const { session, record } = open({ background })
    session.goesOn(inherited)
    await done()
    expect((await record())?.tainted ?? false).toBe(tainted)
  })

  it('takes text from outside for seen if it cannot be known', async () => {
    const { session, record } = open()
    session.goesOn(Promise.reject(new Error('unknown')))
    await session.settled()
    expect(await record()).toMatchObject({ tainted: true })
  })

  it('hands on what it inherits, once that is known', async () => {
    let tell: (tainted: boolean) => void = () => {}
    const { session, others } = open()
    session.goesOn(
      new Promise((resolve) => {
        tell = resolve
      }),
    )
    await session.systemBlock()
    session.switchTo('two', 'branch')
    tell(true)
    expect(await others[0]?.[1]).toBe(true)
  })
})

describe('the work behind the turn', () => {
  it('keeps the session from being dropped until it is done', async () => {
    const { session } = open()
    expect(session.idle).toBe(true)
    session.recordTurn({ messages: TURN })
    expect(session.idle).toBe(false)
    await session.settled()
    expect(session.idle).toBe(true)
  })

  it('keeps a session with unsaved turns', async () => {
    const inner = inMemoryBackend()
    let isFull = false
    const update: StorageBackend['update'] = async (paths, plan, options) => (isFull ? io() : inner.update(paths, plan, options))
    const { session } = open({ storage: { ...inner, update } }, inner)
    await session.systemBlock()
    await session.settled()
    isFull = true
    session.recordTurn({ messages: TURN })
    await session.settled()
    expect(session.idle).toBe(false)
  })

  it('reports the host’s tokens if learning is limited to a share of them', async () => {
    const tokens = async (budget: number | undefined) => {
      const { session, saved } = open({ limits: { budget, maxTokensPerDay: undefined } })
      session.recordTurn({ messages: TURN, usage: { inputTokens: 7, outputTokens: 2 } })
      await session.settled()
      session.recordTurn({ messages: [...TURN, ...TURN], usage: { outputTokens: 4 } })
      await session.settled()
      return saved
    }
    const days = (host: number) => [{ state: { days: [{ host, learning: 0 }] } }, { saved: { id: 'one' } }, { sessionId: 'one' }]
    expect(await tokens(0.1)).toMatchObject([days(9), days(13)])
    const none = [{ state: { days: [] } }, {}, {}]
    expect(await tokens(undefined)).toMatchObject([none, none])
  })
})

describe('the end of a conversation', () => {
  it('is told to the provider and reviewed when all is saved', async () => {
    const order: string[] = []
    const provider = providerOf({
      sessionEnded: async (id) => {
        order.push(`ended ${id}`)
      },
    })
    const { session, reviewed, record } = open({ provider, keepText: false })
    const model = async () => ''
    const { signal } = new AbortController()
    session.recordTurn({ messages: TURN, model })
    const ended = await session.end({ minTurns: 4, signal })
    expect(ended).toEqual(ok({ kind: 'nothing-due', unreadTurns: 0 }))
    expect(order).toEqual(['ended one'])
    expect(await record()).toMatchObject({ userTurns: 1 })
    expect(reviewed).toEqual([
      [
        { why: 'end', saved: expect.objectContaining({ id: 'one', turns: 1 }), shown: TURN, minTurns: 4 },
        { sessionId: 'one', model, signal },
      ],
    ])
  })

  it('shows a review results of trusted tools as such, if no text is stored', async () => {
    const { session, reviewed } = open({ keepText: false, trustedTools: ['clock'] })
    const result: TurnMessage = { role: 'tool', text: 'noon', toolNames: ['clock'] }
    session.recordTurn({ messages: [user('what time is it'), result], toolIterations: 1 })
    await session.end()
    expect(reviewed).toMatchObject([[{ shown: [{ text: 'what time is it' }, { text: 'noon', trusted: true }] }, {}]])
  })

  it('of a session that was never opened is asked about all the same', async () => {
    const { session, reviewed } = open()
    await session.end()
    expect(reviewed).toEqual([[{ why: 'end', saved: undefined, shown: undefined, minTurns: undefined }, expect.anything()]])
  })

  it('is waited for, and keeps the session', async () => {
    let letGo = () => {}
    const waits = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const provider = providerOf({ sessionEnded: () => waits })
    const { session, reviewed } = open({ provider })
    const ending = session.end()
    let isSettled = false
    const settled = session.settled().then(() => {
      isSettled = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect([isSettled, session.idle, reviewed]).toEqual([false, false, []])
    letGo()
    await Promise.all([ending, settled])
    expect(session.idle).toBe(true)
    expect(reviewed).toHaveLength(1)
  })
})

describe('a session that is forgotten', () => {
  it('owns none of its tool calls any more', async () => {
    const home = { storage: {} }
    const { session } = open({ identity: home })
    const prompt = [user('look')]
    session.beginStep(prompt)
    session.noteToolCall({ id: 'c1', name: 'memory', input: {}, prompt })
    const ownerOfCall = () => sessionOfCall({ id: 'c1', name: 'memory' }, (other) => isSameHome(home, other), { runs: false })
    expect(ownerOfCall()).toMatchObject({ sessionId: 'one' })
    await session.forget()
    expect(ownerOfCall()).toBeUndefined()
  })
})
