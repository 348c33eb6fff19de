/** Events from behind the user's turn, passed to `onEvent`. Every failure is an event (DESIGN 8, promise 10). */
import type { CuratorEvent } from '../curator/report.ts'
import type { OwnerId } from '../homes/owner.ts'
import type { EntryChanges } from '../memory/describe-change.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryWriter } from '../memory/memory-store-options.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { WaitReason } from '../nudge/decide-review.ts'
import type { ProviderEvent } from '../provider/provider-options.ts'
import type { ReviewKind } from '../review/propose/review-proposer.ts'
import type { ReviewOutcome } from '../review/review-outcome.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError, type HermesErrorCode } from '../shared/hermes-error.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'

/** `owner`: whose home the event is from, if the storage holds many homes. `cost`: of the model calls; undefined if there were none. */
export type HermesEvent = Happening & { readonly owner?: OwnerId }

type Happening =
  /** `newSession`: its text was frozen just now; otherwise it was resumed from the session record. */
  | {
      readonly type: 'session-started'
      readonly sessionId: string
      readonly at: number
      readonly newSession: boolean
      readonly chars: number
    }
  /** Sent once for each review, even if it covers memory and skills or has two passes. */
  | {
      readonly type: 'review-started'
      readonly sessionId: string
      readonly at: number
      readonly reviews: ReviewKind
      /** User turns since the last memory review. */
      readonly turns: number
      /** Model steps that called tools, since the last skill review. */
      readonly iterations: number
    }
  /** Covers both passes. `applied[].outcome.previous`: text that was replaced or removed; `evicted`: entries that made room. Both are in the archive. Credentials are redacted. */
  | {
      readonly type: 'review-finished'
      readonly sessionId: string
      readonly at: number
      readonly outcome: ReviewOutcome
      readonly cost?: LearningCost
    }
  | {
      readonly type: 'review-failed'
      readonly sessionId: string
      readonly at: number
      readonly error: HermesError
      readonly cost?: LearningCost
    }
  /**
   * The review was cancelled: by `hermes.close()`, by a forget operation, or by the signal given to `session.end` or `hermes.review`. The next review reads
   * its turns.
   */
  | { readonly type: 'review-stopped'; readonly sessionId: string; readonly at: number; readonly cost?: LearningCost }
  /** A due review cannot start yet; sent once for each interval that it waits. `turns`: unread turns. */
  | {
      readonly type: 'review-waits'
      readonly sessionId?: string
      readonly at: number
      /** `budget`, `tokens-per-day`: learning has used its share of tokens. `breaker`: too many consecutive reviews failed. */
      readonly reason: WaitReason
      readonly turns: number
    }
  /** Too many consecutive reviews failed, so none starts automatically until `until` (epoch milliseconds). */
  | { readonly type: 'learning-paused'; readonly sessionId: string; readonly at: number; readonly failures: number; readonly until: number }
  /**
   * Memory was written, by any writer; a write that changed no entry is not an event. `actor`: the reviewer, the agent's own tool, the host's code, a person,
   * or the curator. `removed`: replaced or removed. `evicted`: archived to make room.
   */
  | ({
      readonly type: 'memory-changed'
      readonly at: number
      /** The session that the write came from, if any. */
      readonly sessionId?: string
      readonly actor: MemoryWriter['actor']
      readonly target: MemoryTarget
      /** Whose store it is, for the target `project`. */
      readonly project?: string
    } & EntryChanges)
  /**
   * A turn that loaded this skill has finished, and a tool had failed in it: the next review of skills looks at the skill first. `failureCount`, `repairCount`: so far.
   * `failing`: it failed again after two repairs, so a person should look at it.
   */
  | {
      readonly type: 'skill-failed'
      readonly sessionId: string
      readonly at: number
      readonly skill: string
      readonly failureCount: number
      readonly repairCount: number
      readonly failing: boolean
    }
  /** The unread text exceeded its limit. `turns`: number of oldest turns that were dropped and will never be reviewed. */
  | { readonly type: 'turns-dropped'; readonly sessionId: string; readonly at: number; readonly turns: number }
  /**
   * The messages of this conversation already show `chars` characters (UTF-16) of recalled text, the maximum is 64,000: nothing more is recalled for it, unless the
   * host shortens it. Sent once in each process.
   */
  | { readonly type: 'recall-full'; readonly sessionId: string; readonly at: number; readonly chars: number }
  /**
   * The host's own code failed or called a method wrongly: `background` threw, or a session method was called with something that is not a turn and was
   * ignored.
   */
  | {
      readonly type: 'host-failed'
      /** Undefined for an option of the home. */
      readonly sessionId?: string
      readonly at: number
      /** `background` or the name of the method. */
      readonly operation: string
      readonly error: HermesError
    }
  | CuratorEvent
  | ProviderEvent
  /**
   * A model call or a tool was wired up wrongly, so it ran without memory: nothing was added to its prompt, counted or written. The error says how to fix it.
   */
  | {
      readonly type: 'wiring-failed'
      readonly sessionId?: string
      readonly at: number
      readonly mistake: WiringMistake
      readonly error: HermesError
    }
  /** Hermes could not read or write; the work continued without that part. No `sessionId`: the work belongs to no session. */
  | {
      readonly type: 'storage-failed'
      readonly sessionId?: string
      readonly at: number
      readonly operation: string
      readonly error: HermesError
    }

export type WiringMistake =
  /** The call names no session, and its model serves many. */
  | 'missing-session'
  /** The call names no valid owner, and its model serves many people. */
  | 'missing-owner'
  /** The model belongs to one session, and the call names another. */
  | 'other-session'
  /** A tool was called by a model of another home, or a call is for another person than its home or conversation. */
  | 'other-home'
  /** The session began with another project, or with none. */
  | 'other-project'
  /** The call's options for Hermes are invalid. */
  | 'invalid-option'

/** A wiring mistake that an adapter found. */
export interface WiringFailure {
  readonly mistake: WiringMistake
  /** Says how to fix it. */
  readonly message: string
  readonly cause?: unknown
}

export type HermesEventListener = (event: HermesEvent) => void

/** The event of a wiring mistake. Without a `sessionId` the call belongs to no session. */
export const wiringEvent = ({ mistake, message, cause }: WiringFailure, clock: Clock, sessionId?: string): HermesEvent => ({
  type: 'wiring-failed',
  ...(sessionId === undefined ? {} : { sessionId }),
  at: clock(),
  mistake,
  error: new HermesError('invalid', message, { cause }),
})

/** Errors that do not pass by themselves. */
const LASTING: ReadonlySet<HermesErrorCode> = new Set(['unwritable', 'no_space', 'invalid_path', 'io'])

const ADVICE = "Pass the option 'onEvent' to handle this yourself."

const describe = (event: HermesEvent): string | undefined => {
  if (event.type === 'learning-paused')
    return `Hermes: ${event.failures} reviews have failed in a row, so none starts automatically until ${new Date(event.until).toISOString()}. The journal says why: 'hermes journal list'. ${ADVICE}`
  if (event.type === 'provider-paused')
    return `Hermes: the memory provider '${event.provider}' does not work, so nothing is recalled for now: ${event.error.message} ${ADVICE}`
  if (event.type === 'host-failed') return `Hermes: ${event.error.message} ${ADVICE}`
  if (event.type !== 'storage-failed' || !LASTING.has(event.error.code)) return undefined
  return `Hermes cannot use its storage, so nothing new is remembered (${event.operation}): ${event.error.message} ${ADVICE}`
}

// Warnings already given, per storage object: one object is one home across all calls of createHermes.
const warned = new WeakMap<StorageBackend, Set<HermesEvent['type']>>()

/** For hosts without an event listener: one console warning for failures that do not pass by themselves, once per process for each storage and event type. */
export const operatorWarning =
  (storage: StorageBackend): HermesEventListener =>
  (event) => {
    const line = describe(event)
    const before = warned.get(storage) ?? new Set()
    if (line === undefined || before.has(event.type)) return
    warned.set(storage, before.add(event.type))
    // biome-ignore lint/suspicious/noConsole: the host has no listener
    console.warn(line)
  }
