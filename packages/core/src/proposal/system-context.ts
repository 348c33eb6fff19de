/**
 * Handles text that a host fenced in its system messages (`fenceContext`): documents and recalled text, which an adapter could not otherwise tell from the
 * host's own words.
 */
import { isOwnMessage, type TurnMessage } from './turn-message.ts'

// Recalled memory inside a user message: part of the user's turn, but not the user's words (reference hermes-memory 11).

const openTag = /<\s{0,8}memory-context\b[^<>]{0,200}>/i
const closeTag = /<\s{0,8}\/\s{0,8}memory-context\b[^<>]{0,200}>/gi

interface SplitUserText {
  readonly own: string
  /** Undefined if the message has no fence. */
  readonly recalled: string | undefined
}

/**
 * Everything from the first opening tag to the last closing tag counts as recalled, so that a closing tag inside recalled text cannot turn the rest into the
 * user's words; without a closing tag, everything that follows.
 */
export const splitRecalled = (text: string): SplitUserText => {
  const open = openTag.exec(text)
  if (!open) return { own: text, recalled: undefined }
  let end = text.length
  for (const close of text.matchAll(closeTag)) if (close.index > open.index) end = close.index + close[0].length
  const own = [text.slice(0, open.index), text.slice(end)].map((part) => part.trim()).filter((part) => part !== '')
  return { own: own.join('\n\n'), recalled: text.slice(open.index, end) }
}

/** Inserts messages after the user's words of the newest turn, so that they belong to that turn. */
const behindTheUser = (messages: readonly TurnMessage[], outside: readonly TurnMessage[]): readonly TurnMessage[] => {
  if (outside.length === 0) return messages
  const at = messages.findLastIndex(isOwnMessage) + 1
  return [...messages.slice(0, at), ...outside, ...messages.slice(at)]
}

/** For adapters: adds the fenced text of the prompt's system messages to the newest turn, as text from outside. Other system text is omitted. */
export const withSystemContext = (messages: readonly TurnMessage[], systemTexts: readonly string[]): readonly TurnMessage[] =>
  behindTheUser(
    messages,
    systemTexts
      .map((text) => splitRecalled(text).recalled)
      .filter((recalled) => recalled !== undefined)
      .map((text): TurnMessage => ({ role: 'user', text, outside: true })),
  )

/** Adds the text from outside of the turn's prompt to a conversation that a framework gave to a tool without system messages. */
export const withOutsideOf = (messages: readonly TurnMessage[], prompt: readonly TurnMessage[]): readonly TurnMessage[] => {
  const known = new Set(messages.map(({ text }) => text))
  return behindTheUser(
    messages,
    prompt.filter((message) => message.role === 'user' && message.outside === true && !known.has(message.text)),
  )
}
