/** One session as a whole: its events, its work behind the turn, and what its parts are wired to. */
import { manualClock } from '@hermes/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { START, sessionHome } from '../../test/support/session-home.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import type { MemoryWrite } from '../memory/memory-store-options.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { fenceContext } from '../provider/context-fence.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import { HermesError, type HermesErrorCode } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { createActivity } from './background-tasks.ts'
import { type HermesEvent, operatorWarning, wiringEvent } from './hermes-event.ts'
import { HomeSession } from './home-session.ts'
import { memoryStores } from './memory-stores.ts'
import type { CompletedTurn, SessionCheckpoint, StepEnd, SwitchReason } from './session.ts'
import type { OwnedSession, SessionHome, SessionOptions, SessionReviews } from './session-home.ts'

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
  const opened = new HomeSession({ ...home, reviews: async () => ok(reviews) }, id, { checkpoint })
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

describe('the record of a session', () => {
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
})

it('names what the host did wrong with the work that it is handed, and goes on', async () => {
  const cause = new Error('no request')
  const background = () => {
    throw cause
  }
  const { session, events, record } = open({ background })
  session.recordTurn({ messages: TURN })
  await session.settled()
  expect(events).toContainEqual({
    type: 'host-failed',
    sessionId: 'one',
    at: START,
    operation: 'background',
    error: expect.objectContaining({ code: 'invalid', cause }),
  })
  expect(await record()).toMatchObject({ userTurns: 1 })
})

describe('a slow storage', () => {
  const hangs = () => new Promise<never>(() => {})

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
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

it.each([
  ['is the assistant’s own, also in another process', {}, false],
  ['of a nested run is none of this conversation', { nested: true }, true],
])('the beginning of an answer that was interrupted %s', async (_, about, isOutside) => {
  const storage = inMemoryBackend()
  const { session } = open({}, storage)
  const prompt = [user('Which port?')]
  session.beginStep(prompt, about)
  session.noteInterrupted(prompt, [assistant('The port is 4711, and')])
  await session.settled()
  const shown = [user('Which port?'), assistant('The port is 4711, and'), user('Go on.')]
  const { session: other, record } = open({}, storage)
  other.beginStep(shown)
  other.endStep({ prompt: shown, calledTools: false, turnFinished: true, reply: [assistant('It is.')] })
  await other.settled()
  expect((await record())?.tainted ?? false).toBe(isOutside)
})

describe('the end of a conversation', () => {
  it('of a session that was never opened is asked about all the same', async () => {
    const { session, reviewed } = open()
    await session.end()
    expect(reviewed).toEqual([[{ why: 'end', saved: undefined, shown: undefined, minTurns: undefined }, expect.anything()]])
  })
})

/** What a session does with each report of a host: what it counts, records, tells and refuses. */
describe('home session steps', () => {
  const prompt = [user('hello')]
  const end: StepEnd = { prompt, turnFinished: true, calledTools: false, reply: [assistant('hi')] }

  const open = ({ hasProvider = true } = {}) => {
    const told: (readonly unknown[])[] = []
    const tell =
      (name: string) =>
      async (...given: readonly unknown[]) => {
        told.push([name, ...given])
        return 'Keep the port.'
      }
    const provider = {
      name: 'notes',
      serves: () => true,
      promptBlock: () => '',
      tools: [],
      turnFinished: tell('turn'),
      sessionEnded: tell('ended'),
      sessionSwitched: tell('switched'),
      beforeCompress: tell('compress'),
    } as unknown as ProviderConnection
    let activities = 0
    const activity = {
      lastStepAt: undefined,
      note: () => {
        activities++
        return undefined
      },
    }
    const inherited: (readonly [string, boolean])[] = []
    const other = (id: string) =>
      ({ id, goesOn: async (tainted: Promise<boolean>) => inherited.push([id, await tainted]) }) as unknown as OwnedSession
    const { home, of, recordOf, storage } = sessionHome({ activity, session: other, ...(hasProvider ? { provider } : {}) })
    const session = new HomeSession(home, 'one', undefined)
    const misuses = () => of('host-failed').map(({ operation, error }) => [operation, error.message] as const)
    const turns = () => told.flatMap(([name, turn]) => (name === 'turn' ? [turn] : []))
    return { session, told, turns, inherited, misuses, recordOf, storage, activities: () => activities }
  }

  describe('a report that is not valid', () => {
    const bad = [{ role: 'nobody', text: 'x' }] as never

    const refused = async (report: (session: HomeSession) => void, method: string, message: RegExp) => {
      const { session, misuses, recordOf, activities } = open()
      report(session)
      await session.settled()
      expect(misuses()).toEqual([[method, expect.stringMatching(message)]])
      expect(misuses()[0]?.[1]).toMatch(/Nothing was counted\.$/)
      expect([await recordOf(), activities()]).toEqual([undefined, 0])
    }

    it.each([undefined, bad])('of a prompt is refused: %o', (given) =>
      refused((session) => session.beginStep(given as never), 'beginStep', /list of messages/),
    )

    it.each([
      [undefined, /endStep takes an object/],
      ['a step', /endStep takes an object/],
      [{ ...end, turnFinished: 1 }, /'turnFinished' and 'calledTools'/],
      [{ ...end, calledTools: undefined }, /'turnFinished' and 'calledTools'/],
      [{ ...end, reply: 'hi' }, /'reply' must be a list/],
      [{ ...end, prompt: bad }, /'prompt' must be a list/],
      [{ ...end, model: 'gpt' }, /'model' must be a function/],
    ])('of the end of a step is refused: %o', (step, message) => refused((session) => session.endStep(step as StepEnd), 'endStep', message))

    it.each([
      [null, /recordTurn takes an object/],
      [{}, /'messages' must be a list/],
      [{ messages: prompt, before: bad }, /'before' must be a list/],
      [{ messages: prompt, toolIterations: -1 }, /'toolIterations' must be a whole number, 0 or more/],
      [{ messages: prompt, toolIterations: 1.5 }, /'toolIterations'/],
      [{ messages: prompt, model: {} }, /'model' must be a function/],
    ])('of a turn is refused: %o', (turn, message) =>
      refused((session) => session.recordTurn(turn as CompletedTurn), 'recordTurn', message),
    )

    it('of an interrupted call is refused', () =>
      refused((session) => session.noteInterrupted(prompt, 'half' as never), 'noteInterrupted', /'prompt' and 'reply' must be a list/))
  })

  describe('the memory provider of a session', () => {
    it('is asked before a host compacts its context, without recalled text, and told that the session ended', async () => {
      const { session, told } = open()
      const messages = [user(`hello\n${fenceContext('recalled')}`), { ...assistant('hi'), toolNames: ['look'] }]
      expect(await session.beforeCompress(messages)).toBe('Keep the port.')
      const shown = [
        { role: 'user', text: expect.stringMatching(/^hello\s*$/) },
        { role: 'assistant', text: 'hi' },
      ]
      await session.settled()
      expect(told).toStrictEqual([
        ['compress', { sessionId: 'one' }, shown],
        ['ended', { sessionId: 'one' }],
      ])
    })

    it.each([
      ['compress', [['two', true]]],
      ['branch', [['two', true]]],
      ['new', []],
    ] as const)(
      'is told that the conversation goes on under another id, by %s: text from outside stays in sight unless it begins anew',
      async (reason, taken) => {
        const { session, told, inherited } = open()
        session.goesOn(Promise.resolve(true))
        expect(session.switchTo('two', reason).id).toBe('two')
        expect(told).toEqual([])
        await session.settled()
        expect(told).toEqual([['switched', { from: 'one', to: 'two', reason }]])
        expect(inherited).toEqual(taken)
      },
    )

    it('is told of no switch without a reason', () => {
      const { session } = open()
      expect(() => session.switchTo('two', 'other' as SwitchReason)).toThrow(/^switchTo takes a reason: 'compress', 'branch' or 'new'\.$/)
      expect(session.idle).toBe(true)
    })
  })
})

it('knows in another process, from the first prompt on, what the model asked its tools', async () => {
  const storage = inMemoryBackend()
  const before = open({}, storage)
  const prompt = [user('Look into it')]
  await before.session.systemBlock()
  before.session.beginStep(prompt)
  before.session.noteToolCall({ id: 'call', name: 'ask', input: { question: 'I live on Mars.' }, prompt })
  before.session.endStep({ prompt, turnFinished: false, calledTools: true, reply: [] })
  await before.session.settled()
  const after = open({}, { ...storage })
  const asked = [user('I live on Mars.')]
  await after.session.systemBlock()
  after.session.beginStep(asked)
  after.session.endStep({ prompt: asked, turnFinished: true, calledTools: false, reply: [assistant('So be it.')] })
  await after.session.settled()
  expect(await after.record()).toMatchObject({ userTurns: 0, turnOpen: true, unread: [] })
})

it('knows the last step at once, and has something to write only now and then', () => {
  const clock = manualClock()
  const activity = createActivity({ storage: inMemoryBackend(), clock })
  expect(activity.lastStepAt).toBeUndefined()
  expect(activity.note()).toBeDefined()
  expect(activity.note()).toBeUndefined()
  clock.advance(599_999)
  expect(activity.note()).toBeUndefined()
  expect(activity.lastStepAt).toBe(clock())
  clock.advance(1)
  expect(activity.note()).toBeDefined()
})

it('writes again after the clock was put back', () => {
  const clock = manualClock()
  const activity = createActivity({ storage: inMemoryBackend(), clock })
  activity.note()
  clock.advance(-60_000)
  expect(activity.note()).toBeDefined()
})

const lines: string[] = []

beforeEach(() => {
  lines.length = 0
  vi.spyOn(console, 'warn').mockImplementation((...words) => lines.push(words.join(' ')))
})

afterEach(() => vi.restoreAllMocks())

const failed = (type: string, code: HermesErrorCode): HermesEvent =>
  ({ type, sessionId: 'one', at: 1, operation: 'background', error: new HermesError(code, 'It broke.') }) as HermesEvent

it.each<[string, HermesEvent, boolean]>([
  ['code of the host failed', failed('host-failed', 'invalid'), true],
  ['a storage refuses writes', failed('storage-failed', 'unwritable'), true],
  ['a storage was slow', failed('storage-failed', 'timeout'), false],
  ['a call was wired wrongly', failed('wiring-failed', 'io'), false],
  ['a session begins', { type: 'session-started', sessionId: 'one', at: 1 } as unknown as HermesEvent, false],
])('warns once if %s: %s', (_, event, warns) => {
  const warn = operatorWarning(inMemoryBackend())
  for (let time = 0; time < 2; time++) warn(event)
  expect(lines).toEqual(warns ? [expect.stringContaining('It broke. Pass the option')] : [])
})

const failure = { mistake: 'missing-session', message: 'Name a session.' } as const
const clock = () => 5

it('the event of a wiring mistake names the session of the call, if it has one, and the cause, if there is one', () => {
  const event = { type: 'wiring-failed', at: 5, mistake: 'missing-session', error: new HermesError('invalid', 'Name a session.') }
  expect(wiringEvent(failure, clock)).toStrictEqual(event)
  expect(wiringEvent(failure, clock, 'one')).toStrictEqual({ ...event, sessionId: 'one' })
  const cause = new Error('why')
  const caused = wiringEvent({ ...failure, cause }, clock)
  expect(caused.type === 'wiring-failed' && caused.error.cause).toBe(cause)
  const plain = wiringEvent(failure, clock)
  expect(plain.type === 'wiring-failed' && 'cause' in plain.error).toBe(false)
})

describe('the event of a write', () => {
  const entry = { text: 'old' }

  it.each([
    ['an entry was added', [1, 0, 0], true],
    ['one was removed', [0, 1, 0], true],
    ['one was replaced', [1, 1, 0], true],
    ['one made room for another', [1, 0, 1], true],
    ['nothing changed', [0, 0, 0], false],
  ])('is sent if %s', (_, [added = 0, removed = 0, evicted = 0], isSent) => {
    const events: HermesEvent[] = []
    const stores = memoryStores({ options: { storage: inMemoryBackend() }, clock: () => 5, emit: (event) => events.push(event) })
    const changes = {
      added: Array.from({ length: added }, () => 'new'),
      removed: Array.from({ length: removed }, () => entry),
      evicted: Array.from({ length: evicted }, () => entry),
    }
    stores.tell({ target: 'user', changes } as unknown as MemoryWrite, { actor: 'host', sessionId: 'one' })
    const event = { type: 'memory-changed', at: 5, sessionId: 'one', actor: 'host', target: 'user', ...changes }
    expect(events).toEqual(isSent ? [event] : [])
  })
})
