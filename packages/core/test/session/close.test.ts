import { describe, expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { endsWithin } from '../support/ends-within.ts'
import { openHome, user } from './open-home.ts'
import { recordingModel } from './recording-model.ts'

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

  it('is not what settled does: that waits for the review', async () => {
    const { hermes, typesOf } = openHome(inMemoryBackend(), { nudge })
    let answer: () => void = () => {}
    let asked: () => void = () => {}
    const underWay = new Promise<void>((resolve) => {
      asked = resolve
    })
    const model: HostModel = () => {
      asked()
      return new Promise((resolve) => {
        answer = () => resolve('{"proposals": []}')
      })
    }
    for (const text of ['one', 'two']) hermes.session('one').recordTurn({ messages: [user(text)], model })
    await underWay
    const settled = hermes.settled().then(() => typesOf())
    answer()
    expect(await settled).toContain('review-finished')
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
