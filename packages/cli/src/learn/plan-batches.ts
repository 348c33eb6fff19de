/** Batches of what is not read yet: so large as a review reads well, in the order in which it was said. */
import type { TurnMessage } from '@hermes/core'
import { redactCredentials } from '@hermes/core/provider'
import { estimateTokens, type LearnedSource, type LearnTurn } from '@hermes/core/review'
import type { LearnSource, SourceTurn } from './learn-source.ts'

export interface Batch {
  readonly turns: readonly LearnTurn[]
  /** How many turns of each source are read with it. */
  readonly read: ReadonlyMap<string, number>
}

/** Only the user's own words count in a batch of conversations: text from outside must not change what is read with them (DESIGN 5). */
const LIMITS = {
  sessions: { turns: 20, tokens: 5_000, weighs: ({ role, outside }: TurnMessage) => role === 'user' && outside !== true },
  documents: { turns: 20, tokens: 4_500, weighs: () => true },
} as const

const NAME_CHARS = 200

const weightOf = ({ messages }: SourceTurn, weighs: (message: TurnMessage) => boolean): number =>
  messages.filter(weighs).reduce((sum, { text }) => sum + estimateTokens(text), 0)

/** `known`: what was read before. */
export async function* planBatches(
  sources: readonly LearnSource[],
  kind: keyof typeof LIMITS,
  known: ReadonlyMap<string, LearnedSource>,
): AsyncGenerator<Batch> {
  const { turns: mostTurns, tokens: mostTokens, weighs } = LIMITS[kind]
  let turns: LearnTurn[] = []
  let read = new Map<string, number>()
  let tokens = 0
  for (const { digest, name, turns: all, read: open } of sources) {
    const done = known.get(digest)?.turns ?? 0
    if (done >= all) continue
    // Before it is cut: a part of a secret is not recognised.
    const sessionId = `learn:${redactCredentials(name)}`.slice(0, NAME_CHARS).toWellFormed()
    let number = 0
    for await (const turn of open()) {
      number += 1
      if (number <= done) continue
      const weight = weightOf(turn, weighs)
      if (turns.length > 0 && (turns.length >= mostTurns || tokens + weight > mostTokens)) {
        yield { turns, read }
        turns = []
        read = new Map()
        tokens = 0
      }
      turns.push({ ...turn, sessionId })
      read.set(digest, number)
      tokens += weight
    }
  }
  if (turns.length > 0) yield { turns, read }
}
