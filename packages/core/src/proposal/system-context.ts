/** What a host fenced in its system messages (`fenceContext`): documents and recalled text, which no adapter could tell from the host's own words. */
import { splitRecalled } from './recall-fence.ts'
import { isOwnMessage, type TurnMessage } from './turn-message.ts'

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
