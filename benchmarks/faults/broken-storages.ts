/** Storages that break their promises: trials on them must find something, or they would prove nothing. */
import { updateDocument } from '@hermes/core/storage'
import { inMemoryBackend, type StorageBackend } from '@hermes/core'
import { fillHome, type Scenario } from './scenarios.ts'
import { tryFault } from './try-fault.ts'

type Update = StorageBackend['update']

const BROKEN = {
  'acknowledges what it does not write':
    (inner: StorageBackend): Update =>
    (path, change) => {
      if (path !== 'memories/MEMORY.md') return updateDocument(inner, path, change)
      return updateDocument(inner, path, (current) => {
        change(current)
        return current?.bytes
      })
    },
  'leaves half a document':
    (inner: StorageBackend): Update =>
    async (path, change) => {
      const written = await updateDocument(inner, path, change)
      if (!path.startsWith('journal/') || !written.ok || !written.value) return written
      const { bytes } = written.value
      return updateDocument(inner, path, () => bytes.slice(0, bytes.length / 2))
    },
} as const

/** What the checks find after a scenario in such a storage. */
export const findInBroken = async (scenario: Scenario, how: keyof typeof BROKEN): Promise<readonly string[]> => {
  const documents: NonNullable<Parameters<typeof inMemoryBackend>[0]> = new Map()
  await fillHome(inMemoryBackend(documents))
  const inner = inMemoryBackend(documents)
  return tryFault({ ...inner, update: BROKEN[how](inner), close: async () => {} }, inner, scenario)
}
