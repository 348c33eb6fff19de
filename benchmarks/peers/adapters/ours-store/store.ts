/** Hermes for TypeScript without the loop: the bounded store alone, which has no journal and stores no snapshot. The limit is the highest, as in `ours`. */
import { MemoryStore } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import type { OpenStore } from '../../port.ts'

const LIMIT = 32_768

export const openStore: OpenStore = async (folder) => {
  const storage = fileSystemBackend(folder)
  const store = new MemoryStore({ storage, memoryCharLimit: LIMIT, whenFull: 'evict' })
  return {
    write: async (content) => {
      const written = await store.apply('memory', { action: 'add', content }, { origin: 'user', sessionId: 'measured' })
      if (!written.ok) throw written.error
    },
    read: async () => {
      const entries = await store.current('memory')
      if (!entries.ok) throw entries.error
      return entries.value.join('\n')
    },
    block: async () => {
      await store.load()
      return store.renderSnapshot('memory') ?? ''
    },
    close: () => storage.close(),
  }
}
