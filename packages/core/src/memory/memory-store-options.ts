/** What a `MemoryStore` is made with, each option with its default. */
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { MemoryWrite } from './memory-write.ts'
import type { PinnedEntry } from './pin-entry.ts'

export const WHEN_FULL = ['evict', 'hold'] as const

export type WhenFull = (typeof WHEN_FULL)[number]

export interface MemoryStoreOptions {
  readonly storage: StorageBackend
  /** Code points MEMORY.md may hold, delimiters included. Default 2200. */
  readonly memoryCharLimit?: number
  /** Code points USER.md may hold, delimiters included. Default 1375. */
  readonly userCharLimit?: number
  /** Off: MEMORY.md is neither read nor written. Default true. */
  readonly memoryEnabled?: boolean
  /** Off: USER.md is neither read nor written. Default true. */
  readonly userProfileEnabled?: boolean
  /**
   * What becomes of a change that does not fit. `evict`: entries that are trusted no more than it go to the archive until it fits, see `EvictedEntry`; never one
   * that is pinned or was written by hand. `hold`: refused like without it, and the loop keeps it for a person. Default: refused as `over_limit`.
   */
  readonly whenFull?: WhenFull | undefined
  /** Failed attempts per turn before the answer is `capped`. Default 3. */
  readonly maxConsolidationFailures?: number
  readonly clock?: Clock
  /** Hears of what went wrong without failing a call: a file the snapshot had to leave out, an old backup that stayed. What it throws is ignored. */
  readonly onFailure?: (error: HermesError) => void
  /** Called with every change once it is written, and awaited. It tells of its own failures: the change stands, and what it throws is ignored. */
  readonly onWrite?: (write: MemoryWrite) => Promise<void>
  /** The same for an entry that was pinned or unpinned. */
  readonly onPin?: (pinned: PinnedEntry) => Promise<void>
}
