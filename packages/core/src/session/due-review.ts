/** A review that is to run now: what it reads, of which sessions, and what the host showed. */

import type { ReviewScope } from '../nudge/review-state.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'

/** A turn that a pass of the review has yet to read. */
export interface TurnToRead {
  readonly sessionId: string
  readonly messages: readonly TurnMessage[]
  /** Text from outside was in sight before it. */
  readonly tainted?: boolean
  /** The passes that have not read it. */
  readonly readers: ReviewScope
  /** There was no room for its text from outside, which a later review reads. */
  readonly outsideWaits?: boolean
}

export interface DueReview {
  /** Names the review: higher than that of every review before. */
  readonly fence: number
  readonly scope: ReviewScope
  /** User turns since the last review of memory. */
  readonly turns: number
  /** Model steps that called tools, since the last review of skills. */
  readonly iterations: number
  /** What no review of its kind has read, session by session, oldest first; the session that it began with comes last. */
  readonly conversation: readonly TurnToRead[]
  /** What the host showed for the newest turn, the reply included; empty where no turn has just ended. */
  readonly shown: readonly TurnMessage[]
  /** Text from outside was in sight before what the host showed. */
  readonly tainted: boolean
  /** Names of the skills that the agent loaded in these sessions. */
  readonly loadedSkills: readonly string[]
}
