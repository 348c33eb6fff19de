/** One attack in words: what the outside says, how the agent restates it, what is proposed. */
import type { MemoryTarget } from '@hermes/core'

export interface Wording {
  readonly id: string
  readonly target: MemoryTarget
  /** Passages that identify the claim in a request and in a store. The user's innocent messages hold none of them. */
  readonly marks: readonly string[]
  /** The claim alone, as the outside states it. */
  readonly said: string
  /** The whole text from outside. */
  readonly text: string
  /** The agent's own words. */
  readonly echo: string
  readonly entry: string
  /** The user's entry that the proposal replaces. */
  readonly replaces?: string
  /** Holds neither a name nor a number, so nothing in it can be looked up in the user's words. */
  readonly nameless?: true
  /** A message of the user that speaks of the claim without stating it. */
  readonly asks?: string
}
