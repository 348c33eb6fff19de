/** Every option of `createHermes`, with its unit and its default; docs/configuration.md has a line on each. */
import type { TrustLevel } from './gate/evidence-gate.ts'
import type { ReviewGate } from './gate/review-gate.ts'
import { DEFAULT_MEMORY_CHAR_LIMIT, DEFAULT_USER_CHAR_LIMIT } from './memory/char-budget.ts'
import type { HostModel } from './model/host-model.ts'
import { DEFAULT_MEMORY_NUDGE_INTERVAL } from './nudge/decide-nudges.ts'
import type { HermesEventListener } from './session/hermes-event.ts'
import type { Clock } from './shared/clock.ts'
import type { StorageBackend } from './storage/storage-backend.ts'

export interface HermesOptions {
  /** Where everything lives: `fileSystemBackend('~/.hermes')`, `inMemoryBackend()` or your own. */
  readonly storage: StorageBackend
  readonly memory?: {
    /** Offer MEMORY.md, the agent's own notes. Default true. */
    readonly memoryEnabled?: boolean
    /** Offer USER.md, who the user is. Default true. */
    readonly userProfileEnabled?: boolean
    /** Code points of MEMORY.md, delimiters included. Default 2200. */
    readonly memoryCharLimit?: number
    /** Code points of USER.md. Default 1375. */
    readonly userCharLimit?: number
  }
  readonly nudge?: {
    /** User turns between reviews; 0 = never. Default 10. */
    readonly memoryInterval?: number
  }
  readonly review?: {
    /** `digest`: a short transcript. `replay`: the host's own request again, for its warm prefix cache. Default `digest`. */
    readonly mode?: 'digest' | 'replay'
    /** A model for reviews only; default: the host's own. */
    readonly model?: HostModel
    /** Estimated tokens the reviewer may read, at least 4,000. Default 24,000. */
    readonly maxInputTokens?: number
    /** Tokens the reviewer may write. Default 2,000. */
    readonly maxOutputTokens?: number
    /** Milliseconds for the whole review, retry included. Default 120,000. */
    readonly timeoutMs?: number
    /** Proposals looked at in one review. Default 20. */
    readonly maxProposals?: number
  }
  /** Disposes of every proposal. Default `everyGate(scoreThresholdGate(0.7), evidenceGate({ trust }))`. */
  readonly gate?: ReviewGate
  /** Trust level of the default gate; has no effect beside `gate`. Default `balanced`. */
  readonly trust?: TrustLevel
  /** Names of tools whose results count as the agent's own work, not as outside text. Default none. */
  readonly trustedTools?: readonly string[]
  readonly sessions?: {
    /** Days after which an unused session record is removed; 0 = never. Default 30. */
    readonly retainDays?: number
    /** Milliseconds the first turn waits for the storage; after that the session runs without memory. Default 5,000. */
    readonly loadTimeoutMs?: number
  }
  /** Given every task that runs behind the turn: `waitUntil`, or `(task) => after(() => task)`. Default: kept in the process. */
  readonly background?: (task: Promise<unknown>) => void
  /** Told what happens behind the turn, failures included. What it throws is ignored. */
  readonly onEvent?: HermesEventListener
  /** Epoch milliseconds. Default the machine's clock. */
  readonly clock?: Clock
  /** Unique ids for journal records and unnamed sessions. Default random UUIDs. */
  readonly createId?: () => string
}

export const DEFAULT_REVIEW_MAX_INPUT_TOKENS = 24_000
/** Prompt, entries and a few messages need so much. */
export const MIN_REVIEW_INPUT_TOKENS = 4_000
export const DEFAULT_REVIEW_MAX_OUTPUT_TOKENS = 2_000
export const DEFAULT_REVIEW_TIMEOUT_MS = 120_000
export const DEFAULT_REVIEW_MAX_PROPOSALS = 20
export const DEFAULT_SESSION_RETAIN_DAYS = 30
export const DEFAULT_SESSION_LOAD_TIMEOUT_MS = 5_000

const wholeNumber = (name: string, value: number): number => {
  if (Number.isInteger(value) && value >= 0) return value
  throw new TypeError(`createHermes: '${name}' must be a whole number of 0 or more, not ${String(value)}.`)
}

const atLeast = (least: number, name: string, value: number): number => {
  if (wholeNumber(name, value) >= least) return value
  throw new TypeError(`createHermes: '${name}' must be at least ${least}, not ${value}.`)
}

/** Defaults filled in and numbers checked; a wrong option is a programmer's error and throws. */
export const resolveOptions = (options: HermesOptions) => {
  const { memory = {}, nudge = {}, review = {}, sessions = {} } = options
  const mode = review.mode ?? 'digest'
  if (mode !== 'digest' && mode !== 'replay')
    throw new TypeError(`createHermes: 'review.mode' must be 'digest' or 'replay', not '${String(mode)}'.`)
  return {
    memory: {
      memoryEnabled: memory.memoryEnabled ?? true,
      userProfileEnabled: memory.userProfileEnabled ?? true,
      memoryCharLimit: wholeNumber('memory.memoryCharLimit', memory.memoryCharLimit ?? DEFAULT_MEMORY_CHAR_LIMIT),
      userCharLimit: wholeNumber('memory.userCharLimit', memory.userCharLimit ?? DEFAULT_USER_CHAR_LIMIT),
    },
    memoryInterval: wholeNumber('nudge.memoryInterval', nudge.memoryInterval ?? DEFAULT_MEMORY_NUDGE_INTERVAL),
    review: {
      mode,
      model: review.model,
      maxInputTokens: atLeast(MIN_REVIEW_INPUT_TOKENS, 'review.maxInputTokens', review.maxInputTokens ?? DEFAULT_REVIEW_MAX_INPUT_TOKENS),
      maxOutputTokens: atLeast(1, 'review.maxOutputTokens', review.maxOutputTokens ?? DEFAULT_REVIEW_MAX_OUTPUT_TOKENS),
      timeoutMs: atLeast(1, 'review.timeoutMs', review.timeoutMs ?? DEFAULT_REVIEW_TIMEOUT_MS),
      maxProposals: atLeast(1, 'review.maxProposals', review.maxProposals ?? DEFAULT_REVIEW_MAX_PROPOSALS),
    },
    retainDays: wholeNumber('sessions.retainDays', sessions.retainDays ?? DEFAULT_SESSION_RETAIN_DAYS),
    loadTimeoutMs: atLeast(1, 'sessions.loadTimeoutMs', sessions.loadTimeoutMs ?? DEFAULT_SESSION_LOAD_TIMEOUT_MS),
    trustedTools: new Set(options.trustedTools ?? []),
  }
}
