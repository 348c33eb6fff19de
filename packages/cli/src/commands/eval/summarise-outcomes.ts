/** Sums over scenarios and runs, with confidence intervals. Pure. */
import type { ScenarioOutcome, Share } from './judge-scenario.ts'
import { SCENARIO_KINDS } from './scenario.ts'

/** The sums of one kind of scenario, or of all. */
export interface Row {
  readonly name: string
  /** Number of runs: a scenario that was played three times counts three times. */
  readonly played: number
  readonly known: Share
  readonly stale: Share
  readonly lost: Share
  readonly answered: Share
  readonly held: number
  readonly reviews: number
  readonly calls: number
  readonly failures: number
  readonly hostTokens: number
  readonly learningTokens: number
}

const COUNTS = ['held', 'reviews', 'calls', 'hostTokens', 'learningTokens'] as const

const SHARES = ['known', 'stale', 'lost', 'answered'] as const

const sumShares = (shares: readonly Share[]): Share => ({
  hits: shares.reduce((sum, { hits }) => sum + hits, 0),
  total: shares.reduce((sum, { total }) => sum + total, 0),
})

export const sumOutcomes = (name: string, outcomes: readonly ScenarioOutcome[]): Row => {
  const [held, reviews, calls, hostTokens, learningTokens] = COUNTS.map((key) => outcomes.reduce((sum, outcome) => sum + outcome[key], 0))
  const [known, stale, lost, answered] = SHARES.map((key) => sumShares(outcomes.map((outcome) => outcome[key])))
  const none: Share = { hits: 0, total: 0 }
  return {
    name,
    played: outcomes.length,
    known: known ?? none,
    stale: stale ?? none,
    lost: lost ?? none,
    answered: answered ?? none,
    held: held ?? 0,
    reviews: reviews ?? 0,
    calls: calls ?? 0,
    failures: outcomes.reduce((sum, { failures }) => sum + failures.length, 0),
    hostTokens: hostTokens ?? 0,
    learningTokens: learningTokens ?? 0,
  }
}

/** One row for each kind that was played, then `all`. */
export const summarise = (outcomes: readonly ScenarioOutcome[]): readonly Row[] => [
  ...SCENARIO_KINDS.flatMap((kind) => {
    const own = outcomes.filter((outcome) => outcome.kind === kind)
    return own.length === 0 ? [] : [sumOutcomes(kind, own)]
  }),
  sumOutcomes('all', outcomes),
]

/** 0 to 1; undefined if `total` is 0. */
export const shareOf = ({ hits, total }: Share): number | undefined => (total === 0 ? undefined : hits / total)

export interface Interval {
  readonly low: number
  readonly high: number
}

/** Quantile of the normal distribution for a two-sided 95 % interval. */
const Z = 1.959963984540054

/** The 95 % Wilson score interval of a share; undefined if `total` is 0. */
export const wilsonInterval = ({ hits, total }: Share): Interval | undefined => {
  if (total === 0) return undefined
  const share = hits / total
  const square = Z * Z
  const centre = (share + square / (2 * total)) / (1 + square / total)
  const half = (Z / (1 + square / total)) * Math.sqrt((share * (1 - share)) / total + square / (4 * total * total))
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}
