/** Does a conversation hold text from outside? A host shows all of it again with every turn, so what was found in a user's message is kept for the next turn. */
import { splitUserMessage } from '../proposal/stamp-transcript.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'

export interface OutsideSight {
  holdsOutside(messages: readonly TurnMessage[]): boolean
  /** Of a turn that has ended: does it hold any, and did what was shown before it? */
  ofTurn(messages: readonly TurnMessage[], before: readonly TurnMessage[]): { readonly outside: boolean; readonly tainted: boolean }
  /** Drops every text that is kept. */
  forget(): void
}

/** `withTrust`: marks what trusted tools answered. */
export const outsideSight = (withTrust: (messages: readonly TurnMessage[]) => readonly TurnMessage[]): OutsideSight => {
  // By the text of a user's message: those of the last turn, and of the one under way.
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

  const holdsOutside = (messages: readonly TurnMessage[]): boolean => withTrust(messages).some(isOutside)

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
