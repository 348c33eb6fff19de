/** What both stores hold right now, read afresh: for the gauge and for /memory. */
import { DEFAULT_MEMORY_CHAR_LIMIT, DEFAULT_USER_CHAR_LIMIT, ENTRY_DELIMITER, MemoryStore, type StorageBackend } from '@hermes/core'

export interface StoreOverview {
  readonly target: 'memory' | 'user'
  readonly entries: readonly string[]
  /** Code points of the joined text. */
  readonly usedChars: number
  readonly charLimit: number
  /** The store as a session that starts now would get it; undefined while it is empty. */
  readonly snapshot: string | undefined
}

export interface MemoryOverview {
  readonly stores: readonly StoreOverview[]
  /** Why the stores cannot be read. */
  readonly problem: string | undefined
}

const LIMITS = { memory: DEFAULT_MEMORY_CHAR_LIMIT, user: DEFAULT_USER_CHAR_LIMIT } as const

/** Contract: never rejects. */
export const readMemoryOverview = async (storage: StorageBackend): Promise<MemoryOverview> => {
  const store = new MemoryStore({ storage })
  const loaded = await store.load()
  const stores = (['memory', 'user'] as const).map((target): StoreOverview => {
    const entries = store.entries(target)
    return {
      target,
      entries,
      usedChars: [...entries.join(ENTRY_DELIMITER)].length,
      charLimit: LIMITS[target],
      snapshot: store.renderSnapshot(target),
    }
  })
  return { stores, problem: loaded.ok ? undefined : loaded.error.message }
}
