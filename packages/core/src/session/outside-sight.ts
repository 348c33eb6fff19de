/**
 * Determines whether proven messages hold text from outside. Hosts show the whole conversation every turn, so the finding for each user message is cached
 * until the next turn.
 */
import { splitUserMessage } from '../proposal/own-words.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'

export class OutsideSight {
  // By the text of a user's message: findings of the previous turn, and of the current one.
  #older = new Map<string, boolean>()
  #newer = new Map<string, boolean>()

  /** `messages`: as returned by `OwnWords.prove`. */
  holdsOutside(messages: readonly TurnMessage[]): boolean {
    return messages.some((message) => this.#isOutside(message))
  }

  /** For a turn that has ended: whether it, and whether the messages before it, hold text from outside. */
  ofTurn(messages: readonly TurnMessage[], before: readonly TurnMessage[]): { readonly outside: boolean; readonly tainted: boolean } {
    this.#older = this.#newer
    this.#newer = new Map()
    return { outside: this.holdsOutside(messages), tainted: this.holdsOutside(before) }
  }

  /** Drops the cache. */
  forget(): void {
    this.#older = new Map()
    this.#newer = new Map()
  }

  #isOutside(message: TurnMessage): boolean {
    if (message.outside === true) return true
    if (message.role === 'user') return this.#isPasted(message)
    return message.role === 'tool' && message.trusted !== true
  }

  #isPasted(message: TurnMessage): boolean {
    const { text } = message
    const known = this.#newer.get(text) ?? this.#older.get(text)
    const found = known ?? splitUserMessage(message).some(({ outside }) => outside === true)
    this.#newer.set(text, found)
    return found
  }
}
