import { describe, expect, it } from 'vitest'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openAt, put, unwrap } from './fill-home.ts'

const MARKER = 'zebra-4411'

describe('forget, interrupted', () => {

  it('writes more than 2 MiB in several updates, memory and journal in the last ones', async () => {
    const storage = inMemoryBackend()
    await put(storage, 'memories/MEMORY.md', MARKER)
    await put(storage, 'journal/2026-01-10.jsonl', `{"id":"a","at":1,"reason":"${MARKER}"}\n`)
    for (let index = 0; index < 3; index++) await put(storage, `logs/curator/${index}/REPORT.md`, `${MARKER}${' '.repeat(1_500_000)}`)
    const written: string[][] = []
    const watched: StorageBackend = {
      ...storage,
      update: (paths, plan, options) =>
        storage.update(
          paths,
          (cut) => {
            const planned = plan(cut)
            if (planned.put) written.push(Object.keys(planned.put))
            return planned
          },
          options,
        ),
    }
    expect(unwrap(await openAt(watched).forget(MARKER))).toMatchObject({ erased: { memoryEntries: 1, otherDocuments: 3 }, remaining: [] })
    const places = written.flat().filter((path) => !path.startsWith('sessions/') && path !== 'memories/.block.json')
    expect(written.length).toBeGreaterThan(2)
    expect(places.slice(-2)).toEqual(['journal/2026-01-10.jsonl', 'memories/MEMORY.md'])
  })

  it('erases the rest if one document cannot be written, and names that one', async () => {
    const storage = inMemoryBackend()
    for (const path of ['memories/USER.md', 'memories/MEMORY.md', 'logs/curator/1/REPORT.md']) await put(storage, path, MARKER)
    const failing: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) =>
        paths.includes('memories/USER.md') ? err(new HermesError('unwritable', 'It is read-only.')) : storage.update(paths, plan, options),
    }
    const { remaining, erased } = unwrap(await openAt(failing).forget(MARKER))
    expect(remaining).toEqual([{ path: 'memories/USER.md', reason: 'It is read-only.' }])
    expect(erased).toMatchObject({ memoryEntries: 1, otherDocuments: 1 })
  })
})
