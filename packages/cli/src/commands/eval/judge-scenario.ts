/** Counts the known, stale and lost facts of a played scenario. Pure. */
import { holdsFact } from './match-text.ts'
import type { Played } from './play-scenario.ts'
import type { FactPattern, Scenario, ScenarioKind } from './scenario.ts'

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
