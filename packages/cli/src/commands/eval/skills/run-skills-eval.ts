/** Plays families of tasks with a model, several at a time, each as often as requested, within a limit of tokens. */
import type { SkillFamily } from '../../../../../../benchmarks/skills/families.ts'
import { messageOf } from '../../../answer.ts'
import type { ProviderModel } from '../../../model/choose-model.ts'
import { isReached, type Meter, startMeter, tokensOf } from './agent.ts'
import { type FamilyOutcome, playFamily } from './play-family.ts'
import { scriptedModel } from './scripted-model.ts'

/** What a family costs in one run, by its name. */
export type Estimates = ReadonlyMap<string, Meter>

/** Plays each family once with the scripted model, which costs nothing, and counts. */
export const estimateFamilies = async (families: readonly SkillFamily[], signal: AbortSignal): Promise<Estimates> => {
  const estimates = new Map<string, Meter>()
  for (const family of families) {
    if (signal.aborted) break
    const meter = startMeter()
    await playFamily(family, { model: scriptedModel(), limit: { meter, maxTokens: Number.POSITIVE_INFINITY }, signal })
    estimates.set(family.name, meter)
  }
  return estimates
}

export interface SkillsEvalOptions {
  readonly families: readonly SkillFamily[]
  /** Number of times each family is played; at least 1. */
  readonly runs: number
  readonly model: ProviderModel
  readonly estimates: Estimates
  /** Of all calls. */
  readonly maxTokens: number
  /** Aborting it ends the evaluation: a family that is not finished is left out. */
  readonly stop: AbortController
  readonly onProgress: (done: number, total: number) => void
}

export interface SkillsEvaluated {
  /** One for each finished run of a family. */
  readonly outcomes: readonly FamilyOutcome[]
  readonly use: Meter
  /** Number of runs of families that were to be played. */
  readonly total: number
  /** Why it ended before all was played. */
  readonly stopped?: 'interrupted' | 'max-tokens'
  /** A family whose model failed is left out: in one arm alone it would distort the comparison. */
  readonly failures: readonly { readonly family: string; readonly message: string }[]
}

/** Maximum number of families played at a time: providers limit the rate of calls. */
const AT_A_TIME = 2

export const runSkillsEval = async (options: SkillsEvalOptions): Promise<SkillsEvaluated> => {
  const { families, runs, model, estimates, maxTokens, stop, onProgress } = options
  const jobs = Array.from({ length: runs }, () => families).flat()
  const use = startMeter()
  const limit = { meter: use, maxTokens }
  const outcomes: { readonly at: number; readonly outcome: FamilyOutcome }[] = []
  const failures: { readonly family: string; readonly message: string }[] = []
  let next = 0
  /** Tokens that all that were started are expected to have used in the end. */
  let planned = 0
  let isLimited = false
  // A model that has failed before its first answer need not be asked for the rest.
  const isOver = () => stop.signal.aborted || isLimited || (use.calls === 0 && failures.length > 0)
  const work = async (): Promise<void> => {
    for (let family = jobs[next]; family && !isOver(); family = jobs[next]) {
      const wanted = tokensOf(estimates.get(family.name) ?? startMeter())
      isLimited = Math.max(planned, tokensOf(use)) + wanted > maxTokens
      if (isLimited) return
      planned += wanted
      const at = next++
      try {
        const outcome = await playFamily(family, { model, limit, signal: stop.signal })
        outcomes.push({ at, outcome })
        onProgress(outcomes.length, jobs.length)
      } catch (cause) {
        isLimited ||= isReached(limit)
        if (!stop.signal.aborted && !isLimited) failures.push({ family: family.name, message: messageOf(cause) })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  const stopped = stop.signal.aborted ? 'interrupted' : isLimited ? 'max-tokens' : undefined
  return {
    outcomes: outcomes.sort((a, b) => a.at - b.at).map(({ outcome }) => outcome),
    use,
    total: jobs.length,
    failures,
    ...(stopped === undefined ? {} : { stopped }),
  }
}
