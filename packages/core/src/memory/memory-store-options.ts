/** The options of a `MemoryStore` with their defaults, what it reports of a write, and the limit of failed attempts (reference hermes-memory 3). */
import { callSafely } from '../shared/call-safely.ts'
import { type Clock, systemClock, systemTimeZone } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import { checkProject } from '../storage/project.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { withStorage } from '../storage/with-storage.ts'
import type { PinnedEntry } from './change-facts.ts'
import type { EntryChanges } from './describe-change.ts'
import type { MemorySource, RecordedSource, WriteMode } from './facts.ts'
import type { RenderBlock } from './memory-block.ts'
import {
  checkCharLimit,
  DEFAULT_MEMORY_CHAR_LIMIT,
  DEFAULT_PROJECT_CHAR_LIMIT,
  DEFAULT_USER_CHAR_LIMIT,
  defaultMaxBlockChars,
  PROFILE_CHAR_LIMIT,
} from './memory-limits.ts'
import type { EntryFacts, MemoryOp, MemoryOpOutcome, MemoryTarget, OpFacts } from './memory-op.ts'
import type { ProfileSchema } from './profile-schema.ts'

export const WHEN_FULL = ['evict', 'hold'] as const

export type WhenFull = (typeof WHEN_FULL)[number]

export interface MemoryStoreOptions {
  readonly storage: StorageBackend
  /** Maximum code points of MEMORY.md, delimiters included. Beyond 32,768 in all, every change is refused as `oversize_text`. Default 2200. */
  readonly memoryCharLimit?: number
  /** Maximum code points of USER.md, delimiters included; as above. Default 1375. */
  readonly userCharLimit?: number
  /** The project whose notes are the store `project`. Default: none, and no such store. */
  readonly project?: string | undefined
  /** Maximum code points of the MEMORY.md of a project, delimiters included; as above. Default 2200. */
  readonly projectCharLimit?: number
  /** The schema of the profile. Default: none; the store `profile` is then neither shown nor checked, but can be read and changed. */
  readonly profile?: ProfileSchema | undefined
  /** Maximum code points of a block that the store renders, however large its file is. Default: all limits doubled, at least 8,000. */
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
  /** Whose words a write is that names no source. Default `host`: the host's own code. */
  readonly by?: 'user' | 'host'
  readonly clock?: Clock
  /** The user's time zone, such as `Europe/Lisbon`: on which day an entry that holds for a time begins and ends. Default: that of the system. */
  readonly timeZone?: string | undefined
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

/** The options with their defaults. Throws a TypeError without a storage or for a name that no project can have, a RangeError for a wrong limit. */
export const readStoreOptions = (options: MemoryStoreOptions) => {
  const {
    storage,
    memoryCharLimit = DEFAULT_MEMORY_CHAR_LIMIT,
    userCharLimit = DEFAULT_USER_CHAR_LIMIT,
    projectCharLimit = DEFAULT_PROJECT_CHAR_LIMIT,
    maxBlockChars = defaultMaxBlockChars(memoryCharLimit, userCharLimit, options?.project === undefined ? 0 : projectCharLimit),
    memoryEnabled = true,
    userProfileEnabled = true,
    whenFull,
    maxConsolidationFailures = DEFAULT_MAX_CONSOLIDATION_FAILURES,
    by = 'host',
    clock = systemClock,
    timeZone,
    onFailure = () => {},
    onWrite = async () => {},
    onPin = async () => {},
    log,
  } = withStorage('MemoryStore', options)
  const { profile } = options
  const project = checkProject(options.project)
  return {
    storage,
    project,
    profile,
    by,
    clock,
    // Looked up only if an entry has days.
    zone: () => timeZone ?? systemTimeZone(),
    limits: {
      memory: checkCharLimit('memoryCharLimit', memoryCharLimit),
      user: checkCharLimit('userCharLimit', userCharLimit),
      project: checkCharLimit('projectCharLimit', projectCharLimit),
      profile: PROFILE_CHAR_LIMIT,
    },
    maxBlockChars: checkCharLimit('maxBlockChars', maxBlockChars),
    enabled: { memory: memoryEnabled, user: userProfileEnabled, project: project !== undefined, profile: true },
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
  /** Epoch milliseconds from which a snapshot is no longer what these files show, since an entry begins or ceases to hold. */
  oldAt?: number | undefined
  /** Whether an entry was over when it was read. */
  hasExpired?: boolean
  failures: FailureCap
}

/** An entry that was archived since it is over, as a record of the journal has it. */
export interface ArchivedExpiry {
  readonly reason: string
  readonly target: MemoryTarget
  readonly project?: string
  readonly op: MemoryOp
  readonly previous: readonly string[]
  readonly facts?: OpFacts | undefined
}

/** What a store has read of one file. */
interface StoreState {
  readonly facts: readonly EntryFacts[]
  /** Set only by `load()`. */
  readonly snapshot: RenderBlock | undefined
}

/** Who made the write, if one store has several writers. */
export interface MemoryWriter {
  readonly actor: 'review' | 'agent' | 'host' | 'person' | 'curator'
  readonly sessionId?: string | undefined
}

/** How a store carries out operations. */
export interface ChangeTerms {
  readonly source: RecordedSource | undefined
  readonly mode?: WriteMode | undefined
  /** The archive id of a restored entry. */
  readonly restoredFrom?: string
  readonly writer?: MemoryWriter | undefined
  /** See `ChangeRequest`. */
  readonly wholeEntries?: boolean
}

export interface MemoryWrite {
  readonly target: MemoryTarget
  /** Whose store it is, for the target `project`. */
  readonly project?: string
  /** In the order in which they were carried out. */
  readonly ops: readonly MemoryOp[]
  readonly outcome: MemoryOpOutcome
  readonly changes: EntryChanges
  /** Undefined for text that counts as written by hand. */
  readonly source: MemorySource | undefined
  /** Undefined if the caller named none. */
  readonly writer: MemoryWriter | undefined
  /** The archive id of a restored entry. */
  readonly restoredFrom: string | undefined
}

/** Failed attempts in a turn before the next one fails with `capped`. */
const DEFAULT_MAX_CONSOLIDATION_FAILURES = 3

export interface FailureCap {
  /** Counts a failed attempt; returns the error itself, or above the limit `capped` with the error as its cause. */
  readonly count: (error: HermesError) => HermesError
  readonly reset: () => void
}

export const createFailureCap = (maxFailures: number): FailureCap => {
  let failures = 0
  const count = (error: HermesError): HermesError => {
    failures++
    if (failures <= maxFailures) return error
    const message =
      `Stop retrying: ${failures} memory changes of this turn failed. Go on with the task and leave memory as it is until the next turn. ` +
      `The last cause (${error.code}): ${error.message}`
    return new HermesError('capped', message, { cause: error, details: { ...error.details, causeCode: error.code, failures } })
  }
  const reset = (): void => {
    failures = 0
  }
  return { count, reset }
}
