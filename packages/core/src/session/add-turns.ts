/** Adds the turns that have ended to the record of their session, each with its number and what was in sight before it, within the bound. Pure. */
import type { NudgeIntervals } from '../nudge/decide-review.ts'
import type { SessionRecord } from './session-record.ts'
import { appendTurn, boundTurns, isAwaited, type UnnumberedTurn, type UnreadTurn } from './unread-turns.ts'

export interface KeptText {
  readonly intervals: NudgeIntervals
  /** False: no text is kept, and a review reads what the host shows. The turns then hold no messages. */
  readonly keepText: boolean
}

export interface RecordWithTurns {
  readonly record: SessionRecord
  /** Turns that no review has read and for which there is no room any more. */
  readonly dropped: number
}

/** Each turn knows what was in sight before it, in whichever process that was said. The newest has the number of the record. */
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

/** `record` counts the turns already. */
export const addTurns = (before: SessionRecord, said: readonly UnnumberedTurn[], { intervals, keepText }: KeptText): RecordWithTurns => {
  const { tainted, turns } = numbered(before, said)
  const record = { ...before, tainted }
  if (!keepText) return { record: { ...record, unread: [] }, dropped: 0 }
  const unread = turns.reduce(appendTurn, record.unread)
  const bounded = boundTurns(unread.filter((turn) => isAwaited(turn, record.read, intervals)))
  return { record: { ...record, unread: bounded.turns }, dropped: bounded.dropped }
}
