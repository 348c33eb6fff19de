/** Sessions without any fact about the user, into which facts are planted. */
import type { PastSession } from './corpus.ts'
import { ANYTHING, AUTOMATED, CLOSERS, type Exchange, fillExchange, GLUE, LEAD_INS, OPENERS, TAILS, TOPICS } from './filler.ts'
import type { SeededRandom } from './seeded-random.ts'

const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS

/** Monday. All that was said was said before `ASKED_AT`, a Monday too. */
const FIRST_DAY = Date.UTC(2026, 0, 5)
export const ASKED_AT = Date.UTC(2026, 10, 16, 9)

const DAYS = Math.floor((ASKED_AT - FIRST_DAY) / DAY_MS) - 1
const AUTOMATED_SHARE = 0.08
const GLUE_SHARE = 0.2
const PHRASE_SHARE = 0.45
const ANYTHING_SHARE = 0.5

export interface SessionSizes {
  readonly sessions: number
  readonly minTurns: number
  readonly maxTurns: number
}

/** As people talk: with something before a request and behind it, or without. */
const spoken = ({ user, assistant }: Exchange, random: SeededRandom): Exchange => {
  const some = (phrases: readonly string[]) => (random.chance(PHRASE_SHARE) ? random.pick(phrases) : '')
  return {
    user: `${some(LEAD_INS)}${user}${some(TAILS)}`,
    assistant: `${some(OPENERS)}${assistant}${some(CLOSERS)}`,
  }
}

const talk = (length: number, random: SeededRandom): readonly Exchange[] => {
  const names = Object.keys(TOPICS)
  const chosen = [random.pick(names), random.pick(names)]
  return Array.from({ length }, () =>
    random.chance(GLUE_SHARE)
      ? fillExchange(random.pick(GLUE), random)
      : spoken(fillExchange(random.pick(random.chance(ANYTHING_SHARE) ? ANYTHING : (TOPICS[random.pick(chosen)] ?? [])), random), random),
  )
}

const report = (length: number, random: SeededRandom): readonly Exchange[] =>
  Array.from({ length }, () => fillExchange(random.pick(AUTOMATED), random))

export interface TimedExchanges {
  readonly automated: boolean
  readonly startedAt: number
  readonly turns: readonly Exchange[]
}

/** In the order of time. */
export const generateSessions = ({ sessions, minTurns, maxTurns }: SessionSizes, random: SeededRandom): readonly TimedExchanges[] =>
  Array.from({ length: sessions }, () => FIRST_DAY + random.between(0, DAYS) * DAY_MS + random.between(7 * 60, 21 * 60) * MINUTE_MS)
    .sort((a, b) => a - b)
    .map((startedAt) => {
      const automated = random.chance(AUTOMATED_SHARE)
      const length = random.between(minTurns, maxTurns)
      return { automated, startedAt, turns: automated ? report(length, random) : talk(length, random) }
    })

/** Gives the sessions their ids, and each turn its time. */
export const toPastSessions = (sessions: readonly TimedExchanges[]): readonly PastSession[] =>
  sessions.map(({ automated, startedAt, turns }, index) => ({
    id: sessionId(index),
    automated,
    turns: turns.map((turn, at) => ({ ...turn, at: startedAt + at * 2 * MINUTE_MS })),
  }))

export const sessionId = (index: number): string => `chat-${String(index + 1).padStart(5, '0')}`
