import { describe, expect, it } from 'vitest'
import { sessionHome } from '../../test/support/session-home.ts'
import { REVIEW_STATE_PATH, reviewStateSchema } from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { loadRecord, type RecordToLoad } from './load-record.ts'
import { sessionPath } from './session-record.ts'

const PATH = sessionPath('one')
const bytesOf = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

const holding = async (record: unknown): Promise<StorageBackend> => {
  const storage = inMemoryBackend()
  await updateDocument(storage, PATH, () => bytesOf(record))
  return storage
}

const load = async (
  storage: StorageBackend,
  { settleLimitMs = 1_000, ...more }: Partial<RecordToLoad> & { settleLimitMs?: number } = {},
) => {
  let frozen = 0
  const freeze = async () => ({ text: `frozen ${++frozen}`, isStorable: true })
  const { home } = sessionHome({ storage, clock: () => 5, options: { loadTimeoutMs: 4 * settleLimitMs } })
  const found = await loadRecord(home, { id: 'one', freeze, ...more })
  return { ...found, frozen }
}

const refused = async () => err(new HermesError('io', 'EIO: i/o error'))

describe('the record of a session', () => {
  it('need not be durable when a session begins, but after a broken record', async () => {
    const durable: unknown[] = []
    const noting = (storage: StorageBackend): StorageBackend => ({
      ...storage,
      update: (paths, plan, options) => {
        durable.push(options?.durable)
        return storage.update(paths, plan, options)
      },
    })
    await load(noting(inMemoryBackend()))
    await load(noting(await holding('no record')))
    expect(durable).toEqual([false, undefined])
  })

  it('stays as it is if it can be neither understood nor moved', async () => {
    const storage = await holding('{"half')
    const found = await load({ ...storage, update: refused })
    const message = expect.stringContaining('could not be moved out of the way, so nothing of this session is saved: EIO: i/o error')
    expect(found).toMatchObject({ loaded: { tainted: true }, isWritten: false, problem: { code: 'unreadable', message } })
    const left = await readDocument(storage, PATH)
    expect(left.ok && new TextDecoder().decode(left.value?.bytes)).toBe('{"half')
  })

  it('is not written if the storage cannot even be read', async () => {
    let writes = 0
    const update = async () => {
      writes++
      return refused()
    }
    const storage = { ...inMemoryBackend(), read: refused, update }
    const found = await load(storage)
    expect(found).toMatchObject({ loaded: { block: 'frozen 1', tainted: true }, isOurs: true, isWritten: false, problem: { code: 'io' } })
    expect(writes).toBe(0)
  })

  it.each([
    ['fails', refused],
    ['does not answer', () => new Promise<never>(() => {})],
  ])('is not waited for if the write %s', async (_how, update) => {
    const found = await load({ ...inMemoryBackend(), update }, { settleLimitMs: 5 })
    expect(found).toMatchObject({ loaded: { block: 'frozen 1', tainted: false }, isOurs: true, isWritten: false })
    expect(found.problem).toBeUndefined()
  })
})

describe('a session that a checkpoint continues', () => {
  it.each([
    ['keeps its text', { block: 'first', userTurns: 3, toolIterations: 4 }, { block: 'first', userTurns: 3, iterations: 4 }, undefined],
    ['freezes a text if it had no turn yet', { userTurns: 0, toolIterations: 0 }, { block: 'frozen 1', userTurns: 0 }, undefined],
    [
      'changes its text if the checkpoint has none',
      { userTurns: 3, toolIterations: 0 },
      { block: 'frozen 1', userTurns: 3 },
      { times: 1, at: 5, turns: 3 },
    ],
  ])('%s', async (_what, checkpoint, loaded, changed) => {
    const found = await load(inMemoryBackend(), { checkpoint })
    expect(found).toMatchObject({ loaded, isOurs: true })
    expect(found.loaded.changed).toEqual(changed)
  })

  it('counts the turns and steps since its last reviews, also for the next process', async () => {
    const storage = inMemoryBackend()
    const { reviewed } = await load(storage, { checkpoint: { block: '', userTurns: 23, toolIterations: 14 } })
    expect(reviewed).toEqual({ turns: 20, iterations: 10 })
    const state = await readJsonDocument(storage, REVIEW_STATE_PATH, reviewStateSchema)
    expect(state).toMatchObject({
      value: {
        sessions: [{ id: 'one', turns: 23, asked: { turns: 20, iterations: 10 }, read: { words: 20, everything: 20, skills: 20 } }],
      },
    })
    expect(await load(storage, { checkpoint: { block: '', userTurns: 1, toolIterations: 0 } })).toMatchObject({ isOurs: false })
    expect(await readJsonDocument(storage, REVIEW_STATE_PATH, reviewStateSchema)).toEqual(state)
  })
})
