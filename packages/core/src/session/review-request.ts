/** Reviews as those see them who ask for one: what is due, what it reads, how it ends. */
import type { HostModel } from '../model/host-model.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { ReviewAnswer, WaitReason } from '../nudge/decide-review.ts'
import type { ReadMarks, ReviewScope, SavedCounts, SessionReading } from '../nudge/review-state.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { ReviewKind } from '../review/propose/review-proposer.ts'
import type { ReviewOutcome } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { FailedUse } from './session-record-schema.ts'

/** A turn that at least one pass of the review has to read. */
export interface TurnToRead {
  readonly sessionId: string
  /** Of its session. */
  readonly project?: string
  readonly messages: readonly TurnMessage[]
  /** When it was said, in epoch milliseconds; 0 if nobody knows. Undefined: about now. */
  readonly at?: number
  /** Text from outside was in sight before this turn. */
  readonly tainted?: boolean
  /** The passes that have not read it yet. */
  readonly readers: ReviewScope
  /** There was no room for its text from outside; a later review reads that. */
  readonly outsideWaits?: boolean
}

export interface FailedUseOf extends FailedUse {
  readonly sessionId: string
}

/** A review that is due now: which sessions and turns it reads, and what the host showed. */
export interface DueReview {
  /** Number of the review, higher than that of every earlier review. */
  readonly fence: number
  readonly scope: ReviewScope
  /** No later review reads the same turns, even if its proposals cannot be written. */
  readonly isLastTry: boolean
  /** The last review of the home failed, so that turns may be read again. */
  readonly isRetry: boolean
  /** User turns since the last memory review. */
  readonly turns: number
  /** Model steps that called tools, since the last skill review. */
  readonly iterations: number
  /** Unread turns by session, oldest first; the session that started the review comes last. */
  readonly conversation: readonly TurnToRead[]
  /** Messages that the host showed for the newest turn, the reply included; empty if no turn has just ended. */
  readonly shown: readonly TurnMessage[]
  /** Of the session that shows them. */
  readonly project?: string | undefined
  /** Text from outside was in sight before the shown messages. */
  readonly tainted: boolean
  /** Names of the skills that the agent loaded in these sessions. */
  readonly loadedSkills: readonly string[]
  /** Turns that no review of skills has read, which loaded a skill and in which a tool failed; oldest first in each session. */
  readonly failedUses: readonly FailedUseOf[]
}

/** A review that holds the lease of its home. */
export interface BegunReview {
  readonly due: DueReview
  /** For each session, the turn up to which each pass has read it; includes sessions with nothing left to read. */
  readonly readTo: ReadonlyMap<string, ReadMarks>
  /** Sessions whose records are missing or broken. They start again with their next turn. */
  readonly gone: readonly SessionReading[]
}

/** What prompted the question whether a review is due. */
export interface ReviewOccasion {
  /** See `ReviewQuestion.why`. */
  readonly why: 'turn' | 'end' | 'request'
  /** What the session has just saved. */
  readonly saved?: SavedCounts | undefined
  /** Of that session. */
  readonly project?: string | undefined
  /** Messages that the host showed for the newest turn. */
  readonly shown?: readonly TurnMessage[] | undefined
  /** Text from outside was in sight before the shown messages. */
  readonly tainted?: boolean | undefined
  /** Time of the home's turn before the newest one, in epoch milliseconds. */
  readonly before?: number | undefined
  readonly minTurns?: number | undefined
  /** True: a worker runs the review, so that a due one is only reported. Default false. */
  readonly isQueued?: boolean
}

export type BeginAnswer =
  | { readonly kind: 'begun'; readonly review: BegunReview }
  /** If `isQueued`. `fence`: number of the home's newest review. */
  | { readonly kind: 'due'; readonly fence: number }
  /** `isFirstReport`: true the first time that this wait is reported. */
  | (Extract<ReviewAnswer, { kind: 'waits' }> & { readonly isFirstReport: boolean })
  | Exclude<ReviewAnswer, { kind: 'start' } | { kind: 'waits' }>

export interface ReviewRequest {
  readonly sessionId?: string | undefined
  /** Used for this review instead of the model in the settings. */
  readonly ownModel?: HostModel | undefined
  /** The host's model, used if no other is set for reviews. */
  readonly model?: HostModel | undefined
  readonly signal?: AbortSignal | undefined
  /** Of the act that the review is a part of. */
  readonly reviewId?: string | undefined
  /** Called with the tokens of each review that called a model. */
  readonly onCost?: ((cost: LearningCost) => void) | undefined
}

/** Result of a request for a review. */
export type ReviewRun =
  /** `turns`: number of turns read. */
  | { readonly kind: 'reviewed'; readonly turns: number; readonly outcome: ReviewOutcome }
  /** Fewer turns are unread than required; they stay unread. */
  | { readonly kind: 'nothing-due'; readonly unreadTurns: number }
  /** Another review of this home is running; it or the next one reads the unread turns. */
  | { readonly kind: 'busy' }
  /** Learning has used its share of tokens, or is paused after failures. */
  | { readonly kind: 'waits'; readonly reason: WaitReason }
  /** The review was cancelled; its turns are unread again. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'no-model' }
  /** A review is due and was added to `review.queue`, where a worker finds it. */
  | { readonly kind: 'queued' }

export interface ReviewSettings {
  readonly mode: 'digest' | 'replay'
  /** `manual`: no review starts by itself. Default `automatic`. */
  readonly start?: 'automatic' | 'manual'
  /** A model for reviews only. Default: the host's own. */
  readonly model?: HostModel | undefined
  /** Maximum for both passes of one review together; the second has at least 4,000 all the same. */
  readonly maxInputTokens: number
  readonly maxOutputTokens: number
  /** Maximum for reviews of skills; at least `maxOutputTokens`. */
  readonly maxSkillOutputTokens: number
  /** Milliseconds for all calls of one review together. */
  readonly timeoutMs: number
  readonly maxProposals: number
  /** The user's. Default: that of the system. */
  readonly timeZone?: string | undefined
}

/** The kind of one pass. */
export const kindOfPass = ({ memory, skills }: { readonly memory: boolean; readonly skills: boolean }): ReviewKind =>
  skills ? (memory ? 'both' : 'skills') : 'memory'

/** The kind of the whole review. */
export const kindOf = ({ scope: { words, everything, skills } }: DueReview): ReviewKind =>
  kindOfPass({ memory: words || everything, skills })

export const CALLED_OFF = new HermesError(
  'timeout',
  'The review was cancelled, because Hermes is being closed, or its session or a text was forgotten.',
)
