import { describe, expect, it } from 'vitest'
import { movedFrom } from '../../test/support/calls.ts'
import { EMPTY_REVIEW_STATE, REVIEW_STATE_PATH } from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { reviewStateStore } from './review-state-store.ts'

const NOW = 1_000.5
const BROKEN = 'not JSON'
const COPY = 'sessions/.unreadable/1000.5-.reviews.json'

const open = (storage: StorageBackend = inMemoryBackend(), now = NOW) => {
  const problems: string[] = []
  const store = reviewStateStore({ storage, clock: () => now, onBroken: ({ code }) => problems.push(code) })
  const textOf = async (path: string) => {
    const found = await readDocument(storage, path)
    return found.ok && found.value ? new TextDecoder().decode(found.value.bytes) : undefined
  }
  return { storage, problems, store, textOf }
}

const write = (storage: StorageBackend, text: string) => updateDocument(storage, REVIEW_STATE_PATH, () => new TextEncoder().encode(text))

const lease = { fence: 7, until: 2_000, scope: { words: true, everything: true, skills: true }, asked: [] }

describe('the review state', () => {
  it('is empty before the first change, and the first number of a review follows the time', async () => {
    const { store } = open()
    expect(await store.read()).toEqual(ok(EMPTY_REVIEW_STATE))
    expect(await store.readReview()).toEqual(ok(undefined))
    const seen: number[] = []
    expect(await store.update((state) => ({ ...state, failures: seen.push(state.fence) }))).toEqual(ok(undefined))
    expect(seen).toEqual([1_000])
    expect(await store.read()).toEqual(ok({ ...EMPTY_REVIEW_STATE, fence: 1_000, failures: 1 }))
  })

  it('has no negative number before 1970', async () => {
    const { store } = open(inMemoryBackend(), -5)
    await store.update((state) => ({ ...state, failures: 1 }))
    expect(await store.read()).toMatchObject({ value: { fence: 0 } })
  })

  it('holds the running review', async () => {
    const { store } = open()
    await store.update((state) => ({ ...state, review: lease }))
    expect(await store.readReview()).toEqual(ok(lease))
  })

  it.each([
    ['nothing', () => undefined],
    ['the state itself', (state: typeof EMPTY_REVIEW_STATE) => state],
  ])('is not written if a change returns %s', async (_, change) => {
    const { store, textOf } = open()
    expect(await store.update(change)).toEqual(ok(undefined))
    expect(await textOf(REVIEW_STATE_PATH)).toBeUndefined()
  })
})

describe('a review state that cannot be read as one', () => {
  it('fails a read', async () => {
    const { storage, store } = open()
    await write(storage, BROKEN)
    expect(await store.read()).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(await store.readReview()).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })

  it('is moved aside and reported, and the change begins anew', async () => {
    const { storage, store, problems, textOf } = open()
    await write(storage, BROKEN)
    expect(await store.update((state) => ({ ...state, failures: 1 }))).toEqual(ok(undefined))
    expect(problems).toEqual(['unreadable'])
    expect(await textOf(COPY)).toBe(BROKEN)
    expect(await store.read()).toEqual(ok({ ...EMPTY_REVIEW_STATE, fence: 1_000, failures: 1 }))
  })

  it('may be moved aside by another process meanwhile', async () => {
    const storage = inMemoryBackend()
    const update: StorageBackend['update'] = async (paths, plan, options) => {
      const updated = await storage.update(paths, plan, options)
      return movedFrom(paths) === undefined ? updated : err(new HermesError('not_found', 'gone'))
    }
    const { store } = open({ ...storage, update })
    await write(storage, BROKEN)
    expect(await store.update((state) => ({ ...state, failures: 1 }))).toEqual(ok(undefined))
    expect(await store.read()).toMatchObject({ value: { failures: 1 } })
  })

  it('stays, and the change fails, if it cannot be moved', async () => {
    const storage = inMemoryBackend()
    const update: StorageBackend['update'] = async (paths, plan, options) =>
      movedFrom(paths) === undefined ? storage.update(paths, plan, options) : err(new HermesError('unwritable', 'no'))
    const { store, textOf } = open({ ...storage, update })
    await write(storage, BROKEN)
    expect(await store.update((state) => ({ ...state, failures: 1 }))).toMatchObject({ ok: false, error: { code: 'unwritable' } })
    expect(await textOf(REVIEW_STATE_PATH)).toBe(BROKEN)
  })

  it('fails the change if it cannot be written anew', async () => {
    const storage = inMemoryBackend()
    let updates = 0
    const update: StorageBackend['update'] = async (paths, plan, options) =>
      ++updates === 1 ? storage.update(paths, plan, options) : err(new HermesError('no_space', 'full'))
    const { store } = open({ ...storage, update })
    await write(storage, BROKEN)
    expect(await store.update((state) => ({ ...state, failures: 1 }))).toMatchObject({ ok: false, error: { code: 'no_space' } })
  })

  it('is not what another failure is taken for', async () => {
    const storage = inMemoryBackend()
    const { store, problems, textOf } = open({ ...storage, update: async () => err(new HermesError('io', 'broken')) })
    await write(storage, BROKEN)
    expect(await store.update((state) => ({ ...state, failures: 1 }))).toMatchObject({ ok: false, error: { code: 'io' } })
    expect(problems).toEqual([])
    expect(await textOf(REVIEW_STATE_PATH)).toBe(BROKEN)
  })
})
