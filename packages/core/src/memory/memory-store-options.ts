/** The options of a `MemoryStore` with their defaults, and what it keeps of each file. */
import { callSafely } from '../shared/call-safely.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { withStorage } from '../storage/with-storage.ts'
import { checkCharLimit, DEFAULT_MEMORY_CHAR_LIMIT, DEFAULT_USER_CHAR_LIMIT, defaultMaxBlockChars } from './char-budget.ts'
import type { EntryFacts } from './entry-facts.ts'
import { DEFAULT_MAX_CONSOLIDATION_FAILURES, type FailureCap } from './failure-cap.ts'
import type { RenderBlock } from './memory-block.ts'
import type { MemoryTarget } from './memory-op.ts'
import type { MemoryWrite } from './memory-write.ts'
import type { PinnedEntry } from './pin-entry.ts'

export const WHEN_FULL = ['evict', 'hold'] as const

export type WhenFull = (typeof WHEN_FULL)[number]

export interface MemoryStoreOptions {
  readonly storage: StorageBackend
  /** Maximum code points of MEMORY.md, delimiters included. Beyond 32,768 in all, every change is refused as `oversize_text`. Default 2200. */
  readonly memoryCharLimit?: number
  /** Maximum code points of USER.md, delimiters included; as above. Default 1375. */
  readonly userCharLimit?: number
  /** Maximum code points of a block that the store renders, however large its file is. Default: both limits doubled, at least 8,000. */
  readonly maxBlockChars?: number
  /** False: MEMORY.md is neither read nor written. Default true. */
  readonly memoryEnabled?: boolean
  /** False: USER.md is neither read nor written. Default true. */
  readonly userProfileEnabled?: boolean
  /**
   * What happens to a change that does not fit. `evict`: entries trusted no more than the change are archived until it fits (see
   * `EvictedEntry`), never pinned or hand-written ones. `hold`: refused, and the loop holds the change for a person. Default: refused as
   * `over_limit`.
   */
  readonly whenFull?: WhenFull | undefined
  /** Failed attempts per turn before the error is `capped`. Default 3. */
  readonly maxConsolidationFailures?: number
  readonly clock?: Clock
  /**
   * Called with problems that do not fail a call: a file missing from the snapshot, an old backup that was not removed. Anything it
   * throws is ignored.
   */
  readonly onFailure?: (error: HermesError) => void
  /** Called and awaited after every write. Its errors are ignored: the change is already written. */
  readonly onWrite?: (write: MemoryWrite) => Promise<void>
  /** The same for an entry that was pinned or unpinned. */
  readonly onPin?: (pinned: PinnedEntry) => Promise<void>
  /** What each write adds to another document in the same update, such as its lines in the journal. Default: nothing. */
  readonly log?: (() => Promise<Result<MemoryLog>>) | undefined
}

/** Lines about one write, made before it is done, perhaps more than once; pure. */
export interface MemoryLog {
  /** Of the document that they are appended to. */
  readonly path: string
  written(write: MemoryWrite): Uint8Array
  pinned(pinned: PinnedEntry): Uint8Array
}

/** The options with their defaults. Throws a TypeError without a storage, a RangeError for a wrong limit. */
export const readStoreOptions = (options: MemoryStoreOptions) => {
  const {
    storage,
    memoryCharLimit = DEFAULT_MEMORY_CHAR_LIMIT,
    userCharLimit = DEFAULT_USER_CHAR_LIMIT,
    maxBlockChars = defaultMaxBlockChars(memoryCharLimit, userCharLimit),
    memoryEnabled = true,
    userProfileEnabled = true,
    whenFull,
    maxConsolidationFailures = DEFAULT_MAX_CONSOLIDATION_FAILURES,
    clock = systemClock,
    onFailure = () => {},
    onWrite = async () => {},
    onPin = async () => {},
    log,
  } = withStorage('MemoryStore', options)
  return {
    storage,
    clock,
    limits: { memory: checkCharLimit('memoryCharLimit', memoryCharLimit), user: checkCharLimit('userCharLimit', userCharLimit) },
    maxBlockChars: checkCharLimit('maxBlockChars', maxBlockChars),
    enabled: { memory: memoryEnabled, user: userProfileEnabled },
    evicts: whenFull === 'evict',
    maxFailures: maxConsolidationFailures,
    onFailure: (error: HermesError) => callSafely(onFailure, error),
    onWrite,
    onPin,
    log,
  } as const
}

export type StoreOptions = ReturnType<typeof readStoreOptions>

/** What a store has read, and the failures that it has counted. */
export interface StoreRead {
  states: Partial<Record<MemoryTarget, StoreState>>
  problems: readonly HermesError[]
  failures: FailureCap
}

/** What a store has read of one file. */
export interface StoreState {
  readonly facts: readonly EntryFacts[]
  /** Set only by `load()`. */
  readonly snapshot: RenderBlock | undefined
}
