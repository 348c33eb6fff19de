/** Counts the known, stale and lost facts of a played scenario. Pure. */
import type { Played } from './play-scenario.ts'
import { type FactPattern, SCENARIO_KINDS, type Scenario, type ScenarioKind } from './scenario.ts'

/** `hits` out of `total`. */
export interface Share {
  readonly hits: number
  readonly total: number
}

export interface ScenarioOutcome {
  readonly id: string
  readonly kind: ScenarioKind
  /** Expected facts that are in the next session's prompt. */
  readonly known: Share
  /** Outdated facts that are still in the prompt. */
  readonly stale: Share
  /** Facts that are neither in the prompt, nor in the archive, nor pending. */
  readonly lost: Share
  /** Questions whose answer contains the fact. */
  readonly answered: Share
  /** Number of pending proposals. */
  readonly held: number
  readonly reviews: number
  readonly calls: number
  readonly hostTokens: number
  readonly learningTokens: number
  /** Estimated tokens. */
  readonly largestRequest: number
  readonly failures: readonly string[]
  /** Details of what went wrong, for a person. */
  readonly notes: readonly string[]
}

const describe = ({ all }: FactPattern): string => all.join(' + ')

const share = (all: readonly unknown[], hits: readonly unknown[]): Share => ({ hits: hits.length, total: all.length })

export const judgeScenario = ({ id, kind, known, kept = [], stale = [], questions }: Scenario, played: Played): ScenarioOutcome => {
  const { prompt, archived, held, answers } = played
  const isIn = (texts: readonly string[]) => (fact: FactPattern) => texts.some((text) => holdsFact(text, fact))
  const isShown = isIn(prompt)
  const isSomewhere = isIn([...prompt, ...archived, ...held])
  const all = [...new Map([...known, ...kept].map((fact) => [describe(fact), fact])).values()]
  const shown = known.filter(isShown)
  const left = stale.filter(isShown)
  const lost = all.filter((fact) => !isSomewhere(fact))
  const answered = questions.filter(({ answer }, index) => holdsFact(answers[index] ?? '', answer))
  return {
    id,
    kind,
    known: share(known, shown),
    stale: share(stale, left),
    lost: share(all, lost),
    answered: share(questions, answered),
    held: held.length,
    reviews: played.reviews,
    calls: played.calls,
    hostTokens: played.hostTokens,
    learningTokens: played.learningTokens,
    largestRequest: played.largestRequest,
    failures: played.failures,
    notes: [
      ...known.filter((fact) => !shown.includes(fact)).map((fact) => `not known: ${describe(fact)}`),
      ...left.map((fact) => `stale: ${describe(fact)}`),
      ...lost.map((fact) => `lost: ${describe(fact)}`),
      ...questions.filter((question) => !answered.includes(question)).map(({ ask }) => `not answered: ${ask}`),
    ],
  }
}

const COUNTS = ['held', 'reviews', 'calls', 'hostTokens', 'learningTokens'] as const
const SHARES = ['known', 'stale', 'lost', 'answered'] as const

type Sums<Key extends string, Value> = { readonly [Name in Key]: Value }

/** The sums of one kind of scenario, or of all. */
export interface Row extends Sums<(typeof COUNTS)[number], number>, Sums<(typeof SHARES)[number], Share> {
  readonly name: string
  /** Number of runs: a scenario that was played three times counts three times. */
  readonly played: number
  readonly failures: number
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export const sumOutcomes = (name: string, outcomes: readonly ScenarioOutcome[]): Row => {
  const count = (key: (typeof COUNTS)[number]) => [key, sum(outcomes.map((outcome) => outcome[key]))]
  const add = (key: (typeof SHARES)[number]) => [
    key,
    { hits: sum(outcomes.map((outcome) => outcome[key].hits)), total: sum(outcomes.map((outcome) => outcome[key].total)) },
  ]
  const sums = Object.fromEntries([...COUNTS.map(count), ...SHARES.map(add)])
  return { name, played: outcomes.length, failures: sum(outcomes.map(({ failures }) => failures.length)), ...sums }
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

/** Quantile of the normal distribution for a two-sided 95 % interval. */
const Z = 1.959963984540054

/** The 95 % Wilson score interval of a share; undefined if `total` is 0. */
export const wilsonInterval = ({ hits, total }: Share): { readonly low: number; readonly high: number } | undefined => {
  if (total === 0) return undefined
  const share = hits / total
  const square = Z * Z
  const centre = (share + square / (2 * total)) / (1 + square / total)
  const half = (Z / (1 + square / total)) * Math.sqrt((share * (1 - share)) / total + square / (4 * total * total))
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

/** Lower case, without accents and typographic quotes, white space as single spaces. */
const normalise = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[‘’]/g, "'").replace(/\s+/g, ' ').toLowerCase()

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const NOT_BEFORE = '(?<![\\p{L}\\p{N}])'
const NOT_AFTER = '(?![\\p{L}\\p{N}])'

const formPattern = (form: string): string => {
  const [isEnd, isBeginning] = [form.startsWith('*'), form.endsWith('*')]
  const text = escapeRegExp(form.slice(isEnd ? 1 : 0, isBeginning ? -1 : undefined))
  return `${isEnd ? '' : NOT_BEFORE}${text}${isBeginning ? '' : NOT_AFTER}`
}

/**
 * `word`: alternatives separated by `|`, each one or more whole words. A `*` at the start or end lets the word continue there, which is
 * also how scripts without spaces are matched. Ignores case and accents.
 */
export const holdsWord = (text: string, word: string): boolean =>
  new RegExp(normalise(word).split('|').map(formPattern).join('|'), 'u').test(normalise(text))

export const holdsFact = (text: string, { all, none = [] }: FactPattern): boolean =>
  all.every((word) => holdsWord(text, word)) && !none.some((word) => holdsWord(text, word))
