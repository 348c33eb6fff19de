/** Tokens of the host's own calls, which the budget of learning is a part of: as the provider counted them, else a rough guess from their texts. */
import { readUsage } from '../model/learning-cost.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'

export interface HostTokens {
  /** `said`: the prompt and the reply of one call, or a whole turn. `usage` is untrusted. */
  count(said: readonly TurnMessage[], usage: unknown): void
  /** Since the last time. */
  take(): number
}

const CHARS_PER_TOKEN = 4

const guess = (said: readonly TurnMessage[]): number => Math.ceil(said.reduce((sum, { text }) => sum + text.length, 0) / CHARS_PER_TOKEN)

/** `isAsked` false: nobody needs them, and nothing is counted. */
export const hostTokens = (isAsked: boolean): HostTokens => {
  let tokens = 0
  return {
    count(said, usage) {
      if (!isAsked) return
      const counted = readUsage(usage)
      tokens += counted ? (counted.inputTokens ?? 0) + (counted.outputTokens ?? 0) : guess(said)
    },
    take() {
      const taken = tokens
      tokens = 0
      return taken
    },
  }
}
