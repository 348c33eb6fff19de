/** What a host fenced in its system messages (`fenceContext`): documents and recalled text, which no adapter could tell from the host's own words. */
import { isOwnMessage, type TurnMessage } from './turn-message.ts'

// Recalled memory inside a user message: it stands in the user's turn, but these are not the person's words (reference hermes-memory 11).

const openTag = /<\s{0,8}memory-context\b[^<>]{0,200}>/i
const closeTag = /<\s{0,8}\/\s{0,8}memory-context\b[^<>]{0,200}>/gi

interface SplitUserText {
  readonly own: string
  /** Undefined where the message holds no fence. */
  readonly recalled: string | undefined
}

/**
 * All from the first opening tag to the last closing one counts as recalled, so that a closing tag planted in recalled text cannot pass the rest off as
 * the user's; without a closing tag, all that follows.
 */
export const splitRecalled = (text: string): SplitUserText => {
  const open = openTag.exec(text)
  if (!open) return { own: text, recalled: undefined }
  let end = text.length
  for (const close of text.matchAll(closeTag)) if (close.index > open.index) end = close.index + close[0].length
  const own = [text.slice(0, open.index), text.slice(end)].map((part) => part.trim()).filter((part) => part !== '')
  return { own: own.join('\n\n'), recalled: text.slice(open.index, end) }
}

/** Behind the words of the newest turn: what is shown to the model for a turn stands in that turn. */
const behindTheUser = (messages: readonly TurnMessage[], outside: readonly TurnMessage[]): readonly TurnMessage[] => {
  if (outside.length === 0) return messages
  const at = messages.findLastIndex(isOwnMessage) + 1
  return [...messages.slice(0, at), ...outside, ...messages.slice(at)]
}

/** For adapters: what is fenced in the prompt's system messages, as text from outside in the newest turn. The rest of them is left out. */
export const withSystemContext = (messages: readonly TurnMessage[], systemTexts: readonly string[]): readonly TurnMessage[] =>
  behindTheUser(
    messages,
    systemTexts
      .map((text) => splitRecalled(text).recalled)
      .filter((recalled) => recalled !== undefined)
      .map((text): TurnMessage => ({ role: 'user', text, outside: true })),
  )

/** A framework hands its tools the conversation without the system messages: what the prompt of the same turn held from outside comes back in. */
export const withOutsideOf = (messages: readonly TurnMessage[], prompt: readonly TurnMessage[]): readonly TurnMessage[] => {
  const known = new Set(messages.map(({ text }) => text))
  return behindTheUser(
    messages,
    prompt.filter((message) => message.role === 'user' && message.outside === true && !known.has(message.text)),
  )
}
