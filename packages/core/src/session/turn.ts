/**
 * Distinguishes a user turn from a step of the tool loop, a retry, a tool result and a regeneration, by the prompt alone, since an adapter that sees model
 * calls has nothing else (ecosystem 1.3). Pure.
 */

import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { sanitizeContext } from '../provider/context-fence.ts'
import { fingerprint } from '../shared/fingerprint.ts'

export interface TurnState {
  /** Key of the newest turn; undefined before the first. */
  readonly turnKey: string | undefined
  /** Keys of turns that the model has not finished answering. */
  readonly openKeys: ReadonlySet<string>
  /** Keys of the user's messages in finished turns, as far as they have ids. */
  readonly finishedKeys: ReadonlySet<string>
  /** Number of finished turns. */
  readonly userTurns: number
}

const countUserMessages = (prompt: readonly TurnMessage[]): number => prompt.filter(isOwnMessage).length

/**
 * Key of a turn: number of user messages, the last of them, and what was said right before it, since in a window of fixed size the number is constant and the
 * last message may repeat ("go on"). The same in every step of the turn. Undefined if the prompt contains no words of the user.
 */
export const turnKeyOf = (prompt: readonly TurnMessage[]): string | undefined => {
  const at = prompt.findLastIndex(isOwnMessage)
  const last = prompt[at]
  if (last === undefined) return undefined
  const before = prompt.slice(0, at).findLast((message) => message.role === 'assistant' && message.text !== '')
  return [countUserMessages(prompt), fingerprint(last.text), fingerprint(before?.text ?? '')].join(':')
}

/**
 * Key of the newest message of the user, if the host has an id for it: the same on each branch of the conversation. The text is part of it, since a message may be
 * edited. Hosts without a history of their own make new ids in every run, so `turnKeyOf` still decides for the newest turn.
 */
const messageKeyOf = (messages: readonly TurnMessage[]): string | undefined => {
  const { id, text } = messages.findLast(isOwnMessage) ?? {}
  // Callers without types pass `null`, which is no id.
  return typeof id === 'string' ? fingerprint(`${id}\n${text}`) : undefined
}

/** The key of the user turn that this prompt begins, or undefined if it begins none. */
export const newTurnKey = (state: TurnState, prompt: readonly TurnMessage[]): string | undefined => {
  // A file attached to the user's message follows it and is still part of the user's turn.
  const last = prompt.findLast((message) => message.role !== 'user' || isOwnMessage(message))
  if (last === undefined || last.role !== 'user') return undefined
  const key = turnKeyOf(prompt)
  if (key === undefined || state.openKeys.has(key)) return undefined
  if (state.finishedKeys.has(messageKeyOf(prompt) ?? '')) return undefined
  if (key !== state.turnKey) return key
  // The same words after a finished turn are a regeneration, unless the host keeps no history and the user repeats the words.
  const hostKeepsNoHistory = countUserMessages(prompt) === 1 && prompt.every((message) => message.role === 'user') && state.userTurns > 1
  return hostKeepsNoHistory ? key : undefined
}

/** Consecutive user messages begin a turn together, for example a file and the question about it, in either order. */
const beginsTurn = (messages: readonly TurnMessage[], index: number): boolean => {
  if (messages[index]?.role !== 'user' || messages[index - 1]?.role === 'user') return false
  let at = index
  for (let message = messages[at]; message?.role === 'user'; message = messages[++at]) if (isOwnMessage(message)) return true
  return false
}

/** The turns in a prompt, oldest first; messages before the user's first words belong to none. */
export const splitTurns = (messages: readonly TurnMessage[]): readonly (readonly TurnMessage[])[] => {
  const starts = messages.flatMap((_, index) => (beginsTurn(messages, index) ? [index] : []))
  return starts.map((start, at) => messages.slice(start, starts[at + 1]))
}

/** The newest turn in a prompt; undefined if it contains no words of the user. */
export const newestTurn = (messages: readonly TurnMessage[]): readonly TurnMessage[] | undefined => {
  const start = messages.findLastIndex((_, index) => beginsTurn(messages, index))
  return start < 0 ? undefined : messages.slice(start)
}

/** The newest message that began a turn: the user's newest words before any answer to them. */
export const openerOf = (messages: readonly TurnMessage[]): TurnMessage | undefined =>
  splitTurn(newestTurn(messages) ?? []).words.findLast(isOwnMessage)

/** Splits a turn into the user's opening messages, with everything attached, and the rest. */
export const splitTurn = (
  turn: readonly TurnMessage[],
): { readonly words: readonly TurnMessage[]; readonly rest: readonly TurnMessage[] } => {
  const behind = turn.findIndex(({ role }) => role !== 'user')
  const at = behind < 0 ? turn.length : behind
  return { words: turn.slice(0, at), rest: turn.slice(at) }
}

/** A turn that has ended in this process and is not saved yet, or the unsaved part of one. */
export interface FinishedTurn {
  /** The messages of this turn alone. */
  readonly messages: readonly TurnMessage[]
  /** True if a tool was called in it. */
  readonly worked: boolean
  /** What the host showed before it. */
  readonly before: readonly TurnMessage[]
  /** Of the user's message, if it has an id: another answer to it is recognised by this. */
  readonly messageKey?: string
}

const withMessageKey = (turn: FinishedTurn): FinishedTurn => {
  const messageKey = messageKeyOf(turn.messages)
  return messageKey === undefined ? turn : { ...turn, messageKey }
}

/** The turns in a prompt before its newest one, each with the messages before it. */
export const turnsBeforeLast = (prompt: readonly TurnMessage[]): readonly FinishedTurn[] => {
  const turns = splitTurns(prompt)
  let start = prompt.length - turns.reduce((sum, turn) => sum + turn.length, 0)
  return turns.slice(0, -1).map((messages) => {
    const before = prompt.slice(0, start)
    start += messages.length
    return withMessageKey({ messages, worked: false, before })
  })
}

interface OpenTurn {
  readonly words: readonly TurnMessage[]
  worked: boolean
}

/** State of the newest turn that another process needs to continue it. */
export interface NewestTurn {
  readonly turnKey: string | undefined
  readonly turnOpen: boolean
  /** Fingerprints of what the model asked its tools in it, newest last; absent if nothing, or if the turn has ended. */
  readonly asked?: readonly string[] | undefined
}

type KnownTurns = Partial<NewestTurn> & Pick<NewestTurn, 'turnOpen'> & { readonly finishedKeys?: readonly string[] }

/** Maximum number of open turns kept, since aborted turns never close. */
const MAX_OPEN = 100
/** Maximum number of finished turns that are recognised when they are answered again. */
export const MAX_FINISHED = 100
/** Maximum number of texts of a turn that are recognised as questions of the model. */
const MAX_ASKED = 100

const NONE: readonly TurnMessage[] = []

/** The current turns of a session in this process: opened by a prompt, closed by a finished answer. Several may be open at once. */
export class OpenTurns {
  #turnKey: string | undefined
  // A Map keeps insertion order, so the first key is the oldest turn.
  readonly #open = new Map<string, OpenTurn>()
  readonly #finished: Set<string>
  #asked: readonly string[]

  constructor({ turnKey, turnOpen, asked = [], finishedKeys = [] }: KnownTurns) {
    this.#turnKey = turnKey
    this.#finished = new Set(finishedKeys)
    this.#asked = asked
    if (turnKey !== undefined && turnOpen) this.#open.set(turnKey, { words: NONE, worked: false })
  }

  get newest(): NewestTurn {
    const turnKey = this.#turnKey
    const turnOpen = turnKey !== undefined && this.#open.has(turnKey)
    return { turnKey, turnOpen, ...(turnOpen && this.#asked.length > 0 ? { asked: this.#asked } : {}) }
  }

  /** The model has given these texts to tools in the newest turn. */
  noteAsked(texts: readonly string[]): void {
    this.#asked = [...new Set([...this.#asked, ...texts.map(fingerprint)])].slice(-MAX_ASKED)
  }

  /** Returns the keys by which these turns are recognised from now on. */
  noteFinished(turns: readonly FinishedTurn[]): readonly string[] {
    const keys = turns.flatMap(({ messageKey }) => (messageKey === undefined ? [] : [messageKey]))
    for (const key of keys) this.#finished.add(key)
    for (const oldest of [...this.#finished].slice(0, -MAX_FINISHED)) this.#finished.delete(oldest)
    return keys
  }

  /**
   * True if the newest words of the prompt are a question that the model asked a tool of the newest turn, which is still open: a sub-agent works on it, perhaps
   * in another process, after a person has approved it.
   */
  wasAsked(prompt: readonly TurnMessage[]): boolean {
    const newest = prompt.findLast(isOwnMessage)
    if (newest === undefined || !this.newest.asked?.includes(fingerprint(newest.text.trim()))) return false
    return !this.#open.has(turnKeyOf(prompt) ?? '')
  }

  /** True if `begin` would begin a turn. */
  startsTurn(prompt: readonly TurnMessage[], userTurns: number): boolean {
    return this.#keyOfNew(prompt, userTurns) !== undefined
  }

  /** True if the prompt begins a turn and is not a step, retry or regeneration. */
  begin(prompt: readonly TurnMessage[], userTurns: number): boolean {
    const key = this.#keyOfNew(prompt, userTurns)
    if (key === undefined) return false
    this.#turnKey = key
    this.#asked = []
    this.#open.set(key, { words: splitTurn(newestTurn(prompt) ?? NONE).words, worked: false })
    const [oldest] = this.#open.keys()
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest)
    return true
  }

  noteTools(prompt: readonly TurnMessage[]): void {
    const turn = this.#open.get(this.#find(prompt) ?? '')
    if (turn) turn.worked = true
  }

  /** Undefined if the answer belongs to no open turn: a regeneration. `said`: the prompt and the reply. */
  finish(said: readonly TurnMessage[]): FinishedTurn | undefined {
    const key = this.#find(said)
    const turn = key === undefined ? undefined : this.#open.get(key)
    if (key === undefined || turn === undefined) return undefined
    this.#open.delete(key)
    const shown = newestTurn(said) ?? said
    // If the key still matches, so do the words; otherwise use the words with which the turn began.
    const messages = key === turnKeyOf(said) || turn.words.length === 0 ? shown : [...turn.words, ...splitTurn(shown).rest]
    return withMessageKey({ messages, worked: turn.worked, before: said.slice(0, said.length - shown.length) })
  }

  /** The key of a turn is constant unless the host cuts or rewrites the prompt during the turn; then the newest turn is meant. */
  #find(prompt: readonly TurnMessage[]): string | undefined {
    const key = turnKeyOf(prompt)
    if (key !== undefined && this.#open.has(key)) return key
    return this.#finished.has(messageKeyOf(prompt) ?? '') ? undefined : this.#turnKey
  }

  #keyOfNew(prompt: readonly TurnMessage[], userTurns: number): string | undefined {
    return newTurnKey({ turnKey: this.#turnKey, openKeys: new Set(this.#open.keys()), finishedKeys: this.#finished, userTurns }, prompt)
  }
}

const joined = (messages: readonly TurnMessage[]): string =>
  messages
    .map(({ text }) => sanitizeContext(text).trim())
    .filter((text) => text !== '')
    .join('\n\n')

/** The words of both sides, without recalled text and the results of tools. */
export const wordsOf = (messages: readonly TurnMessage[]) => ({
  user: joined(messages.filter(isOwnMessage)),
  assistant: joined(messages.filter(({ role, outside }) => role === 'assistant' && outside !== true)),
})
