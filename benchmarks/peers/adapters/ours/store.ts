/** Hermes for TypeScript: one person's memory in a folder. The limit is the highest: a figure writes 1,000 facts. */
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import type { OpenStore } from '../../port.ts'

const LIMIT = 32_768

export const openStore: OpenStore = async (folder) => {
  const hermes = createHermes({ storage: fileSystemBackend(folder), memory: { memoryCharLimit: LIMIT } })
  const store = hermes.memoryStore()
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
    block: async () => await hermes.session().systemBlock(),
    close: () => hermes.close(),
  }
}
