import { describe, expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import type { Session } from '../../src/session/session.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { endsWithin } from '../support/ends-within.ts'
import { assistant, openHome, user } from './open-home.ts'
import { recordingModel } from './recording-model.ts'

const say = (session: Session, model: HostModel, ...texts: readonly string[]) => {
  for (const text of texts) session.recordTurn({ messages: [user(text), assistant('Fine.')], model })
}

describe('a review that is asked for', () => {
  it('is made by the model it is given, before that of the options and of the turns', async () => {
    const asked: string[] = []
    const named =
      (name: string): HostModel =>
      async () => {
        asked.push(name)
        return '{"proposals":[]}'
      }
    const { hermes } = openHome(inMemoryBackend(), { review: { model: named('options') } })
    const session = hermes.session('one')
    say(session, named('turn'), 'one', 'two', 'three')
    await hermes.settled()
    expect(await hermes.review({ model: named('given') })).toMatchObject({ ok: true, value: { kind: 'reviewed' } })
    say(session, named('turn'), 'four', 'five', 'six')
    await hermes.settled()
    expect(await hermes.review()).toMatchObject({ ok: true, value: { kind: 'reviewed' } })
    expect(asked).toEqual(['given', 'options'])
  })
})

describe('hermes.review', () => {
  it('waits for what was just said to be saved', async () => {
    const { hermes } = openHome(inMemoryBackend(), { review: { model: recordingModel() } })
    for (const text of ['one', 'two', 'three']) hermes.session('a').recordTurn({ messages: [user(text)] })
    expect(await hermes.review()).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 3 } })
  })
})

/** A model that answers when its signal aborts, or never. */
const hangingModel = (heedsSignal: boolean) => {
  let asked: () => void = () => {}
  const underWay = new Promise<void>((resolve) => {
    asked = resolve
  })
  const signals: AbortSignal[] = []
  const model: HostModel = ({ signal }) => {
    signals.push(signal)
    asked()
    return new Promise((_, reject) => {
      if (heedsSignal) signal.addEventListener('abort', () => reject(signal.reason))
    })
  }
  return { model, underWay, signals }
}

const nudge = { memoryInterval: 2, skillInterval: 0 }

/** The storage outlives the process. */
const kept = (storage: StorageBackend): StorageBackend => ({ ...storage, close: async () => {} })

describe('closing while a review is in progress', () => {
  it.each([
    ['heeds', true],
    ['ignores', false],
  ])('leaves at once with a model that %s its signal, and the next turn has the review that was given back', async (_, heeds) => {
    const storage = inMemoryBackend()
    const first = openHome(kept(storage), { nudge })
    const { model, underWay, signals } = hangingModel(heeds)
    for (const text of ['I live in Lisbon', 'and work in Porto']) first.hermes.session('one').recordTurn({ messages: [user(text)], model })
    await underWay
    // The time limit is a promise of `close`.
    expect(await endsWithin(1_000, first.hermes.close())).toBe(true)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(first.typesOf()).toContain('review-stopped')
    expect(first.typesOf()).not.toContain('review-failed')

    const second = openHome(storage, { nudge })
    const next = recordingModel()
    second.hermes.session('one').recordTurn({ messages: [user('good morning')], model: next })
    await second.hermes.settled()
    expect(next.read).toHaveLength(1)
    for (const text of ['I live in Lisbon', 'and work in Porto', 'good morning']) expect(next.read[0]).toContain(text)
  })

  it('saves a turn that has just ended, and starts no review for it', async () => {
    const storage = inMemoryBackend()
    const first = openHome(kept(storage), { nudge })
    const model = recordingModel()
    for (const text of ['one', 'two']) first.hermes.session('one').recordTurn({ messages: [user(`said ${text}`)], model })
    await first.hermes.close()
    expect(model.read).toEqual([])
    const second = openHome(storage, { nudge })
    second.hermes.session('one').recordTurn({ messages: [user('said three')], model })
    await second.hermes.settled()
    expect(model.read).toHaveLength(1)
    for (const text of ['one', 'two', 'three']) expect(model.read[0]).toContain(`said ${text}`)
  })

  it('says so if the storage does not take the last save in time, and still leaves', async () => {
    const storage = inMemoryBackend()
    const hanging: StorageBackend = { ...storage, update: () => new Promise(() => {}) }
    const { hermes, events } = openHome(hanging, { sessions: { loadTimeoutMs: 5 } })
    hermes.session('one').recordTurn({ messages: [user('one')] })
    await hermes.close()
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'storage-failed', operation: 'close', error: expect.objectContaining({ code: 'timeout' }) }),
    )
  })
})

const namesOf = async (storage: StorageBackend): Promise<readonly string[]> => {
  const listed = await storage.list('sessions')
  return listed.ok ? listed.value.map(({ path }) => path).filter((path) => !/^sessions\/\.(?:pruned|reviews)\.json$/.test(path)) : []
}

/** A storage that holds session writes until they are released. */
const held = (storage: StorageBackend) => {
  let letThrough: () => void = () => {}
  let isHeld = false
  let gate: Promise<void> = Promise.resolve()
  const backend: StorageBackend = {
    ...storage,
    update: async (paths, plan, options) => {
      if (isHeld && paths.some((path) => path.startsWith('sessions/'))) await gate
      return storage.update(paths, plan, options)
    },
  }
  return {
    backend,
    hold: () => {
      isHeld = true
      gate = new Promise((resolve) => {
        letThrough = resolve
      })
    },
    letThrough: () => {
      isHeld = false
      letThrough()
    },
  }
}

describe('forgetSession', () => {
  it('removes the record and the copies that could not be read, of this session alone', async () => {
    const storage = inMemoryBackend()
    await updateDocument(storage, 'sessions/one.json', () => new TextEncoder().encode('{"half": "my secret plan'))
    const { hermes } = openHome(storage)
    for (const id of ['one', 'two']) hermes.session(id).recordTurn({ messages: [user('my secret plan')] })
    await hermes.settled()
    expect((await namesOf(storage)).length).toBe(3)
    expect(await hermes.forgetSession('one')).toEqual({ ok: true, value: undefined })
    expect(await namesOf(storage)).toEqual(['sessions/two.json'])
    expect(await hermes.forgetSession('never seen')).toEqual({ ok: true, value: undefined })
  })

  it('is not brought back by a save in another process, which then starts again', async () => {
    const storage = inMemoryBackend()
    const { backend, hold, letThrough } = held(storage)
    const other = openHome(backend).hermes
    other.session('one').recordTurn({ messages: [user('hello')] })
    await other.settled()
    hold()
    other.session('one').recordTurn({ messages: [user('my secret plan')] })
    await new Promise((resolve) => setImmediate(resolve))
    expect(await openHome(storage).hermes.forgetSession('one')).toMatchObject({ ok: true })
    letThrough()
    await other.settled()
    expect(await namesOf(storage)).toEqual([])
    other.session('one').recordTurn({ messages: [user('said afterwards')] })
    await other.settled()
    const record = await readDocument(storage, 'sessions/one.json')
    const text = record.ok && record.value ? new TextDecoder().decode(record.value.bytes) : ''
    expect(text).toContain('"userTurns": 1')
    expect(text).toContain('said afterwards')
    expect(text).not.toMatch(/hello|secret/)
  })
})
