/** Generates the corpus: the same for the same seed. */
import type { Corpus } from './corpus.ts'
import type { Exchange } from './filler.ts'
import { generateSessions, type SessionSizes, type TimedExchanges, toPastSessions } from './generate-sessions.ts'
import type { Planted } from './plan.ts'
import { planFacts } from './plan-facts.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

const DEFAULT_SIZES: SessionSizes = { sessions: 560, minTurns: 10, maxTurns: 40 }

/** How much of what is planted is said in one breath with a request for something else. */
const BURIED_SHARE = 0.4

const OPENINGS = ['By the way: ', 'Before I forget: ', 'Oh, and ', 'Short break. ', ''] as const
const TRANSITIONS = [' Anyway. ', ' But back to work: ', '\n\n', ' Now this: '] as const

const bury = (fact: Exchange, request: Exchange, random: SeededRandom): Exchange => ({
  user: `${random.pick(OPENINGS)}${fact.user}${random.pick(TRANSITIONS)}${request.user}`,
  assistant: `${fact.assistant} ${request.assistant}`,
})

const plant = (session: TimedExchanges, planted: readonly Planted[], random: SeededRandom): TimedExchanges => {
  const turns = [...session.turns]
  for (const { exchange, after } of planted) {
    const at = random.between(0, turns.length - 1)
    const there = turns[at]
    if (there !== undefined && random.chance(BURIED_SHARE)) turns[at] = bury(exchange, there, random)
    else turns.splice(at, 0, exchange)
    if (after !== undefined) turns.splice(at + 1, 0, after)
  }
  return { ...session, turns }
}

export const generateCorpus = (seed: number, sizes: SessionSizes = DEFAULT_SIZES): Corpus => {
  const random = seededRandom(seed)
  const sessions = generateSessions(sizes, random)
  const { planted, questions } = planFacts(sessions, random)
  const whole = sessions.map((session, index) =>
    plant(
      session,
      planted.filter((each) => each.session === index),
      random,
    ),
  )
  return { sessions: toPastSessions(whole), questions }
}
