/** What both stores hold right now, read afresh: for the gauge and for /memory. */

import type { Hermes } from '@hermes/core'
import { ENTRY_DELIMITER, type EntryOrigin } from '@hermes/core/memory'

export interface StoreOverview {
  readonly target: 'memory' | 'user'
  readonly entries: readonly string[]
  /** Whose words each entry is, if that is recorded. */
  readonly origins: ReadonlyMap<string, EntryOrigin>
  /** Code points of the joined text. */
  readonly usedChars: number
  readonly charLimit: number
  /** The store as a session that starts now would get it; undefined while it is empty. */
  readonly snapshot: string | undefined
}

export interface MemoryOverview {
  readonly stores: readonly StoreOverview[]
  /** What could not be read, in words; empty when all is well. */
  readonly problems: readonly string[]
}

/** Contract: never rejects. */
export const readMemoryOverview = async (hermes: Hermes): Promise<MemoryOverview> => {
  const store = hermes.memoryStore()
  await store.load()
  const stores = (['memory', 'user'] as const).map((target): StoreOverview => {
    const entries = store.entries(target)
    return {
      target,
      entries,
      origins: store.origins(target),
      usedChars: [...entries.join(ENTRY_DELIMITER)].length,
      charLimit: store.charLimit(target),
      snapshot: store.renderSnapshot(target),
    }
  })
  return { stores, problems: [...new Set(store.loadProblems().map(({ message }) => message))] }
}
