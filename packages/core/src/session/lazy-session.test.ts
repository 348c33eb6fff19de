/** Opening and saving a session: the frozen text of its prompts, whatever the storage does, and when it is saved. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type SessionHomeChange, sessionHome } from '../../test/support/session-home.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { LazySession } from './lazy-session.ts'
import { SessionContext } from './session-context.ts'
import type { OwnedSession, SessionReviews } from './session-home.ts'
import { sessionPath } from './session-record.ts'
import { Sessions } from './sessions.ts'

const io = async () => err(new HermesError('io', 'The disk is broken.'))
const never = () => new Promise<never>(() => {})
const TURN = [
  { role: 'user', text: 'hello' },
  { role: 'assistant', text: 'hi' },
] as const

interface Options extends SessionHomeChange {
  readonly turnSaved?: SessionReviews['turnSaved']
}

/** `disk`: overrides of the storage, which can be set and deleted. */
const open = ({ turnSaved, ...change }: Options = {}, inner: StorageBackend = inMemoryBackend()) => {
  const disk: Partial<StorageBackend> = {}
  const calls: string[] = []
  const storage: StorageBackend = {
    ...inner,
    read: (paths) => {
      if (paths.includes(sessionPath('one'))) calls.push('read')
      return (disk.read ?? inner.read)(paths)
    },
    update: (paths, plan, options) => {
      if (paths.includes(sessionPath('one'))) calls.push('update')
      return (disk.update ?? inner.update)(paths, plan, options)
    },
  }
  const {
    home,
    reviews: real,
    of,
    recordOf,
  } = sessionHome({ storage, ...change, options: { loadTimeoutMs: 1_000, ...change.options } }, inner)
  const reviews: SessionReviews = {
    turnSaved: turnSaved ?? ((...saved) => real.turnSaved(...saved)),
    review: (...asked) => real.review(...asked),
  }
  const context = new SessionContext({ ...home, reviews: async () => ok(reviews) }, 'one')
  const opened = new LazySession(context, undefined)
  const remember = (content: string) => new MemoryStore({ storage: inner }).apply('memory', { action: 'add', content }, { origin: 'user' })
  const failures = () => of('storage-failed').map(({ operation, error }) => `${operation}: ${error.code}`)
  const say = () => {
    opened.whenReady((state) => {
      state.recordTurn(TURN, 0)
      opened.saves.request()
    })
  }
  return { opened, context, disk, calls, remember, failures, of, recordOf, say, inner }
}

describe('a session that answers too late', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('runs without its text, waits no more, and says so once, until its text is frozen anew', async () => {
    const { opened, disk, failures, inner, remember } = open()
    await remember('Repo builds with pnpm')
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    disk.read = async (paths) => {
      if (paths.includes(sessionPath('one'))) await answered
      return inner.read(paths)
    }
    const blocks = Promise.all([opened.systemBlock(), opened.systemBlock()])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await blocks).toEqual(['', ''])
    answer()
    await opened.ready()
    expect(await opened.systemBlock()).toBe('')
    expect(await opened.whenOpen()).toBeUndefined()
    expect(failures()).toEqual(['load session: timeout'])
    expect(await opened.refresh()).toContain('Repo builds with pnpm')
    expect(await opened.systemBlock()).toContain('Repo builds with pnpm')
  })

  it('cannot freeze its text anew', async () => {
    const { opened, disk } = open()
    disk.read = never
    const fresh = opened.refresh()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await fresh).toBe('')
  })
})

it('counts in order what is reported while the session opens and as soon as it is open', async () => {
  const { opened, context } = open()
  const order: string[] = []
  opened.whenReady(() => order.push('begin'))
  await opened.ready()
  opened.whenReady(() => order.push('end'))
  await context.tasks.settled()
  expect(order).toEqual(['begin', 'end'])
})

describe('a text that is frozen anew', () => {
  it('replaces the one that was shown, which counts as a change', async () => {
    const { opened, context, remember, recordOf } = open()
    await opened.systemBlock()
    await remember('Repo builds with pnpm')
    const fresh = await opened.refresh()
    expect(fresh).toContain('Repo builds with pnpm')
    expect(await opened.systemBlock()).toBe(fresh)
    await context.tasks.settled()
    expect(await recordOf()).toMatchObject({ block: fresh, changed: { times: 1 } })
  })

  it('is not taken if a part of it cannot be read: the old one stays', async () => {
    const { opened, remember, disk } = open()
    await remember('Repo builds with pnpm')
    const block = await opened.systemBlock()
    disk.read = io
    expect(await opened.refresh()).toBe(block)
    expect(await opened.systemBlock()).toBe(block)
  })
})

describe('the save of a session', () => {
  it('starts after everything that delays the answer, once for all that ask meanwhile', async () => {
    const { opened, context, calls, say } = open()
    await opened.ready()
    await context.tasks.settled()
    calls.length = 0
    for (let turn = 0; turn < 5; turn++) say()
    for (let waited = 0; waited < 200; waited++) await Promise.resolve()
    expect(calls).toEqual([])
    await context.tasks.settled()
    expect(calls.filter((call) => call === 'update')).toHaveLength(1)
  })

  it('goes on while the review runs that fell due with a save, and a review that crashes is reported', async () => {
    let crash: (cause: Error) => void = () => {}
    const underWay = new Promise<void>((_, reject) => {
      crash = reject
    })
    const { opened, context, failures, recordOf, say } = open({ turnSaved: async () => () => underWay })
    await opened.ready()
    say()
    await expect.poll(async () => (await recordOf())?.userTurns).toBe(1)
    say()
    await expect.poll(async () => (await recordOf())?.userTurns).toBe(2)
    crash(new Error('boom'))
    await context.tasks.settled()
    expect(failures()).toEqual(['background: io', 'background: io'])
  })
})

describe('the host’s tokens', () => {
  const count = async (budget: number | undefined, ...calls: readonly unknown[]) => {
    const hosts: unknown[] = []
    const { opened, context, say } = open({
      options: { limits: { budget, maxTokensPerDay: undefined } },
      turnSaved: async ({ state }) => {
        hosts.push(state.days.at(-1)?.host)
        return undefined
      },
    })
    await opened.ready()
    for (const usage of calls) {
      const said = [
        { role: 'user', text: '12345' },
        { role: 'assistant', text: '6789' },
      ] as const
      opened.saves.countTokens(said, usage)
      say()
      await context.tasks.settled()
    }
    return hosts
  }

  it('are those that the provider reports, otherwise one for four characters, each counted once', async () => {
    const calls = [{ inputTokens: 100, outputTokens: 20 }, undefined, { outputTokens: 7 }, { inputTokens: 5 }]
    expect(await count(0.1, ...calls)).toEqual([120, 123, 130, 135])
  })

  it('are counted without a budget too, so that the share of reviews is known', async () => {
    expect(await count(undefined, { inputTokens: 100, outputTokens: 20 })).toEqual([120])
  })
})

const stub = (id: string, idle = true): OwnedSession => ({
  id,
  idle,
  isOf: () => true,
  offerTools: () => [],
  systemBlock: async () => '',
  refresh: async () => '',
  noteInterrupted: () => undefined,
  recall: async () => [],
  beforeCompress: async () => '',
  switchTo: (to) => stub(to),
  noteToolCall: () => undefined,
  reportWiring: () => undefined,
  beginStep: () => {},
  endStep: () => {},
  recordTurn: () => {},
  takeLearned: () => undefined,
  noteLearned: () => {},
  submit: () => Promise.reject(new Error('not used')),
  settled: async () => {},
  end: async () => ({ ok: true, value: { kind: 'nothing-due', unreadTurns: 0 } }),
  forget: async () => {},
  redact: async () => {},
  goesOn: () => {},
})

describe('Sessions', () => {
  it('gives the same handle for the same id', () => {
    const handles = new Sessions((id) => stub(id))
    expect(handles.get('a')).toBe(handles.get('a'))
    expect(handles.get('a')).not.toBe(handles.get('b'))
  })

  it('never drops one that has something unsaved or in progress', () => {
    const handles = new Sessions((id) => stub(id, false), 1)
    const a = handles.get('a')
    handles.get('b')
    expect(handles.get('a')).toBe(a)
  })

  it('are idle once all are', () => {
    const handles = new Sessions((id) => stub(id, id !== 'busy'))
    handles.get('a')
    expect(handles.idle).toBe(true)
    handles.get('busy')
    expect(handles.idle).toBe(false)
  })

  it('take an id of 512 characters, and none that is not text', () => {
    const handles = new Sessions((id) => stub(id))
    expect(handles.get('x'.repeat(512)).id).toHaveLength(512)
    for (const id of [undefined, null, 7, ['a']]) expect(() => Reflect.apply(handles.get, handles, [id])).toThrow('non-empty string')
  })

  it.each([
    ['', 'empty'],
    ['x'.repeat(513), '512'],
    ['\ud800', 'half'],
  ])('refuses an id that cannot be one', (id, why) => {
    expect(() => new Sessions((id) => stub(id)).get(id)).toThrow(why)
  })
})
