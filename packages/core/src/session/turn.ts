/**
 * Tells a user turn from a step of the tool loop, a retry, a tool result and a regeneration, by the prompt alone: an adapter that sees model calls
 * sees nothing else (ecosystem 1.3). Pure.
 */

import type { NudgeIntervals } from '../nudge/decide-review.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import type { SessionRecord } from './session-record.ts'
import { appendTurn, boundTurns, isAwaited, type UnnumberedTurn, type UnreadTurn } from './unread-turns.ts'

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

// A turn that has ended in this process and is not saved yet, and the part of it that is saved.

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

interface OpenTurns {
  /** True where the prompt begins a turn, and is no step, retry or regeneration. */
  begin(prompt: readonly TurnMessage[], userTurns: number): boolean
  noteTools(prompt: readonly TurnMessage[]): void
  /** Undefined where the answer belongs to no open turn: a regeneration. `said`: the prompt and the reply. */
  finish(said: readonly TurnMessage[]): FinishedTurn | undefined
  /** Of the newest turn: what another process needs to go on with it. */
  readonly newest: { readonly turnKey: string | undefined; readonly turnOpen: boolean }
}

interface OpenTurn {
  readonly words: readonly TurnMessage[]
  worked: boolean
}

/** Turns that were aborted never close; more than these are not kept in mind. */
const MAX_OPEN = 100

const NONE: readonly TurnMessage[] = []

/** The turns of a session that are under way in this process: begun by a prompt, closed by a finished answer. Several may be at once. */
export const createOpenTurns = (before: { readonly turnKey?: string | undefined; readonly turnOpen: boolean }): OpenTurns => {
  let turnKey = before.turnKey
  // A Map keeps the order of insertion, so the first key is that of the turn begun longest ago.
  const open = new Map<string, OpenTurn>()
  if (turnKey !== undefined && before.turnOpen) open.set(turnKey, { words: NONE, worked: false })

  const find = (prompt: readonly TurnMessage[]): string | undefined => {
    const key = turnKeyOf(prompt)
    if (key !== undefined && open.has(key)) return key
    // The key of a turn stays, unless the host has cut or rewritten the prompt in the middle of it: then it is the newest.
    return key !== turnKey && turnKey !== undefined && open.has(turnKey) ? turnKey : undefined
  }

  return {
    begin(prompt, userTurns) {
      const key = newTurnKey({ turnKey, openKeys: new Set(open.keys()), userTurns }, prompt)
      if (key === undefined) return false
      turnKey = key
      open.set(key, { words: splitTurn(newestTurn(prompt) ?? NONE).words, worked: false })
      const [oldest] = open.keys()
      if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest)
      return true
    },
    noteTools(prompt) {
      const turn = open.get(find(prompt) ?? '')
      if (turn) turn.worked = true
    },
    finish(said) {
      const key = find(said)
      const turn = key === undefined ? undefined : open.get(key)
      if (key === undefined || turn === undefined) return undefined
      open.delete(key)
      const shown = newestTurn(said) ?? said
      // As long as the key is the turn's own, so are the words; otherwise those it began with are the true ones.
      const messages = key === turnKeyOf(said) || turn.words.length === 0 ? shown : [...turn.words, ...splitTurn(shown).rest]
      return { messages, worked: turn.worked, before: said.slice(0, said.length - shown.length) }
    },
    get newest() {
      return { turnKey, turnOpen: turnKey !== undefined && open.has(turnKey) }
    },
  }
}

// Adds the turns that have ended to the record of their session, each with its number and what was in sight before it, within the bound.

interface KeptText {
  readonly intervals: NudgeIntervals
  /** False: no text is kept, and a review reads what the host shows. The turns then hold no messages. */
  readonly keepText: boolean
}

interface RecordWithTurns {
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
