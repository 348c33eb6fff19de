/** What a save makes of a session's record, given what the home knows of the session. Pure. */
import type { AskedReview } from '../nudge/decide-review.ts'
import type { TurnCounts } from '../nudge/nudge-intervals.ts'
import { newReading, noteSession, type ReadMarks, type ReviewState, readingOf, type SavedCounts } from '../nudge/review-state.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { SessionOptions } from './session-home.ts'
import { changeRecord, countsOf, type RecordChange, type SessionRecord, withoutCalls } from './session-record.ts'
import type { NewestTurn } from './turn.ts'
import { appendTurn, boundTurns, isAwaited, type UnnumberedTurn, type UnreadTurn } from './unread-turns.ts'

/** Turns in the form in which they are stored. */
export interface TurnsToSave {
  /** From before the session had a record. */
  readonly before: readonly UnnumberedTurn[]
  readonly now: readonly UnnumberedTurn[]
  readonly newest: NewestTurn
  /** What the host showed for the newest finished turn; undefined if none has finished since the last save. */
  readonly shown: readonly TurnMessage[] | undefined
}

/** What a process adds to the record. */
interface Addition {
  readonly changes: readonly RecordChange[]
  /** Number of turns from before the session began that are too old to be reviewed; undefined if it began here. */
  readonly skipped: number | undefined
  readonly said: Omit<TurnsToSave, 'shown'>
  /** Counts of the checkpoint with which this process started the session, that were reviewed already. */
  readonly reviewed: TurnCounts | undefined
  /** Epoch milliseconds. */
  readonly at: number
}

/** What a save has stored. */
export interface SavedSession {
  /** The counts as saved; undefined if the session was forgotten meanwhile. */
  readonly counts: SavedCounts | undefined
  /** What the host showed for the newest finished turn; undefined if none has finished since the last save. */
  readonly shown: readonly TurnMessage[] | undefined
  /** Text from outside was in sight before the turns of this save. */
  readonly tainted: boolean
  /** Number of unreviewed turns that were dropped for lack of room. */
  readonly dropped: number
  /** Whether a review is due; undefined if no turn has finished. */
  readonly asked: AskedReview | undefined
}

export const NOTHING_SAVED: SavedSession = { counts: undefined, shown: undefined, tainted: false, dropped: 0, asked: undefined }

type KeptText = Pick<SessionOptions, 'intervals' | 'keepText'>

interface PlannedSave extends Pick<SavedSession, 'tainted' | 'dropped'> {
  readonly record: SessionRecord
  /** Knows the session, unless it has no turns. */
  readonly state: ReviewState
  readonly counts: SavedCounts
}

/** Numbers the turns, the newest with the record's count, and notes for each whether text from outside was in sight before it. */
const numbered = (record: SessionRecord, turns: readonly UnnumberedTurn[]) => {
  let { tainted } = record
  const first = record.userTurns - turns.length + 1
  const marked = turns.map((turn, index): UnreadTurn => {
    tainted ||= turn.tainted === true
    const next = { ...turn, number: Math.max(1, first + index), ...(tainted ? { tainted } : {}) }
    tainted ||= turn.outside === true
    return next
  })
  return { tainted, turns: marked }
}

/** Adds finished turns to their session's record, within the limits. `record` already counts them. `read`: which turns each pass has read. */
export const addTurns = (
  before: SessionRecord,
  said: readonly UnnumberedTurn[],
  { intervals, read, keepText }: KeptText & { readonly read: ReadMarks },
): Pick<PlannedSave, 'record' | 'dropped'> => {
  const { tainted, turns } = numbered(before, said)
  // Behind text from outside nothing that the assistant says is its own, so its answers need no proof.
  const proof = tainted && before.proof ? { proof: { ...before.proof, answered: [] } } : {}
  const record = { ...before, tainted, ...proof }
  if (!keepText) return { record: { ...record, unread: [] }, dropped: 0 }
  const unread = turns.reduce(appendTurn, record.unread)
  const bounded = boundTurns(unread.filter((turn) => isAwaited(turn, read, intervals)))
  return { record: { ...record, unread: bounded.turns }, dropped: bounded.dropped }
}

/** `stored`: the record in the storage; undefined if there is none. `known`: the record to which the addition is made. */
export const planSave = (
  state: ReviewState,
  stored: SessionRecord | undefined,
  known: SessionRecord,
  { changes, skipped, said, reviewed, at }: Addition,
  kept: KeptText,
): PlannedSave => {
  const isFirst = known.userTurns === 0
  const tooOld = isFirst && skipped !== undefined ? { turns: skipped, iterations: 0 } : undefined
  const before = tooOld ?? (stored ? undefined : reviewed) ?? countsOf(known).reviewed
  const reading = readingOf(state, known)
  const { read } = reading ?? newReading({ ...countsOf(known), reviewed: before })
  const changed = changes.reduce(changeRecord, known)
  const { turnKey, turnOpen, asked } = said.newest
  const turned: SessionRecord = {
    ...(turnOpen ? changed : withoutCalls(changed)),
    updatedAt: at,
    turnOpen,
    asked,
    ...(turnKey === undefined ? {} : { turnKey }),
  }
  const turns = [...(reviewed !== undefined || isFirst ? said.before : []), ...said.now.map((turn) => ({ ...turn, at }))]
  const { record, dropped } = addTurns(turned, turns, { ...kept, read })
  const counts = { ...countsOf(record), reviewed: before }
  const isKnown = reading !== undefined || record.userTurns === 0
  return { record, state: isKnown ? state : noteSession(state, counts, at), counts, tainted: changed.tainted, dropped }
}
