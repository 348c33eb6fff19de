import { describe, expect, it } from 'vitest'
import { sessionHome } from '../../test/support/session-home.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
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
