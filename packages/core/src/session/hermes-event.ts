/** What happens behind the user's turn, told to `onEvent`. No failure is silent (DESIGN 8, promise 10). */
import type { CuratorEvent } from '../curator/curator-event.ts'
import type { OwnerId } from '../homes/owner.ts'
import type { EntryChanges } from '../memory/entry-changes.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryWriter } from '../memory/memory-write.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { WaitReason } from '../nudge/decide-review.ts'
import type { ReviewKind } from '../review/propose/review-proposer.ts'
import type { ReviewOutcome } from '../review/review-outcome.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'

/** `owner`: whose home it happened in, where the storage is that of many. `cost`: of the calls to a model; undefined where none was made. */
export type HermesEvent = Happening & { readonly owner?: OwnerId }

type Happening =
  /** `newSession`: frozen just now; otherwise resumed from the session record. */
  | {
      readonly type: 'session-started'
      readonly sessionId: string
      readonly at: number
      readonly newSession: boolean
      readonly chars: number
    }
  /** One event, also where memory and skills are reviewed together, and where the review has two passes. */
  | {
      readonly type: 'review-started'
      readonly sessionId: string
      readonly at: number
      readonly reviews: ReviewKind
      /** User turns since the last review of memory. */
      readonly turns: number
      /** Model steps that called tools, since the last review of skills. */
      readonly iterations: number
    }
  /** Of both passes. `applied[].outcome.previous`: what a replace or remove took away, `evicted`: what made room; both are in the archive. */
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
  /** Called off: by `hermes.close()`, by what was forgotten, or by the signal given to `session.end` or `hermes.review`. The next review reads its turns. */
  | { readonly type: 'review-stopped'; readonly sessionId: string; readonly at: number; readonly cost?: LearningCost }
  /** A due review does not start yet; told once for each interval that it waits. `turns`: unread. */
  | {
      readonly type: 'review-waits'
      readonly sessionId?: string
      readonly at: number
      /** `budget`, `tokens-per-day`: learning has taken its share. `breaker`: too many reviews in a row have failed. */
      readonly reason: WaitReason
      readonly turns: number
    }
  /** So many reviews have failed in a row that none starts by itself for a while. `until`: epoch milliseconds. */
  | { readonly type: 'learning-paused'; readonly sessionId: string; readonly at: number; readonly failures: number; readonly until: number }
  /**
   * A write to memory is on disk, whoever made it; one that changed no entry is no event. `actor`: the reviewer behind the turn, the agent's own tool, the
   * host's code, a person, or the curator. `removed`: replaced or removed. `evicted`: gone to the archive to make room.
   */
  | ({
      readonly type: 'memory-changed'
      readonly at: number
      /** The session that it came from, where it came from one. */
      readonly sessionId?: string
      readonly actor: MemoryWriter['actor']
      readonly target: MemoryTarget
    } & EntryChanges)
  /** What no review has read grew beyond its bound. `turns`: number of the oldest turns, which no review will read. */
  | { readonly type: 'turns-dropped'; readonly sessionId: string; readonly at: number; readonly turns: number }
  /** The host's own part failed or was called wrongly: its `background` threw, or a method of the session was given what is no turn, which then counts for nothing. */
  | {
      readonly type: 'host-failed'
      readonly sessionId: string
      readonly at: number
      /** `background`, or the name of the method. */
      readonly operation: string
      readonly error: HermesError
    }
  | CuratorEvent
  /**
   * A call or a tool was wired up wrongly, so it went without memory: nothing of anybody was put into its prompt, counted or written. The error says what
   * to write.
   */
  | {
      readonly type: 'wiring-failed'
      readonly sessionId?: string
      readonly at: number
      readonly mistake: WiringMistake
      readonly error: HermesError
    }
  /** A part of Hermes could not read or write; what was under way went on without it. Without a `sessionId` it was no session's work. */
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
  /** The call names no owner, or none that can be one, and its model serves many people. */
  | 'missing-owner'
  /** The model belongs to one session and the call names another. */
  | 'other-session'
  /** A tool was called by a model that belongs to another home, or a call is of another person than the home or the conversation it goes to. */
  | 'other-home'
  /** The call's options for Hermes cannot be read. */
  | 'invalid-option'

/** What an adapter found wrong. */
export interface WiringFailure {
  readonly mistake: WiringMistake
  /** Says what to write. */
  readonly message: string
  readonly cause?: unknown
}

export type HermesEventListener = (event: HermesEvent) => void

/** Without a `sessionId` the call belongs to no session. */
export const wiringEvent = ({ mistake, message, cause }: WiringFailure, clock: Clock, sessionId?: string): HermesEvent => ({
  type: 'wiring-failed',
  ...(sessionId === undefined ? {} : { sessionId }),
  at: clock(),
  mistake,
  error: new HermesError('invalid', message, cause === undefined ? {} : { cause }),
})
