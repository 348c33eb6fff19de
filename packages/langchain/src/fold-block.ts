/** Puts the memory block in front of a history, in the history's own variable. Pure. */
import { type BaseMessage, SystemMessage } from '@langchain/core/messages'
import { isMessage } from './message-type.ts'

const isMessageList = (value: unknown): value is readonly BaseMessage[] => Array.isArray(value) && value.every(isMessage)

/** Prepends to a text, or adds a system message in front of a list of messages; undefined if the history is neither. */
export const foldBlock = (history: unknown, block: string): string | readonly BaseMessage[] | undefined => {
  if (history === undefined) return block
  // Prompts add a line break after a history. Adding it here too makes the first turn begin with the same bytes as the next, so that a
  // prefix cache applies.
  if (history === '') return `${block}\n`
  if (typeof history === 'string') return `${block}\n\n${history}`
  return isMessageList(history) ? [new SystemMessage(block), ...history] : undefined
}
