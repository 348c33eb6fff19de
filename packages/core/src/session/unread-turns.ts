/**
 * What was said in turns that a review has yet to read: credentials redacted, bounded, and kept in the session record until then. What the host shows in a
 * later prompt plays no part, so a window or a summary loses nothing. Pure.
 */
import type { NudgeIntervals } from '../nudge/decide-nudges.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { redactCredentials } from '../shared/credentials/redact-credentials.ts'

export interface UnreadTurn {
  readonly messages: readonly TurnMessage[]
  /** A tool was called in it. */
  readonly tools?: boolean
  /** A review of skills has to read it: it used tools, or answers to one that did. Others it reads where they are still here. */
  readonly forSkills?: boolean
  /** The kind of review that has read it; what both have read is gone. */
  readonly readBy?: 'memory' | 'skills'
  /** The review under way is reading it. */
  readonly taken?: boolean
}

/** In characters (UTF-16 units). */
export const UNREAD_LIMITS = {
  /** Of all turns together, those that a review is reading left aside. */
  chars: 64_000,
  turnChars: 32_000,
  message: { user: 8_000, assistant: 4_000, tool: 2_000 },
  /** Of older turns, where the room gets short. The user's words stay as they are. */
  shortMessage: { user: 8_000, assistant: 400, tool: 200 },
} as const

/** JSON around a message, so that many empty ones count too. */
const FRAME_CHARS = 60

const CUT_MARK = ' […] '

type Limits = Readonly<Record<TurnMessage['role'], number>>

const isInsideWord = (text: string, index: number): boolean => {
  const unit = text.charCodeAt(index)
  return unit > 0x20 && unit < 0x7f
}

/** Beginning and end of a text. No part of a word is left at the cut: it may be part of a secret, which nobody would find any more. */
const cutTo = (limit: number, text: string): string => {
  if (text.length <= limit) return text
  const half = Math.floor((limit - CUT_MARK.length) / 2)
  let end = half
  let start = text.length - half
  while (end > 0 && isInsideWord(text, end)) end--
  while (start < text.length && isInsideWord(text, start - 1)) start++
  return `${text.slice(0, end)}${CUT_MARK}${text.slice(start)}`.toWellFormed()
}

/** A key in several lines, of which a cut could leave lines that nothing shows to be part of one. */
const keyBlock = /-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY-----[^-]*/g

const limitOf = ({ role, outside }: TurnMessage, limits: Limits): number => limits[role === 'user' && outside === true ? 'tool' : role]

const shortened = (messages: readonly TurnMessage[], limits: Limits): readonly TurnMessage[] =>
  messages.map((message) => ({ ...message, text: cutTo(limitOf(message, limits), message.text) }))

const charsOf = (messages: readonly TurnMessage[]): number => messages.reduce((sum, { text }) => sum + text.length + FRAME_CHARS, 0)

/** Of a turn that is too long: what its user said first, and the newest of the rest. */
const fitted = (messages: readonly TurnMessage[]): readonly TurnMessage[] => {
  if (charsOf(messages) <= UNREAD_LIMITS.turnChars) return messages
  const short = shortened(messages, UNREAD_LIMITS.shortMessage)
  const words = short.slice(
    0,
    Math.max(
      1,
      short.findIndex(({ role }) => role !== 'user'),
    ),
  )
  let room = UNREAD_LIMITS.turnChars - charsOf(words)
  const rest: TurnMessage[] = []
  for (const message of short.slice(words.length).reverse()) {
    room -= charsOf([message])
    if (room < 0) break
    rest.push(message)
  }
  return [...words, ...rest.reverse()]
}

/** As it is kept: cut first, so that finding credentials takes a bounded time whatever was said. */
const keptMessages = (messages: readonly TurnMessage[]): readonly TurnMessage[] => {
  const whole = messages.map(({ role, text, toolNames, outside }) => ({
    role,
    text: text.replace(keyBlock, '[redacted: a key]'),
    ...(toolNames === undefined ? {} : { toolNames }),
    ...(outside === undefined ? {} : { outside }),
  }))
  const redacted = fitted(shortened(whole, UNREAD_LIMITS.message)).map((message) => ({ ...message, text: redactCredentials(message.text) }))
  return shortened(redacted, UNREAD_LIMITS.message)
}

/** `worked`: tools were called, also where no message shows it. */
export const toUnreadTurn = (messages: readonly TurnMessage[], worked: boolean): UnreadTurn => {
  const usedTools = worked || messages.some(({ role, toolNames = [] }) => role === 'tool' || toolNames.length > 0)
  return { messages: keptMessages(messages), ...(usedTools ? { tools: true } : {}) }
}

/** A review that can come has yet to read it. */
export const isAwaited = ({ readBy, forSkills }: UnreadTurn, { memoryInterval, skillInterval }: NudgeIntervals): boolean =>
  (memoryInterval > 0 && readBy !== 'memory') || (skillInterval > 0 && forSkills === true && readBy !== 'skills')

export const appendTurn = (turns: readonly UnreadTurn[], turn: UnreadTurn): readonly UnreadTurn[] => [
  ...turns,
  turn.tools === true || turns.at(-1)?.tools === true ? { ...turn, forSkills: true } : turn,
]

export interface BoundedTurns {
  readonly turns: readonly UnreadTurn[]
  /** Turns that found no room and that no review has read. */
  readonly dropped: number
}

/** Older turns are shortened first; then the oldest go. Those that a review is reading take no room. */
export const boundTurns = (turns: readonly UnreadTurn[]): BoundedTurns => {
  let excess = turns.reduce((sum, { taken, messages }) => sum + (taken ? 0 : charsOf(messages)), -UNREAD_LIMITS.chars)
  if (excess <= 0) return { turns, dropped: 0 }
  const short = turns.map((turn): UnreadTurn => {
    if (turn.taken || excess <= 0) return turn
    const messages = shortened(turn.messages, UNREAD_LIMITS.shortMessage)
    excess -= charsOf(turn.messages) - charsOf(messages)
    return { ...turn, messages }
  })
  const kept = short.filter(({ taken, messages }) => {
    if (taken || excess <= 0) return true
    excess -= charsOf(messages)
    return false
  })
  return { turns: kept, dropped: short.length - kept.length }
}

/** Does a prompt show all that the user said in these messages? */
export const isShownIn = (messages: readonly TurnMessage[], shown: readonly TurnMessage[]): boolean => {
  const words = new Set(shown.filter(isOwnMessage).flatMap((message) => keptMessages([message]).map(({ text }) => text)))
  return messages.filter(isOwnMessage).every(({ text }) => words.has(text))
}
