/**
 * What was recalled for the user's messages of a session, so that each of them is sent with the same bytes in every later call, in whichever process and behind
 * whichever window (DESIGN 5). Pure.
 */
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { fingerprint } from '../shared/fingerprint.ts'

/** What was recalled for one message of the user. */
export interface RecalledTurn {
  /** Unique in its session, except where two processes write at once. */
  readonly number: number
  /** Number of the turn of the user's message before it, if that is kept too. */
  readonly after?: number
  /** Fingerprints of the message and of what the assistant said before it. */
  readonly key: string
  /** Empty if nothing was recalled. */
  readonly texts: readonly string[]
}

/** A message of a prompt, with its turn. */
interface MatchedTurn {
  readonly index: number
  readonly turn: RecalledTurn
}

/** In UTF-16 characters, for all texts of a session. */
export const MAX_RECALLED_CHARS = 64_000

const MAX_RECALLED_TURNS = 500

/** Stands behind the user's words in what the session records: recalled text is text from outside, and is never stored or reviewed again. */
export const RECALLED_PLACEHOLDER: TurnMessage = { role: 'user', text: '[recalled text]', outside: true }

interface OwnMessage {
  readonly index: number
  readonly words: string
  readonly key: string
  /** False at the head of a conversation, or of a window of one: what came before it is unknown. */
  readonly hasBefore: boolean
}

// Each call of a session reads its prompt several times, and hashing a long one takes milliseconds.
const hashed = new WeakMap<readonly TurnMessage[], { readonly length: number; readonly own: readonly OwnMessage[] }>()

/** The user's messages, oldest first. */
const ownMessages = (prompt: readonly TurnMessage[]): readonly OwnMessage[] => {
  const { length } = prompt
  const known = hashed.get(prompt)
  // A host may add messages to the same list.
  const own = known?.length === length ? known.own : hashOwnMessages(prompt)
  hashed.set(prompt, { length, own })
  return own
}

const hashOwnMessages = (prompt: readonly TurnMessage[]): readonly OwnMessage[] => {
  let before = ''
  return prompt.flatMap((message, index) => {
    if (message.role === 'assistant' && message.text !== '') before = message.text
    if (!isOwnMessage(message)) return []
    const words = fingerprint(message.text)
    return [{ index, words, key: `${words}:${fingerprint(before)}`, hasBefore: before !== '' }]
  })
}

const wordsOf = (key: string): string => key.slice(0, key.indexOf(':'))

/** Turns by a name that each of them has, the newest last. */
const grouped = <Name>(turns: readonly RecalledTurn[], nameOf: (turn: RecalledTurn) => Name): ReadonlyMap<Name, RecalledTurn[]> => {
  const groups = new Map<Name, RecalledTurn[]>()
  for (const turn of turns) {
    const name = nameOf(turn)
    const group = groups.get(name)
    if (group) group.push(turn)
    else groups.set(name, [turn])
  }
  return groups
}

/** Turns that are not matched yet, found in order of trust. */
const turnFinder = (turns: readonly RecalledTurn[]) => {
  const byNumber = grouped(turns, ({ number }) => number)
  const byKey = grouped(turns, ({ key }) => key)
  const byWords = grouped(turns, ({ key }) => wordsOf(key))
  const used = new Set<RecalledTurn>()
  const newest = (group: RecalledTurn[] = []): RecalledTurn | undefined => {
    while (group.length > 0) {
      const turn = group.pop()
      if (turn && !used.has(turn)) return turn
    }
    return undefined
  }
  /** `next`: the turn of the user's message after this one. */
  return ({ words, key, hasBefore }: OwnMessage, next: RecalledTurn | undefined): RecalledTurn | undefined => {
    const linked = next?.after === undefined ? undefined : byNumber.get(next.after)?.at(-1)
    const isLinked = linked && !used.has(linked) && (hasBefore ? linked.key === key : wordsOf(linked.key) === words)
    const found = isLinked ? linked : (newest(byKey.get(key)) ?? (hasBefore ? undefined : newest(byWords.get(words))))
    if (found) used.add(found)
    return found
  }
}

/**
 * Finds each message's turn, from the newest message backwards, so that repeated messages ("ok", "ok") each get their own. At the head of a window, where what came
 * before is gone, the message's words are enough.
 */
const matchTurns = (messages: readonly OwnMessage[], turns: readonly RecalledTurn[]): readonly MatchedTurn[] => {
  const find = turnFinder(turns)
  const found: MatchedTurn[] = []
  let next: RecalledTurn | undefined
  for (const message of messages.toReversed()) {
    next = find(message, next)
    if (next) found.push({ index: message.index, turn: next })
  }
  return found.reverse()
}

/** What was recalled for the messages of a prompt, oldest first. `before`: only messages before this index. */
export const matchRecalled = (
  prompt: readonly TurnMessage[],
  turns: readonly RecalledTurn[],
  before = prompt.length,
): readonly MatchedTurn[] => {
  if (turns.every(({ texts }) => texts.length === 0)) return []
  const messages = ownMessages(prompt).filter(({ index }) => index < before)
  return matchTurns(messages, turns).filter(({ turn }) => turn.texts.length > 0)
}

/** Names of the user's messages, to tell whether this process has seen a message before; at the head of a window, of the words alone. */
export const namesOfOwn = (prompt: readonly TurnMessage[]): readonly (readonly string[])[] =>
  ownMessages(prompt).map(({ words, key, hasBefore }) => (hasBefore ? [words, key] : [words]))

const isSame = (one: RecalledTurn, other: RecalledTurn): boolean => one.number === other.number && one.key === other.key

/** What is stored, and after it what this process has not saved yet. */
export const mergeRecalled = (stored: readonly RecalledTurn[], own: readonly RecalledTurn[]): readonly RecalledTurn[] =>
  boundRecalled([...stored, ...own.filter((turn) => !stored.some((other) => isSame(turn, other)))])

interface TurnPlace {
  /** Of the message in its prompt. */
  readonly index: number
  readonly turn: Omit<RecalledTurn, 'texts'>
  /** What was recalled for the same message at the same place: it is sent again, as after an edit that was taken back. */
  readonly known: RecalledTurn | undefined
}

/** Where the user's newest message stands among the turns that are kept; undefined if there is none. */
export const placeOfNewest = (prompt: readonly TurnMessage[], turns: readonly RecalledTurn[]): TurnPlace | undefined => {
  const messages = ownMessages(prompt)
  const message = messages.at(-1)
  if (!message) return undefined
  const { index, key } = message
  const earlier = messages.slice(0, -1)
  const last = matchTurns(earlier, turns).at(-1)
  const after = last?.index === earlier.at(-1)?.index ? last?.turn.number : undefined
  const known = after === undefined ? undefined : turns.findLast((turn) => turn.after === after && turn.key === key)
  const number = turns.reduce((highest, turn) => Math.max(highest, turn.number), 0) + 1
  return { index, turn: { number, ...(after === undefined ? {} : { after }), key }, known }
}

export const charsOfTexts = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

/** Above the limits, drops turns without texts, then the oldest. In a conversation that shows all its texts, nothing is recalled any more before that. */
export const boundRecalled = (turns: readonly RecalledTurn[]): readonly RecalledTurn[] => {
  let excess = turns.length - MAX_RECALLED_TURNS
  let chars = turns.reduce((sum, { texts }) => sum + charsOfTexts(texts), 0)
  if (excess <= 0 && chars <= MAX_RECALLED_CHARS) return turns
  const kept = turns.filter(({ texts }) => texts.length > 0 || excess-- <= 0)
  let from = Math.max(0, kept.length - MAX_RECALLED_TURNS)
  for (const { texts } of kept.slice(0, from)) chars -= charsOfTexts(texts)
  for (const { texts } of kept.slice(from)) {
    if (chars <= MAX_RECALLED_CHARS) break
    chars -= charsOfTexts(texts)
    from++
  }
  return kept.slice(from)
}

/** Adds a placeholder where the user has finished speaking, if one of these messages was sent with recalled text. */
export const withPlaceholders = (messages: readonly TurnMessage[], turns: readonly RecalledTurn[]): readonly TurnMessage[] => {
  const matches = new Set(matchRecalled(messages, turns).map(({ index }) => index))
  if (matches.size === 0) return messages
  let recalled = false
  return messages.flatMap((message, index) => {
    recalled ||= matches.has(index)
    const isLast = messages[index + 1]?.role !== 'user'
    if (!recalled || !isLast) return [message]
    recalled = false
    return [message, RECALLED_PLACEHOLDER]
  })
}
