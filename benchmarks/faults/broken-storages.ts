/** Storages that break their promises: trials on them must find something, or they would prove nothing. */

import { inMemoryBackend, type StorageBackend } from '@hermes/core'
import { updateDocument } from '@hermes/core/storage'
import { fillHome, type Scenario } from './scenarios.ts'
import { tryFault } from './try-fault.ts'

type Update = StorageBackend['update']

const BROKEN = {
  'acknowledges what it does not write':
    (inner: StorageBackend): Update =>
    (paths, plan, options) => {
      if (!paths.includes('memories/MEMORY.md')) return inner.update(paths, plan, options)
      return inner.update(paths, (cut) => ({ value: plan(cut).value }), options)
    },
  'leaves half a document':
    (inner: StorageBackend): Update =>
    async (paths, plan, options) => {
      const written = await inner.update(paths, plan, options)
      const halved = written.ok ? paths.filter((path) => path.startsWith('journal/') && !path.endsWith('/')) : []
      for (const path of halved) await updateDocument(inner, path, (current) => current?.bytes.slice(0, current.bytes.length / 2))
      return written
    },
} as const

/** What the checks find after a scenario in such a storage. */
export const findInBroken = async (scenario: Scenario, how: keyof typeof BROKEN): Promise<readonly string[]> => {
  const documents: NonNullable<Parameters<typeof inMemoryBackend>[0]> = new Map()
  await fillHome(inMemoryBackend(documents))
  const inner = inMemoryBackend(documents)
  return tryFault({ ...inner, update: BROKEN[how](inner), close: async () => {} }, inner, scenario)
}
