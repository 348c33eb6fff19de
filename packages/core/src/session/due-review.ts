/** Which review falls due with a save, and what it reads (seed 001 section 1, reference hermes-memory 9). Pure. */
import { decideNudges, type NudgeIntervals } from '../nudge/decide-nudges.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { type ReviewScope, startReview } from './review-lease.ts'
import type { SessionRecord } from './session-record.ts'
import { appendTurn, boundTurns, isAwaited, type UnreadTurn } from './unread-turns.ts'

export interface DueReview extends ReviewScope {
  /** Epoch milliseconds; names the review when it ends. */
  readonly startedAt: number
  /** User turns since the last memory review. */
  readonly turns: number
  /** Model steps that called tools, since the last skill review. */
  readonly iterations: number
  /** What no review of its kind has read. */
  readonly conversation: readonly TurnMessage[]
  /** What the host showed for the newest turn, the reply included. */
  readonly shown: readonly TurnMessage[]
  /** Names of the skills that the agent loaded in this session, oldest first. */
  readonly loadedSkills: readonly string[]
}

export interface RecordWithReview {
  readonly record: SessionRecord
  readonly due?: DueReview
  /** Unread turns for which there was no room. */
  readonly dropped: number
}

export interface TurnsToSave {
  readonly turns: readonly UnreadTurn[]
  /** What the host showed for the newest turn; undefined where no turn has ended. */
  readonly shown: readonly TurnMessage[] | undefined
}

export interface DueReviewOptions {
  readonly intervals: NudgeIntervals
  /** False: no text is kept, and a review reads what the host shows. */
  readonly keepText: boolean
  /** Epoch milliseconds. */
  readonly at: number
}

const withTurns = (record: SessionRecord, turns: readonly UnreadTurn[], { intervals, keepText }: DueReviewOptions) => {
  if (!keepText) return { record: { ...record, unread: [] }, dropped: 0 }
  const unread = turns.reduce(appendTurn, record.unread)
  const bounded = boundTurns(unread.filter((turn) => turn.taken === true || isAwaited(turn, intervals)))
  return { record: { ...record, unread: bounded.turns }, dropped: bounded.dropped }
}

export const takeDueReview = (before: SessionRecord, { turns, shown }: TurnsToSave, options: DueReviewOptions): RecordWithReview => {
  const { intervals, keepText, at } = options
  const { record, dropped } = withTurns(before, turns, options)
  const { memory, skill: skills } = decideNudges(record, intervals)
  // Never two at once, in whichever process. What falls due meanwhile stays due: the turn after the review ends starts the next.
  if (shown === undefined || record.review !== undefined || !(memory || skills)) return { record, dropped }
  const started = startReview(record, at, { memory, skills })
  const { turnsSinceReview, iterationsSinceReview, loadedSkills = [] } = record
  const taken = started.unread.filter((turn) => turn.taken)
  const conversation = keepText ? taken.flatMap(({ messages }) => messages) : shown
  const due = {
    startedAt: at,
    memory,
    skills,
    turns: turnsSinceReview,
    iterations: iterationsSinceReview,
    conversation,
    shown,
    loadedSkills,
  }
  // What no review will ever ask for is not counted for one.
  const counts = {
    ...(intervals.memoryInterval <= 0 ? { turnsSinceReview: 0 } : {}),
    ...(intervals.skillInterval <= 0 ? { iterationsSinceReview: 0 } : {}),
  }
  return { record: { ...started, ...counts }, due, dropped }
}
