/** How often, and after which waits, a change is tried again. */

import { expect, it, vi } from 'vitest'
import { MemoryStore } from '../src/memory/memory-store.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../src/storage/one-document.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { MEMORY_PATHS } from '../src/storage/storage-paths.ts'

const waits = vi.hoisted((): number[] => [])

vi.mock('../src/shared/pause.ts', () => ({
  pause: async (ms: number) => {
    waits.push(ms)
  },
}))

it('gives up after twenty attempts and about three seconds if the file changes before each, and changes nothing', async () => {
  const storage = inMemoryBackend()
  let attempts = 0
  const busy: StorageBackend = {
    ...storage,
    update: async (paths, plan, options) => {
      // Padding is copied before it is tidied, so the plan has to start again.
      const padded = new TextEncoder().encode(`a\n\n§\n${attempts}`)
      if (paths.includes(MEMORY_PATHS.memory) && attempts++ < 30) await updateDocument(storage, MEMORY_PATHS.memory, () => padded)
      return storage.update(paths, plan, options)
    },
  }
  const store = new MemoryStore({ storage: busy, clock: () => attempts * 1_000 })
  // Never capped: a model that tries again later may succeed.
  for (let turn = 0; turn < 4; turn++) {
    attempts = 0
    waits.length = 0
    expect(await store.apply('memory', [{ action: 'add', content: 'b' }])).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(attempts).toBe(20)
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, ...Array(12).fill(250)])
  }
  expect(await readDocument(storage, MEMORY_PATHS.memory)).toMatchObject({ value: { bytes: new TextEncoder().encode('a\n\n§\n19') } })
})
