/** Which review falls due with a save, and what it reads (seed 001 section 1, reference hermes-memory 9). Pure. */
import { decideNudges, type NudgeIntervals } from '../nudge/decide-nudges.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { type ReviewScope, startReview } from './review-lease.ts'
import { type SessionRecord, toTurnMessages } from './session-record.ts'
import { countUserMessages, newestTurns } from './turn.ts'
import { nextBacklog } from './turn-backlog.ts'

export interface DueReview extends ReviewScope {
  /** Epoch milliseconds; names the review when it ends. */
  readonly startedAt: number
  /** User turns since the last memory review. */
  readonly turns: number
  /** Model steps that called tools, since the last skill review. */
  readonly iterations: number
  /** The host's last prompt does not hold all of the conversation: it was kept from one turn to the next. */
  readonly fromBacklog: boolean
  readonly conversation: readonly TurnMessage[]
  /** Names of the skills that the agent loaded in this session, oldest first. */
  readonly loadedSkills: readonly string[]
}

export interface RecordWithReview {
  readonly record: SessionRecord
  readonly due?: DueReview
}

type FinishedTurns = readonly (readonly TurnMessage[])[]

const withTurns = (record: SessionRecord, finishedTurns: FinishedTurns): SessionRecord => {
  const behind = (index: number): number => finishedTurns.length - 1 - index
  const backlog = finishedTurns.reduce(
    (kept, turn, index) => nextBacklog(kept, turn, Math.max(1, record.turnsSinceReview - behind(index))),
    toTurnMessages(record.backlog),
  )
  return { ...record, backlog }
}

const conversationOf = (record: SessionRecord, shown: readonly TurnMessage[], skills: boolean) => {
  const { turnsSinceReview, backlog, skillBacklog } = record
  const kept = toTurnMessages(backlog)
  // A review that failed has given back turns which the count, begun anew, does not know of.
  const fromBacklog = kept.length > 0 && countUserMessages(shown) < Math.max(turnsSinceReview, countUserMessages(kept))
  const conversation = fromBacklog ? kept : shown
  const earlier = skills ? toTurnMessages(skillBacklog) : []
  if (earlier.length === 0) return { fromBacklog, conversation }
  return { fromBacklog: true, conversation: [...earlier, ...(fromBacklog ? conversation : newestTurns(shown, turnsSinceReview))] }
}

/** `finishedTurns`: for each turn that ended since the last save, what the host showed for it. */
export const takeDueReview = (
  before: SessionRecord,
  finishedTurns: FinishedTurns,
  intervals: NudgeIntervals,
  at: number,
): RecordWithReview => {
  const shown = finishedTurns.at(-1)
  if (shown === undefined) return { record: before }
  const record = withTurns(before, finishedTurns)
  const { turnsSinceReview: turns, iterationsSinceReview: iterations, loadedSkills = [] } = record
  const { memory, skill: skills } = decideNudges(record, intervals)
  // Never two at once, in whichever process. What falls due meanwhile stays due: the turn after the review ends starts the next.
  if (record.review !== undefined || !(memory || skills)) return { record }
  const due = { startedAt: at, memory, skills, turns, iterations, loadedSkills, ...conversationOf(record, shown, skills) }
  // What no review will ever ask for is not kept for one.
  const taken = { memory: memory || intervals.memoryInterval <= 0, skills: skills || intervals.skillInterval <= 0 }
  return { record: startReview(record, at, taken), due }
}
