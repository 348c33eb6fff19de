/**
 * Tells a user turn from a step of the tool loop, a retry, a tool result and a regeneration, by the prompt alone: an adapter that sees model calls
 * sees nothing else (ecosystem 1.3). Pure.
 */
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { fingerprint } from '../shared/fingerprint.ts'

export interface TurnState {
  /** Key of the newest turn; undefined before the first. */
  readonly turnKey: string | undefined
  /** Of the turns that the model has not finished its answer to. */
  readonly openKeys: ReadonlySet<string>
  /** Finished so far. */
  readonly userTurns: number
}

const countUserMessages = (prompt: readonly TurnMessage[]): number => prompt.filter(isOwnMessage).length

/**
 * Number of user messages, the last of them, and what was said right before it: a host that shows a window of fixed size has the same number and, when the user
 * says "go on" twice, the same last message. The same in every step of the turn. Undefined where the prompt shows no word of the user.
 */
export const turnKeyOf = (prompt: readonly TurnMessage[]): string | undefined => {
  const at = prompt.findLastIndex(isOwnMessage)
  const last = prompt[at]
  if (last === undefined) return undefined
  const before = prompt.slice(0, at).findLast((message) => message.role === 'assistant' && message.text !== '')
  return [countUserMessages(prompt), fingerprint(last.text), fingerprint(before?.text ?? '')].join(':')
}

/** The key of the user turn this prompt begins, or undefined where it begins none. */
export const newTurnKey = (state: TurnState, prompt: readonly TurnMessage[]): string | undefined => {
  // A file attached to the user's message stands behind it and is still the user's turn.
  const last = prompt.findLast((message) => message.role !== 'user' || isOwnMessage(message))
  if (last === undefined || last.role !== 'user') return undefined
  const key = turnKeyOf(prompt)
  if (key === undefined || state.openKeys.has(key)) return undefined
  if (key !== state.turnKey) return key
  // The same words again after a finished turn: a regeneration, unless the host keeps no history and the user simply says the same again.
  const hostKeepsNoHistory = countUserMessages(prompt) === 1 && prompt.every((message) => message.role === 'user') && state.userTurns > 1
  return hostKeepsNoHistory ? key : undefined
}

/** User messages in a row begin a turn together, in whichever order a file and the question about it stand. */
const beginsTurn = (messages: readonly TurnMessage[], index: number): boolean => {
  if (messages[index]?.role !== 'user' || messages[index - 1]?.role === 'user') return false
  let at = index
  for (let message = messages[at]; message?.role === 'user'; message = messages[++at]) if (isOwnMessage(message)) return true
  return false
}

/** The turns that a prompt shows, oldest first; what stands before the first word of the user belongs to none. */
export const splitTurns = (messages: readonly TurnMessage[]): readonly (readonly TurnMessage[])[] => {
  const starts = messages.flatMap((_, index) => (beginsTurn(messages, index) ? [index] : []))
  return starts.map((start, at) => messages.slice(start, starts[at + 1]))
}

/** The newest turn that a prompt shows; undefined where it shows no word of the user. */
export const newestTurn = (messages: readonly TurnMessage[]): readonly TurnMessage[] | undefined => {
  const start = messages.findLastIndex((_, index) => beginsTurn(messages, index))
  return start < 0 ? undefined : messages.slice(start)
}

/** What the user said to begin a turn, with all that came along, and what was said after it. */
export const splitTurn = (
  turn: readonly TurnMessage[],
): { readonly words: readonly TurnMessage[]; readonly rest: readonly TurnMessage[] } => {
  const behind = turn.findIndex(({ role }) => role !== 'user')
  const at = behind < 0 ? turn.length : behind
  return { words: turn.slice(0, at), rest: turn.slice(at) }
}
