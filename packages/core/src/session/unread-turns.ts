/**
 * Turns that a review has yet to read: credentials redacted, bounded, and stored in the session record until they are read. Independent of what the host
 * shows in later prompts, so a window or a summary loses nothing. Pure.
 */

import type { NudgeIntervals } from '../nudge/nudge-intervals.ts'
import type { ReadMarks, ReviewScope } from '../nudge/review-state.ts'
import { splitUserMessage } from '../proposal/own-words.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import { redactCredentials } from '../threats/credentials/redact-credentials.ts'

export interface UnreadTurn {
  /** Number of the user turn in its session, from 1. */
  readonly number: number
  readonly messages: readonly TurnMessage[]
  /** See `placeOf`. */
  readonly place?: string
  /** The place behind it: that of the next turn, if the host shows the conversation. */
  readonly next?: string
  /** When it was stored, in epoch milliseconds. */
  readonly at?: number
  /** A tool was called in it. */
  readonly tools?: boolean
  /** A skill review has to read it: it used tools, or answers a turn that did. Skill reviews read other turns only while they are still stored. */
  readonly forSkills?: boolean
  /** It contains text from outside. */
  readonly outside?: boolean
  /** Text from outside was in sight before it. */
  readonly tainted?: boolean
}

/** In characters (UTF-16 units). */
export const UNREAD_LIMITS = {
  /** Maximum for all turns of a session together, and for all turns that one review reads. */
  chars: 64_000,
  turnChars: 32_000,
  message: { user: 8_000, assistant: 4_000, tool: 2_000 },
  /** Limits per message of older turns when room is short. The limit for the user's words does not change. */
  shortMessage: { user: 8_000, assistant: 400, tool: 200 },
} as const

/** JSON overhead of a message, so that many empty messages count too. */
const FRAME_CHARS = 60

const CUT_MARK = ' […] '

type Limits = Readonly<Record<TurnMessage['role'], number>>

const isInsideWord = (text: string, index: number): boolean => {
  const unit = text.charCodeAt(index)
  return unit > 0x20 && unit < 0x7f
}

/** Keeps the beginning and the end of a text. No partial word is left at the cut, since part of a secret could not be recognised. */
const cutTo = (limit: number, text: string): string => {
  if (text.length <= limit) return text
  const half = Math.floor((limit - CUT_MARK.length) / 2)
  let end = half
  let start = text.length - half
  while (end > 0 && isInsideWord(text, end)) end--
  while (isInsideWord(text, start - 1)) start++
  return `${text.slice(0, end)}${CUT_MARK}${text.slice(start)}`.toWellFormed()
}

/** A multi-line key, of which a cut could leave lines that are not recognisable as part of a key. */
const keyBlock = /-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY-----[^-]*/g

const limitOf = ({ role, outside }: TurnMessage, limits: Limits): number => limits[role === 'user' && outside === true ? 'tool' : role]

const shortened = (messages: readonly TurnMessage[], limits: Limits): readonly TurnMessage[] =>
  messages.map((message) => ({ ...message, text: cutTo(limitOf(message, limits), message.text) }))

export const charsOf = (messages: readonly TurnMessage[]): number => messages.reduce((sum, { text }) => sum + text.length + FRAME_CHARS, 0)

/**
 * Splits a turn into own words (with what the agent said and trusted tools returned before any text from outside) and the rest: text from outside and
 * everything said after it.
 */
const ownAndOutside = ({ messages, tainted = false }: Pick<UnnumberedTurn, 'messages' | 'tainted'>) => {
  const first = messages.findIndex(({ role, outside, trusted }) => outside === true || (role === 'tool' && trusted !== true))
  const end = tainted ? 0 : first < 0 ? messages.length : first
  const isOwn = (message: TurnMessage, index: number) => isOwnMessage(message) || index < end
  return { own: messages.filter(isOwn), isOwn }
}

/**
 * Cuts a turn that is too long. Priority: the user's words, then the newest of the other own words, then the newest text from outside; the order is kept. The
 * amount of text from outside does not affect the own words.
 */
const fitted = (messages: readonly TurnMessage[]): readonly TurnMessage[] => {
  if (charsOf(messages) <= UNREAD_LIMITS.turnChars) return messages
  const { own, isOwn } = ownAndOutside({ messages })
  const short = shortened(messages, UNREAD_LIMITS.shortMessage)
  const fits = charsOf(own) <= UNREAD_LIMITS.turnChars
  const rows = messages.map((message, index) => {
    const isKept = fits && isOwn(message, index)
    const rank = isOwnMessage(message) ? 'user' : isOwn(message, index) ? 'agent' : 'outside'
    return { index, rank, message: isKept ? message : (short[index] ?? message) }
  })
  const words = rows.filter(({ rank }) => rank === 'user')
  const taken = new Set(words.map(({ index }) => index))
  let room = UNREAD_LIMITS.turnChars - charsOf(words.map(({ message }) => message))
  for (const wanted of ['agent', 'outside']) {
    for (const { index, message } of rows.filter(({ rank }) => rank === wanted).reverse()) {
      const chars = charsOf([message])
      if (chars > room) break
      room -= chars
      taken.add(index)
    }
  }
  return rows.flatMap(({ index, message }) => (taken.has(index) ? [message] : []))
}

/** Number of own parts of one message that are kept from its beginning, and from its end; the same for parts from outside. */
const MOST_PARTS = 50

/** Limits own parts and outside parts separately, so that quoted text does not displace own words. */
const splitMessage = (message: TurnMessage): readonly TurnMessage[] => {
  const parts = splitUserMessage(message)
  const some = (kind: readonly TurnMessage[]) => [...kind.slice(0, MOST_PARTS), ...kind.slice(-MOST_PARTS)]
  const kept = new Set([...some(parts.filter(isOwnMessage)), ...some(parts.filter((part) => !isOwnMessage(part)))])
  return parts.filter((part) => kept.has(part))
}

/**
 * Messages in stored form: cut before redaction, so that finding credentials takes bounded time. The origin of each part is determined before that, since a
 * cut may remove the mark that shows it.
 */
const keptMessages = (messages: readonly TurnMessage[]): readonly TurnMessage[] => {
  const whole = messages.flatMap(splitMessage).map(({ role, text, toolNames, outside, trusted }) => ({
    role,
    text: text.replace(keyBlock, '[redacted: a key]'),
    ...(toolNames === undefined ? {} : { toolNames }),
    ...(outside === undefined ? {} : { outside }),
    ...(trusted === undefined ? {} : { trusted }),
  }))
  const redacted = fitted(shortened(whole, UNREAD_LIMITS.message)).map((message) => ({ ...message, text: redactCredentials(message.text) }))
  return shortened(redacted, UNREAD_LIMITS.message)
}

/**
 * Where a turn is in its conversation: a fingerprint of what the user said before it. A host shows the same before two turns if the user has gone back and said
 * something else. Only the user's words, so that no text from outside decides which of them are read, and a host may keep answers in other pieces.
 */
export const placeOf = (before: readonly TurnMessage[]): string | undefined => {
  const words = before.filter(isOwnMessage).map(({ text }) => text)
  return words.length > 0 ? fingerprint(JSON.stringify(words)) : undefined
}

export type UnnumberedTurn = Omit<UnreadTurn, 'number'>

/** What was seen of a turn beside its messages. */
export interface SeenTurn {
  readonly outside?: boolean
  readonly tainted?: boolean
  readonly place?: string | undefined
  readonly next?: string | undefined
}

/** `worked`: tools were called, even if no message shows it. */
export const toUnreadTurn = (
  messages: readonly TurnMessage[],
  worked: boolean,
  { outside = false, tainted = false, place, next }: SeenTurn = {},
): UnnumberedTurn => {
  const usedTools = worked || messages.some(({ role, toolNames = [] }) => role === 'tool' || toolNames.length > 0)
  return {
    messages: keptMessages(messages),
    ...(place === undefined ? {} : { place }),
    ...(next === undefined ? {} : { next }),
    ...(usedTools ? { tools: true } : {}),
    ...(outside ? { outside } : {}),
    ...(tainted ? { tainted } : {}),
  }
}

/** Characters of the turn that the pass over the user's own words reads. */
export const ownCharsOf = (turn: Pick<UnreadTurn, 'messages' | 'tainted'>): number => charsOf(ownAndOutside(turn).own)

/** The passes of a review that have yet to read a turn. */
export const readersOf = ({ number, outside, tainted }: UnreadTurn, read: ReadMarks): ReviewScope => ({
  words: number > read.words,
  everything: number > read.everything && (outside === true || tainted === true),
  skills: number > read.skills,
})

/** True if a review that can still happen has to read the turn. */
export const isAwaited = (turn: UnreadTurn, read: ReadMarks, { memoryInterval, skillInterval }: NudgeIntervals): boolean => {
  const { words, everything, skills } = readersOf(turn, read)
  return (memoryInterval > 0 && (words || everything)) || (skillInterval > 0 && skills && turn.forSkills === true)
}

/**
 * The turns that the conversation no longer has, now that another is in the place of the newest that was there: that one, and what followed it. None if it may
 * be no edit: no turn leads to examples, which a host shows before every conversation; the first words of a new conversation may lead to the same place once
 * more; and nothing follows an old turn where a host shows no more than a part of the conversation.
 */
const takenBack = (turns: readonly UnreadTurn[], { place }: UnreadTurn): readonly UnreadTurn[] => {
  const leads = place === undefined ? [] : turns.filter(({ next }) => next === place)
  const behind = leads[0] ? turns.slice(turns.indexOf(leads[0])).filter((turn) => turn.place === place) : []
  const newest = behind.at(-1)
  if (newest === undefined || behind.length < leads.length) return []
  const gone = [newest]
  for (const turn of turns.slice(turns.indexOf(newest) + 1))
    if (turn.place !== undefined && gone.some(({ next }) => next === turn.place)) gone.push(turn)
  return gone.length > 1 || newest === turns.at(-1) ? gone : []
}

export const appendTurn = (turns: readonly UnreadTurn[], turn: UnreadTurn): readonly UnreadTurn[] => {
  const gone = takenBack(turns, turn)
  const kept = turns.filter((each) => !gone.includes(each))
  return [...kept, turn.tools === true || kept.at(-1)?.tools === true ? { ...turn, forSkills: true } : turn]
}

export interface BoundedTurns<T> {
  readonly turns: readonly T[]
  /** Number of unreviewed turns that found no room. */
  readonly dropped: number
}

const shortenOutside = <T extends UnnumberedTurn>(turn: T): T => {
  const { isOwn } = ownAndOutside(turn)
  const short = shortened(turn.messages, UNREAD_LIMITS.shortMessage)
  return { ...turn, messages: turn.messages.map((message, index) => (isOwn(message, index) ? message : (short[index] ?? message))) }
}

const dropOutside = <T extends UnnumberedTurn>(turn: T): T => ({ ...turn, messages: ownAndOutside(turn).own })

const shortenAll = <T extends UnnumberedTurn>(turn: T): T => ({ ...turn, messages: shortened(turn.messages, UNREAD_LIMITS.shortMessage) })

const dropAll = <T extends UnnumberedTurn>(turn: T): T => ({ ...turn, messages: [] })

/**
 * Reduces turns to the limit: first text from outside in all turns, so that it cannot displace own words; then the oldest own words. Each step starts with
 * the oldest turns.
 */
export const boundTurns = <T extends UnnumberedTurn>(turns: readonly T[]): BoundedTurns<T> => {
  let excess = turns.reduce((sum, { messages }) => sum + charsOf(messages), -UNREAD_LIMITS.chars)
  let bounded = turns
  for (const reduce of [shortenOutside, dropOutside, shortenAll, dropAll]) {
    bounded = bounded.map((turn): T => {
      if (excess <= 0) return turn
      const less = reduce(turn)
      excess -= charsOf(turn.messages) - charsOf(less.messages)
      return less
    })
  }
  const kept = bounded.filter(({ messages }, at) => messages.length > 0 || turns[at]?.messages.length === 0)
  return { turns: kept, dropped: bounded.length - kept.length }
}

/** True if a prompt shows everything that the user said in these messages. */
export const isShownIn = (messages: readonly TurnMessage[], shown: readonly TurnMessage[]): boolean => {
  const words = new Set(shown.filter(isOwnMessage).flatMap((message) => keptMessages([message]).map(({ text }) => text)))
  return messages.filter(isOwnMessage).every(({ text }) => words.has(text))
}
