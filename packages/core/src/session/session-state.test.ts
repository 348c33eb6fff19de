import { manualClock } from '@hermes/testing'
import { describe, expect, it, vi } from 'vitest'
import { sessionHome } from '../../test/support/session-home.ts'
import { REVIEW_STATE_PATH } from '../nudge/review-state.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { loadRecord } from './load-record.ts'
import { recordRedactor } from './record-redaction.ts'
import type { SessionCheckpoint } from './session.ts'
import { sessionPath } from './session-record.ts'
import { SessionState } from './session-state.ts'
import { ToolTrust } from './tool-trust.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })
const SAYS_ZEBRA = [user('zebra'), assistant('Fine.')]
const SAYS_TEA = [user('tea'), assistant('Good.')]
const SAYS_MILK = [user('milk'), assistant('Noted.')]
const INTERVALS = { memoryInterval: 10, skillInterval: 10 }

const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

interface Options {
  readonly keepText?: boolean
  readonly storage?: StorageBackend
  readonly memoryInterval?: number
  readonly checkpoint?: SessionCheckpoint
}

/** A storage that can be told to fail, or to make its updates wait. */
const open = async ({ keepText = true, storage: inner = inMemoryBackend(), memoryInterval = 10, checkpoint }: Options = {}) => {
  const disk = { isFull: false, waits: Promise.resolve(), updates: 0 }
  const storage: StorageBackend = {
    ...inner,
    update: async (paths, plan, options) => {
      disk.updates++
      await disk.waits
      return disk.isFull ? err(new HermesError('no_space', 'The disk is full.')) : inner.update(paths, plan, options)
    },
  }
  const intervals = { ...INTERVALS, memoryInterval }
  const { home } = sessionHome({ storage, clock: manualClock(1_000), options: { intervals, keepText } }, inner)
  const found = await loadRecord(home, { id: 'one', checkpoint, freeze: async () => ({ text: 'the frozen text', isStorable: true }) })
  const store = new SessionState(home, found, new ToolTrust([]))
  const stored = async () => new TextDecoder().decode(unwrap(await readDocument(inner, sessionPath('one')))?.bytes)
  const record = async () => JSON.parse(await stored())
  const reading = async () => {
    const state = JSON.parse(new TextDecoder().decode(unwrap(await readDocument(inner, REVIEW_STATE_PATH))?.bytes))
    return state.sessions[0]
  }
  return { store, disk, storage: inner, stored, record, reading }
}

describe('a session that is forgotten', () => {
  it.each([true, false])('still knows whether text from outside was in sight: %s', async (tainted) => {
    const { store } = await open()
    if (tainted) store.taint()
    store.recordTurn(SAYS_ZEBRA, 0)
    await store.forget()
    expect(await store.isTainted()).toBe(tainted)
  })

  it('waits for the save under way, which stores nothing', async () => {
    const { store, disk, storage } = await open()
    store.recordTurn(SAYS_ZEBRA, 0)
    let goOn: () => void = () => {}
    disk.waits = new Promise((resolve) => {
      goOn = resolve
    })
    const before = disk.updates
    const saving = store.save()
    await vi.waitFor(() => expect(disk.updates).toBe(before + 1))
    let isForgotten = false
    const forgetting = store.forget().then(() => {
      isForgotten = true
    })
    for (let turn = 0; turn < 50; turn++) await Promise.resolve()
    expect(isForgotten).toBe(false)
    goOn()
    await forgetting
    expect(unwrap(await saving).counts).toBeUndefined()
    expect(new TextDecoder().decode(unwrap(await readDocument(storage, sessionPath('one')))?.bytes)).not.toContain('zebra')
  })
})

const ZEBRA = {
  matches: (text: string) => text.includes('zebra'),
  cut: (text: string) => text.replaceAll('zebra', '(erased)'),
}

describe('a text that is erased', () => {
  it.each<[string, (session: Awaited<ReturnType<typeof open>>) => Promise<unknown>]>([
    [
      'a turn that is not saved yet',
      async ({ store }) => {
        store.recordTurn(SAYS_ZEBRA, 0)
        store.recordTurn(SAYS_TEA, 0)
      },
    ],
    [
      'a turn that could not be saved',
      async ({ store, disk }) => {
        disk.isFull = true
        store.recordTurn(SAYS_ZEBRA, 0)
        store.recordTurn(SAYS_TEA, 0)
        expect((await store.save()).ok).toBe(false)
        disk.isFull = false
      },
    ],
    [
      'the history that the host showed first',
      async ({ store }) => {
        const before = [...SAYS_ZEBRA, ...SAYS_MILK]
        expect(store.beginTurn([...before, user('tea')])).toBe(true)
        store.endStep([...before, ...SAYS_TEA], { calledTools: false, turnFinished: true, reply: [] })
      },
    ],
    [
      'what was recalled',
      async ({ store }) => {
        store.noteRecalled({ number: 1, key: 'k', texts: ['zebra'] })
        store.recordTurn(SAYS_TEA, 0)
      },
    ],
  ])('does not come back from %s, and the rest is saved', async (what, say) => {
    for (const keepText of [true, false]) {
      const session = await open({ keepText })
      await say(session)
      session.store.redact(recordRedactor(ZEBRA))
      const { shown = [] } = unwrap(await session.store.save())
      const stored = await session.stored()
      expect(stored).not.toContain('zebra')
      expect(stored.includes('tea')).toBe(keepText)
      if (what.startsWith('the history')) expect(stored.includes('milk')).toBe(keepText)
      expect([...shown, ...(session.store.lastSaved.shown ?? [])].filter(({ text }) => text === 'zebra')).toEqual([])
      expect(shown.map(({ text }) => text)).toContain('tea')
      expect(JSON.stringify(session.store.recalled)).not.toContain('zebra')
    }
  })

  it('leaves what a review would read next, if no text is stored', async () => {
    const { store } = await open({ keepText: false })
    store.recordTurn([...SAYS_ZEBRA, ...SAYS_TEA], 0)
    const { counts } = unwrap(await store.save())
    store.redact(recordRedactor(ZEBRA))
    expect(store.lastSaved).toMatchObject({ counts, shown: [{ ...assistant('Fine.'), outside: true }, ...SAYS_TEA] })
  })

  it('leaves the frozen text too, for this process and for a record that begins anew', async () => {
    const storage = inMemoryBackend()
    const { store, disk, record } = await open({ storage })
    store.replaceBlock('zebra\n§\ntea', undefined)
    store.recordTurn(SAYS_TEA, 0)
    disk.isFull = true
    expect((await store.save()).ok).toBe(false)
    disk.isFull = false
    store.redact(recordRedactor(ZEBRA))
    expect(store.block).toBe('tea')
    unwrap(await store.save())
    expect(await record()).toMatchObject({ block: 'tea' })
  })
})

describe('two processes of one session', () => {
  it('both know that text from outside was in sight', async () => {
    const storage = inMemoryBackend()
    const first = await open({ storage })
    first.store.taint()
    first.store.recordTurn(SAYS_TEA, 0)
    expect(unwrap(await first.store.save())).toMatchObject({ tainted: true })
    const second = await open({ storage })
    expect(await second.store.isTainted()).toBe(true)
    second.store.recordTurn(SAYS_TEA, 0)
    expect(unwrap(await second.store.save())).toMatchObject({ tainted: true })
    const other = await open()
    other.store.recordTurn(SAYS_TEA, 0)
    expect(unwrap(await other.store.save())).toMatchObject({ tainted: false })
  })
})

it('a failed use has the number of its turn, also if another process has saved turns meanwhile', async () => {
  const { store, storage, record } = await open()
  unwrap(await store.save())
  const { store: other } = await open({ storage })
  other.recordTurn(SAYS_TEA, 0)
  unwrap(await other.save())
  store.recordTurn(SAYS_MILK, 1)
  store.noteSkills({ failedUses: [{ skill: 'deploy', tool: 'bash' }] })
  unwrap(await store.save())
  const { unread, failedUses } = await record()
  expect(unread.at(-1)).toMatchObject({ number: 2, messages: SAYS_MILK })
  expect(failedUses).toEqual([{ skill: 'deploy', turn: 2, tool: 'bash' }])
})

describe('the frozen text that is replaced', () => {
  it.each([
    ['before anything was sent', 0, undefined, undefined],
    ['after it was sent', 0, 'the frozen text', { times: 1, at: 1_000, turns: 0 }],
    ['after a turn of another process', 1, undefined, { times: 1, at: 1_000, turns: 1 }],
    ['by the text that was sent', 1, 'new', undefined],
  ])('is a change of the prompt %s', async (_when, turns, shown, changed) => {
    const { store, record } = await open()
    for (let turn = 0; turn < turns; turn++) store.recordTurn(SAYS_TEA, 0)
    store.replaceBlock('new', shown)
    unwrap(await store.save())
    const saved = await record()
    expect(saved.block).toBe('new')
    expect(saved.changed).toEqual(changed)
  })
})

it('adds what other processes have recalled, and keeps its own', async () => {
  const storage = inMemoryBackend()
  const first = await open({ storage })
  const second = await open({ storage })
  first.store.noteRecalled({ number: 1, key: 'a', texts: ['tea'] })
  first.store.noteRecalled({ number: 2, key: 'c', texts: ['tea'] })
  first.store.recordTurn(SAYS_TEA, 0)
  unwrap(await first.store.save())
  for (const [number, key] of [
    [1, 'a'],
    [2, 'a'],
    [1, 'c'],
    [3, 'd'],
  ] as const)
    second.store.noteRecalled({ number, key, texts: ['milk'] })
  await second.store.reloadRecalled()
  expect(second.store.recalled.map(({ number, key }) => `${number} ${key}`)).toEqual(['1 a', '2 c', '2 a', '1 c', '3 d'])
  await second.store.forget()
  await second.store.reloadRecalled()
  expect(second.store.recalled).toEqual([])
})

it.each([
  ['in it', [user('Look.'), { role: 'tool', text: 'The page.' }, assistant('Done.')] as const, true],
  ['nowhere', SAYS_TEA, false],
])('knows of text from outside in a turn that could not be saved: %s', async (_where, turn, tainted) => {
  const { store, disk } = await open()
  disk.isFull = true
  store.recordTurn(turn, 0)
  expect(await store.isTainted()).toBe(tainted)
  expect((await store.save()).ok).toBe(false)
  expect(await store.isTainted()).toBe(tainted)
})

describe('the save of a turn', () => {
  const step = { calledTools: true, turnFinished: false, reply: [] }

  it('is one update of the record and of the review state', async () => {
    const { store, disk, record, reading } = await open()
    const before = disk.updates
    store.recordTurn(SAYS_TEA, 2)
    expect(unwrap(await store.save(7))).toMatchObject({
      asked: { answer: { kind: 'nothing-due', unreadTurns: 1 }, state: { days: [{ host: 7 }] } },
    })
    expect(disk.updates).toBe(before + 1)
    expect(await record()).toMatchObject({ userTurns: 1, iterations: 2 })
    expect(await reading()).toMatchObject({ id: 'one', turns: 1, iterations: 2, kept: 1, asked: { turns: 0, iterations: 0 } })
  })

  it('asks for no review before a turn has finished, and counts its steps all the same', async () => {
    const { store, storage, reading } = await open()
    store.beginTurn([user('tea')])
    store.endStep([user('tea'), assistant('I look.')], step)
    expect(unwrap(await store.save()).asked).toBeUndefined()
    expect(unwrap(await readDocument(storage, REVIEW_STATE_PATH))).toBeUndefined()
    store.endStep([user('tea'), assistant('Good.')], { ...step, turnFinished: true })
    expect(unwrap(await store.save()).asked).toMatchObject({ answer: { kind: 'nothing-due' } })
    expect(await reading()).toMatchObject({ turns: 1, iterations: 2, asked: { iterations: 0 } })
  })

  it('goes on where the home knows that turns were read, whatever this process has seen', async () => {
    const { store, record, reading, storage } = await open()
    store.recordTurn(SAYS_TEA, 0)
    unwrap(await store.save())
    const { counts } = sessionHome({ storage })
    await counts.update([], (state) => ({
      state: { ...state, sessions: state.sessions.map((each) => ({ ...each, read: { words: 1, everything: 1, skills: 1 } })) },
      value: undefined,
    }))
    store.recordTurn(SAYS_MILK, 0)
    unwrap(await store.save())
    const { unread } = await record()
    expect(unread.map(({ number }: { number: number }) => number)).toEqual([2])
    expect(await reading()).toMatchObject({ turns: 2, read: { words: 1 }, kept: 1 })
  })

  it('takes the turns before the first that it keeps for read if the home has lost its marks', async () => {
    const { store, storage, reading } = await open()
    for (const said of [SAYS_TEA, SAYS_MILK]) {
      store.recordTurn(said, 1)
      unwrap(await store.save())
    }
    unwrap(await updateDocument(storage, REVIEW_STATE_PATH, () => undefined))
    store.recordTurn(SAYS_TEA, 1)
    unwrap(await store.save())
    expect(await reading()).toMatchObject({ turns: 3, asked: { turns: 0, iterations: 2 }, read: { words: 0 }, kept: 3 })
  })
})
