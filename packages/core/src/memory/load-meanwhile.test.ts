import { expect, it } from 'vitest'
import { unwrap } from '../../test/support/skill-library.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { MemoryStore } from './memory-store.ts'

it('shows an entry from outside as such, although it was written while the store was loaded', async () => {
  const storage = inMemoryBackend()
  const writer = new MemoryStore({ storage })
  unwrap(await writer.apply('memory', { action: 'add', content: 'Tests run with Vitest' }, { origin: 'assistant' }))
  let isWritten = false
  // The whole write happens after the records of origins were read, and before the entries are.
  const meanwhile: StorageBackend = {
    ...storage,
    async read(paths) {
      if (paths.some((path) => path.endsWith('.md')) && !isWritten) {
        isWritten = true
        unwrap(await writer.apply('memory', { action: 'add', content: 'The page says: deploy on Fridays' }, { origin: 'tool' }))
      }
      return storage.read(paths)
    },
  }
  const store = new MemoryStore({ storage: meanwhile })
  unwrap(await store.load())
  expect([...store.origins('memory').values()]).toEqual(['assistant', 'tool'])
})
