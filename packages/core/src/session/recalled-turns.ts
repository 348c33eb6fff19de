/**
 * What was recalled for the user's messages of a session, so that each of them is sent with the same bytes in every later call, in whichever process and behind
 * whichever window (DESIGN 5). Pure.
 */
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { fingerprint } from '../shared/fingerprint.ts'

/** What was recalled for one message of the user. */
export interface RecalledTurn {
  /** Fingerprints of the message and of what the assistant said before it. */
  readonly key: string
  /** Empty if nothing was recalled for a message that could be taken for another one. */
  readonly texts: readonly string[]
}

/** A message of a prompt, with what was recalled for it. */
export interface RecalledMatch {
  readonly index: number
  readonly texts: readonly string[]
}

/** In UTF-16 characters, for all texts of a session. */
export const MAX_RECALLED_CHARS = 64_000

const MAX_RECALLED_TURNS = 500

/** Stands behind the user's message in what the session records: recalled text is text from outside, and is never stored or reviewed again. */
export const RECALLED_PLACEHOLDER: TurnMessage = { role: 'user', text: '[recalled text]', outside: true }

interface OwnMessage {
  readonly index: number
  readonly words: string
  readonly key: string
  /** False at the head of a conversation, or of a window of one: what came before it is unknown. */
  readonly hasBefore: boolean
}

/** The user's messages, oldest first. */
const ownMessages = (prompt: readonly TurnMessage[]): readonly OwnMessage[] => {
  let before = ''
  return prompt.flatMap((message, index) => {
    if (message.role === 'assistant' && message.text !== '') before = message.text
    if (!isOwnMessage(message)) return []
    const words = fingerprint(message.text)
    return [{ index, words, key: `${words}:${fingerprint(before)}`, hasBefore: before !== '' }]
  })
}

const wordsOf = (key: string): string => key.slice(0, key.indexOf(':'))

/** The positions of the turns by key, the newest last. */
const positions = (turns: readonly RecalledTurn[], nameOf: (key: string) => string): ReadonlyMap<string, number[]> => {
  const found = new Map<string, number[]>()
  for (const [at, { key }] of turns.entries()) {
    const name = nameOf(key)
    const listed = found.get(name)
    if (listed) listed.push(at)
    else found.set(name, [at])
  }
  return found
}

const newestUnused = (listed: number[] = [], used: ReadonlySet<number>): number | undefined => {
  while (listed.length > 0) {
    const at = listed.pop()
    if (at !== undefined && !used.has(at)) return at
  }
  return undefined
}

/**
 * Finds each message's recalled text, from the newest message backwards, so that repeated messages ("ok", "ok") each get their own. At the head of a window, where
 * what came before is gone, the message's words are enough. `before`: only messages before this index.
 */
export const matchRecalled = (
  prompt: readonly TurnMessage[],
  turns: readonly RecalledTurn[],
  before = prompt.length,
): readonly RecalledMatch[] => {
  if (turns.every(({ texts }) => texts.length === 0)) return []
  const byKey = positions(turns, (key) => key)
  const byWords = positions(turns, wordsOf)
  const used = new Set<number>()
  const found: RecalledMatch[] = []
  for (const { index, words, key, hasBefore } of ownMessages(prompt.slice(0, before)).toReversed()) {
    const at = newestUnused(byKey.get(key), used) ?? (hasBefore ? undefined : newestUnused(byWords.get(words), used))
    if (at === undefined) continue
    used.add(at)
    const { texts = [] } = turns[at] ?? {}
    if (texts.length > 0) found.push({ index, texts })
  }
  return found.reverse()
}

/** The user's newest message in a prompt. */
export const newestOwnMessage = (prompt: readonly TurnMessage[]): Pick<OwnMessage, 'index' | 'key'> | undefined =>
  ownMessages(prompt).at(-1)

/** The turn to be kept for a message; undefined if nothing was recalled and no other message can be taken for it. */
export const toRecalledTurn = (
  { key }: Pick<OwnMessage, 'key'>,
  texts: readonly string[],
  turns: readonly RecalledTurn[],
): RecalledTurn | undefined => {
  if (texts.length > 0) return { key, texts }
  const isAtHead = key.endsWith(`:${fingerprint('')}`)
  return isAtHead || turns.some((turn) => wordsOf(turn.key) === wordsOf(key)) ? { key, texts } : undefined
}

export const charsOfTexts = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

/** Drops the oldest turns above the limits: in a conversation that shows them all, nothing is recalled any more before that (see `session-recall.ts`). */
export const boundRecalled = (turns: readonly RecalledTurn[]): readonly RecalledTurn[] => {
  let chars = turns.reduce((sum, { texts }) => sum + charsOfTexts(texts), 0)
  let from = Math.max(0, turns.length - MAX_RECALLED_TURNS)
  for (const { texts } of turns.slice(0, from)) chars -= charsOfTexts(texts)
  for (; chars > MAX_RECALLED_CHARS; from++) chars -= charsOfTexts(turns[from]?.texts ?? [])
  return from === 0 ? turns : turns.slice(from)
}

/** Adds a placeholder behind each message that was sent with recalled text. */
export const withPlaceholders = (messages: readonly TurnMessage[], turns: readonly RecalledTurn[]): readonly TurnMessage[] => {
  const matches = new Set(matchRecalled(messages, turns).map(({ index }) => index))
  if (matches.size === 0) return messages
  return messages.flatMap((message, index) => (matches.has(index) ? [message, RECALLED_PLACEHOLDER] : [message]))
}
