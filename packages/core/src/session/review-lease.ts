/** The one review of a session that may be under way, in whichever process: what it takes from the record, and what comes back. Pure. */
import type { NudgeIntervals } from '../nudge/decide-nudges.ts'
import type { SessionRecord } from './session-record.ts'
import { isAwaited, type UnreadTurn } from './unread-turns.ts'

/** What a review covers: each counts on its own, and both may fall due at once. */
export interface ReviewScope {
  readonly memory: boolean
  readonly skills: boolean
}

/** `stopped`: called off before its model had answered; nothing was learned from it. */
export type ReviewFate = 'read' | 'failed' | 'stopped'

/** What no review of its kind has read. One of both kinds also reads what only one has read: it may not be learned from otherwise. */
const isFor = ({ readBy }: UnreadTurn, { memory, skills }: ReviewScope): boolean =>
  (memory && readBy !== 'memory') || (skills && readBy !== 'skills')

/** The counts of what is reviewed begin anew when the review starts; what it reads stays in the record until it has ended. */
export const startReview = (record: SessionRecord, at: number, scope: ReviewScope): SessionRecord => {
  const { turnsSinceReview: turns, iterationsSinceReview: iterations } = record
  const { memory, skills } = scope
  return {
    ...record,
    ...(memory ? { turnsSinceReview: 0 } : {}),
    ...(skills ? { iterationsSinceReview: 0 } : {}),
    unread: record.unread.map((turn) => (isFor(turn, scope) ? { ...turn, taken: true } : turn)),
    review: { startedAt: at, memory, skills, turns: memory ? turns : 0, iterations: skills ? iterations : 0 },
  }
}

const untaken = ({ taken: _, ...turn }: UnreadTurn): UnreadTurn => turn

const readTurn = (turn: UnreadTurn, { memory, skills }: ReviewScope, intervals: NudgeIntervals): readonly UnreadTurn[] => {
  if (!turn.taken) return [turn]
  const both = (memory || turn.readBy === 'memory') && (skills || turn.readBy === 'skills')
  const read: UnreadTurn = { ...untaken(turn), readBy: memory ? 'memory' : 'skills' }
  return both || !isAwaited(read, intervals) ? [] : [read]
}

/**
 * A review that failed, or whose process died, gives back what it had taken: the next one reads it too. The counts stay as they are, so that a model that
 * always fails is not asked after every turn. One that was stopped gives back its counts as well: it is due at the next turn.
 */
export const endReview = (record: SessionRecord, fate: ReviewFate, intervals: NudgeIntervals): SessionRecord => {
  const { review, ...rest } = record
  if (review === undefined) return record
  const { memory = false, skills = false, turns = 0, iterations = 0 } = review
  if (fate === 'read') return { ...rest, unread: rest.unread.flatMap((turn) => readTurn(turn, { memory, skills }, intervals)) }
  const givenBack = { ...rest, unread: rest.unread.map(untaken) }
  if (fate === 'failed') return givenBack
  const { turnsSinceReview, iterationsSinceReview } = rest
  return { ...givenBack, turnsSinceReview: turnsSinceReview + turns, iterationsSinceReview: iterationsSinceReview + iterations }
}

/** A review that has been under way for so long has died with its process. */
export const withoutStaleReview = (record: SessionRecord, at: number, staleAfterMs: number, intervals: NudgeIntervals): SessionRecord =>
  record.review !== undefined && at - record.review.startedAt > staleAfterMs ? endReview(record, 'failed', intervals) : record
