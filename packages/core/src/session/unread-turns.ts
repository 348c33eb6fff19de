/**
 * What was said in turns that a review has yet to read: credentials redacted, bounded, and kept in the session record until then. What the host shows in a
 * later prompt plays no part, so a window or a summary loses nothing. Pure.
 */

import { cutMiddle } from '../model/cut-text.ts'
import { UNITS_PER_TOKEN } from '../model/token-estimate.ts'
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

/** Sizes are in characters (UTF-16 units), but for those of messages: estimated tokens. */
export const UNREAD_LIMITS = {
  /** Of all turns together, those that a review is reading left aside. */
  chars: 64_000,
  turnChars: 32_000,
  tokens: { user: 2_000, assistant: 1_000, tool: 500 },
  /** Of older turns, where the room gets short. The user's words stay as they are. */
  shortTokens: { user: 2_000, assistant: 100, tool: 50 },
} as const

/** JSON around a message, so that many empty ones count too. */
const FRAME_CHARS = 60

/** What stands right behind the part that is kept tells whether it ends in a secret. */
const LOOK_AHEAD_TOKENS = 500

type Tokens = Readonly<Record<TurnMessage['role'], number>>

const cutTo = (tokens: number, text: string): string => cutMiddle(text, tokens * UNITS_PER_TOKEN)

/** The redaction reads no more than this, whatever the message holds. Where it was cut no part of a word is left, which may be part of a secret. */
const readable = (tokens: number, text: string): string => {
  const cut = cutTo(tokens + LOOK_AHEAD_TOKENS, text)
  return cut === text ? text : cut.replace(/\S* \[…\] \S*/, ' […] ')
}

/** As it is kept. */
const keptMessage = ({ role, text, toolNames, outside }: TurnMessage): TurnMessage => {
  const limit = UNREAD_LIMITS.tokens[role]
  return {
    role,
    text: cutTo(limit, redactCredentials(readable(limit, text))),
    ...(toolNames === undefined ? {} : { toolNames }),
    ...(outside === undefined ? {} : { outside }),
  }
}

const charsOf = (messages: readonly TurnMessage[]): number => messages.reduce((sum, { text }) => sum + text.length + FRAME_CHARS, 0)

const shortened = (messages: readonly TurnMessage[], tokens: Tokens): readonly TurnMessage[] =>
  messages.map((message) => ({ ...message, text: cutTo(tokens[isOwnMessage(message) ? 'user' : message.role], message.text) }))

/** Of a turn that is too long: what its user said first, and the newest of the rest. */
const fitted = (messages: readonly TurnMessage[]): readonly TurnMessage[] => {
  if (charsOf(messages) <= UNREAD_LIMITS.turnChars) return messages
  const short = shortened(messages, UNREAD_LIMITS.shortTokens)
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

/** `worked`: tools were called, also where no message shows it. */
export const toUnreadTurn = (messages: readonly TurnMessage[], worked: boolean): UnreadTurn => {
  const usedTools = worked || messages.some(({ role, toolNames = [] }) => role === 'tool' || toolNames.length > 0)
  return { messages: fitted(messages.map(keptMessage)), ...(usedTools ? { tools: true } : {}) }
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
    const messages = shortened(turn.messages, UNREAD_LIMITS.shortTokens)
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
  const words = new Set(shown.filter(isOwnMessage).map((message) => keptMessage(message).text))
  return messages.filter(isOwnMessage).every(({ text }) => words.has(text))
}
