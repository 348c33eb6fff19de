/** The frozen block in front of a history, in the history's own variable. Pure. */
import { type BaseMessage, SystemMessage } from '@langchain/core/messages'
import { isMessage } from './message-type.ts'

const isMessageList = (value: unknown): value is readonly BaseMessage[] => Array.isArray(value) && value.every(isMessage)

/** A text becomes a longer text, a list of messages gets a system message in front; undefined where the history is neither. */
export const foldBlock = (history: unknown, block: string): string | readonly BaseMessage[] | undefined => {
  if (history === undefined) return block
  // Prompts put a line break behind a history: with this one, the first turn begins with the same bytes as the next, and a prefix cache holds.
  if (history === '') return `${block}\n`
  if (typeof history === 'string') return `${block}\n\n${history}`
  return isMessageList(history) ? [new SystemMessage(block), ...history] : undefined
}
