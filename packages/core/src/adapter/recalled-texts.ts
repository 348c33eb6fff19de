/** Recalled text in a host's prompt and answer: where it goes, and how it looks. Pure. */
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { createContextScrubber } from '../provider/context-scrubber.ts'
import type { RecalledText } from '../session/session.ts'

/**
 * The fences by the position of their message among the user's own: 0 for the first. `prompt`: that of the call, in which each message of
 * the user has exactly one message of its own words.
 */
export const fencesByUserMessage = (prompt: readonly TurnMessage[], recalled: readonly RecalledText[]): ReadonlyMap<number, string> => {
  const fences = new Map<number, string>()
  if (recalled.length === 0) return fences
  const byIndex = new Map(recalled.map(({ index, text }) => [index, text]))
  let position = 0
  for (const [index, message] of prompt.entries()) {
    if (!isOwnMessage(message)) continue
    const text = byIndex.get(index)
    if (text !== undefined) fences.set(position, text)
    position += 1
  }
  return fences
}

/** The message with the fence after a blank line; unchanged if it already ends with it. */
export const appendFence = (text: string, fence: string): string => {
  if (text.endsWith(fence)) return text
  return text === '' ? fence : `${text}\n\n${fence}`
}

/** A complete text without the fences that the model repeated in it. */
export const scrubText = (text: string, fences: readonly string[]): string => {
  const scrubber = createContextScrubber(fences)
  return scrubber.push(text) + scrubber.flush()
}
