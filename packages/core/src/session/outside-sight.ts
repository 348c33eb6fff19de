/**
 * Determines whether proven messages hold text from outside. Hosts show the whole conversation every turn, so the finding for each user message is cached
 * until the next turn.
 */
import { splitUserMessage } from '../proposal/own-words.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'

export interface OutsideSight {
  /** `messages`: as returned by `OwnWords.prove`. */
  holdsOutside(messages: readonly TurnMessage[]): boolean
  /** For a turn that has ended: whether it, and whether the messages before it, hold text from outside. */
  ofTurn(messages: readonly TurnMessage[], before: readonly TurnMessage[]): { readonly outside: boolean; readonly tainted: boolean }
  /** Drops the cache. */
  forget(): void
}

export const outsideSight = (): OutsideSight => {
  // By the text of a user's message: findings of the previous turn, and of the current one.
  let older = new Map<string, boolean>()
  let newer = new Map<string, boolean>()

  const isPasted = (message: TurnMessage): boolean => {
    const { text } = message
    const known = newer.get(text) ?? older.get(text)
    const found = known ?? splitUserMessage(message).some(({ outside }) => outside === true)
    newer.set(text, found)
    return found
  }

  const isOutside = (message: TurnMessage): boolean => {
    if (message.outside === true) return true
    if (message.role === 'user') return isPasted(message)
    return message.role === 'tool' && message.trusted !== true
  }

  const holdsOutside = (messages: readonly TurnMessage[]): boolean => messages.some(isOutside)

  return {
    holdsOutside,
    ofTurn(messages, before) {
      older = newer
      newer = new Map()
      return { outside: holdsOutside(messages), tainted: holdsOutside(before) }
    },
    forget() {
      older = new Map()
      newer = new Map()
    },
  }
}
