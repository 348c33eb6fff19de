/**
 * Tells a user turn from a step of the tool loop, a retry, a tool result and a regeneration, by the prompt alone: an adapter that sees model calls
 * sees nothing else (ecosystem 1.3). Pure.
 */
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { fingerprint } from '../shared/fingerprint.ts'

export interface TurnState {
  /** Key of the newest turn; undefined before the first. */
  readonly turnKey: string | undefined
  /** False once the model has finished its answer to that turn. */
  readonly turnOpen: boolean
  readonly userTurns: number
}

export const countUserMessages = (prompt: readonly TurnMessage[]): number => prompt.filter(isOwnMessage).length

/**
 * Number of user messages, the last of them, and what was said right before it: a host that shows a window of fixed size has the same number and, when the user
 * says "go on" twice, the same last message.
 */
const keyOf = (prompt: readonly TurnMessage[], last: TurnMessage): string => {
  const before = prompt.slice(0, prompt.indexOf(last)).findLast((message) => message.role === 'assistant' && message.text !== '')
  return [countUserMessages(prompt), fingerprint(last.text), fingerprint(before?.text ?? '')].join(':')
}

/** The key of the user turn this prompt begins, or undefined where it begins none. */
export const newTurnKey = (state: TurnState, prompt: readonly TurnMessage[]): string | undefined => {
  // A file attached to the user's message stands behind it and is still the user's turn.
  const last = prompt.findLast((message) => message.role !== 'user' || isOwnMessage(message))
  if (last === undefined || last.role !== 'user') return undefined
  const key = keyOf(prompt, last)
  if (key !== state.turnKey) return key
  if (state.turnOpen) return undefined
  // The same words again after a finished turn: a regeneration, unless the host keeps no history and the user simply repeats himself.
  const hostKeepsNoHistory = countUserMessages(prompt) === 1 && prompt.every((message) => message.role === 'user') && state.userTurns > 1
  return hostKeepsNoHistory ? key : undefined
}

/** The messages of the newest turns, so many of them: from the user message on that begins the first. All where there are not so many. */
export const newestTurns = (messages: readonly TurnMessage[], turns: number): readonly TurnMessage[] => {
  const starts = messages.flatMap((message, index) => (isOwnMessage(message) ? [index] : []))
  return messages.slice(starts.at(-Math.max(1, turns)) ?? 0)
}
