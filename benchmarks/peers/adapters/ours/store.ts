/** Hermes for TypeScript: one person's memory in a folder. The limit is the highest: a figure writes 1,000 facts. */
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import type { OpenStore } from '../../port.ts'

const LIMIT = 32_768
const BY = { origin: 'user', sessionId: 'measured' } as const

export const openStore: OpenStore = async (folder) => {
  const hermes = createHermes({ storage: fileSystemBackend(folder), memory: { memoryCharLimit: LIMIT } })
  const store = hermes.memoryStore()
  return {
    write: async (content) => {
      const written = await store.apply('memory', { action: 'add', content }, BY)
      if (!written.ok) throw written.error
    },
    read: async () => {
      const entries = await store.current('memory')
      if (!entries.ok) throw entries.error
      return entries.value.join('\n')
    },
    block: async () => await hermes.session().systemBlock(),
    change: async (oldText, content) => {
      const written = await store.apply(
        'memory',
        content === undefined ? { action: 'remove', oldText } : { action: 'replace', oldText, content },
        BY,
      )
      if (!written.ok) throw written.error
      const [latest] = await hermes.journal.list({ limit: 1 }).then((listed) => (listed.ok ? listed.value : []))
      return async () => {
        const undone = await hermes.undo(latest?.id)
        if (!undone.ok) throw undone.error
      }
    },
    close: () => hermes.close(),
  }
}
