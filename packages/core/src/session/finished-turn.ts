/** A turn that has ended in this process and is not saved yet, and what of it is saved. Pure. */
import type { TurnMessage } from '../proposal/turn-message.ts'
import { splitTurns } from './turn.ts'
import type { UnnumberedTurn } from './unread-turns.ts'

export interface FinishedTurn {
  /** What was said in this turn alone. */
  readonly messages: readonly TurnMessage[]
  /** A tool was called in it. */
  readonly worked: boolean
  /** What the host showed before it. */
  readonly before: readonly TurnMessage[]
}

type HoldsOutside = (messages: readonly TurnMessage[]) => boolean

/** The turns that a prompt shows before its newest one, each with what was shown before it. */
export const turnsBeforeLast = (prompt: readonly TurnMessage[]): readonly FinishedTurn[] => {
  const turns = splitTurns(prompt)
  let start = prompt.length - turns.reduce((sum, turn) => sum + turn.length, 0)
  return turns.slice(0, -1).map((messages) => {
    const before = prompt.slice(0, start)
    start += messages.length
    return { messages, worked: false, before }
  })
}

/** Of what is not saved yet: does any of it, or what was shown before it, come from outside? */
export const wasOutsideInSight = (
  finished: readonly FinishedTurn[],
  waiting: readonly UnnumberedTurn[],
  holdsOutside: HoldsOutside,
): boolean =>
  waiting.some(({ outside, tainted }) => outside === true || tainted === true) ||
  finished.some(({ messages, before }) => holdsOutside(messages) || holdsOutside(before))
