/** A review that is due now: which sessions and turns it reads, and what the host showed. */

import type { ReviewScope } from '../nudge/review-state.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'

/** A turn that at least one pass of the review has to read. */
export interface TurnToRead {
  readonly sessionId: string
  readonly messages: readonly TurnMessage[]
  /** Text from outside was in sight before this turn. */
  readonly tainted?: boolean
  /** The passes that have not read it yet. */
  readonly readers: ReviewScope
  /** There was no room for its text from outside; a later review reads that. */
  readonly outsideWaits?: boolean
}

export interface DueReview {
  /** Number of the review, higher than that of every earlier review. */
  readonly fence: number
  readonly scope: ReviewScope
  /** No later review reads the same turns, even if its proposals cannot be written. */
  readonly isLastTry: boolean
  /** The previous review has failed, so that turns are read again. */
  readonly isRetry: boolean
  /** User turns since the last memory review. */
  readonly turns: number
  /** Model steps that called tools, since the last skill review. */
  readonly iterations: number
  /** Unread turns by session, oldest first; the session that started the review comes last. */
  readonly conversation: readonly TurnToRead[]
  /** Messages that the host showed for the newest turn, the reply included; empty if no turn has just ended. */
  readonly shown: readonly TurnMessage[]
  /** Text from outside was in sight before the shown messages. */
  readonly tainted: boolean
  /** Names of the skills that the agent loaded in these sessions. */
  readonly loadedSkills: readonly string[]
}
