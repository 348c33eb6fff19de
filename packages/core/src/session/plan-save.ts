/** What a save makes of a session's record, given what the home knows of the session. Pure. */
import { newReading, noteSession, type ReviewState, readingOf, type SavedCounts, type TurnCounts } from '../nudge/review-state.ts'
import { withoutTexts } from './proof.ts'
import { addDelta, countsOf, type SessionDelta, type SessionRecord } from './session-record.ts'
import { addTurns, type KeptText, type NewestTurn } from './turn.ts'
import type { UnnumberedTurn } from './unread-turns.ts'

/** Turns in the form in which they are stored. */
export interface TurnsToSave {
  /** From before the session had a record. */
  readonly before: readonly UnnumberedTurn[]
  readonly now: readonly UnnumberedTurn[]
}

/** What a process adds to the record. */
interface Addition {
  readonly delta: SessionDelta
  readonly said: TurnsToSave
  readonly turn: NewestTurn
  /** Counts of the checkpoint with which this process started the session, that were reviewed already. */
  readonly reviewed: TurnCounts | undefined
  /** Epoch milliseconds. */
  readonly at: number
}

interface PlannedSave {
  readonly record: SessionRecord
  /** Knows the session, unless it has no turns. */
  readonly state: ReviewState
  readonly counts: SavedCounts
  /** Text from outside was in sight before the turns of this save. */
  readonly tainted: boolean
  /** Number of unreviewed turns that were dropped for lack of room. */
  readonly dropped: number
}

/** `stored`: the record in the storage; undefined if there is none. `known`: the record to which the addition is made. */
export const planSave = (
  state: ReviewState,
  stored: SessionRecord | undefined,
  known: SessionRecord,
  { delta, said, turn, reviewed, at }: Addition,
  { intervals, keepText }: Pick<KeptText, 'intervals' | 'keepText'>,
): PlannedSave => {
  const isFirst = known.userTurns === 0
  const { earlier } = delta
  // Turns from before the session began that are too old to be reviewed.
  const skipped = isFirst && earlier ? { turns: earlier.turns - earlier.sinceReview, iterations: 0 } : undefined
  const before = skipped ?? (stored ? undefined : reviewed) ?? countsOf(known).reviewed
  const reading = readingOf(state, known)
  const { read } = reading ?? newReading({ ...countsOf(known), reviewed: before })
  const added = addDelta(known, delta, at)
  const proven = added.proof && !turn.turnOpen ? { proof: withoutTexts(added.proof) } : {}
  const turned: SessionRecord = {
    ...added,
    ...proven,
    turnOpen: turn.turnOpen,
    ...(turn.turnKey === undefined ? {} : { turnKey: turn.turnKey }),
  }
  const turns = [...(reviewed !== undefined || isFirst ? said.before : []), ...said.now]
  const { record, dropped } = addTurns(turned, turns, { intervals, keepText, read })
  const counts = { ...countsOf(record), reviewed: before }
  const isKnown = reading !== undefined || record.userTurns === 0
  return {
    record,
    state: isKnown ? state : noteSession(state, counts, at),
    counts,
    tainted: known.tainted || delta.tainted === true,
    dropped,
  }
}
