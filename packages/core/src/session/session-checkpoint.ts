/** What a framework's own durable state kept of a session: stands in for a session record that the storage does not have. */
import { DEFAULT_SKILL_NUDGE_INTERVAL, hydrateTurnCount } from '../nudge/decide-nudges.ts'
import type { SessionRecord } from './session-record.ts'

export interface SessionCheckpoint {
  /** The frozen text. */
  readonly block: string
  /** User turns since the session began. */
  readonly userTurns: number
  /** Model steps that called tools since the session began. */
  readonly toolIterations: number
}

/** The text stays frozen, and the counts go on where they would be. Pure. */
export const fromCheckpoint = (fresh: SessionRecord, checkpoint: SessionCheckpoint, memoryInterval: number): SessionRecord => ({
  ...fresh,
  block: checkpoint.block,
  userTurns: checkpoint.userTurns,
  turnsSinceReview: hydrateTurnCount(checkpoint.userTurns, memoryInterval),
  iterationsSinceReview: hydrateTurnCount(checkpoint.toolIterations, DEFAULT_SKILL_NUDGE_INTERVAL),
})
