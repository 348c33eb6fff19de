/** Plays scenarios with a model, several at a time, each as often as requested. */
import type { EvalModel } from './eval-model.ts'
import { judgeScenario, type ScenarioOutcome } from './judge-scenario.ts'
import { type Assistant, playScenario } from './play-scenario.ts'
import type { Scenario } from './scenario.ts'

export interface EvalOptions {
  readonly scenarios: readonly Scenario[]
  /** Number of times each scenario is played; at least 1. */
  readonly runs: number
  readonly model: EvalModel
  /** Aborting it ends the evaluation; finished scenarios are still judged. */
  readonly stop: AbortController
  readonly onProgress: (done: number, total: number) => void
}

export interface Evaluated {
  /** One for each finished run of a scenario. */
  readonly outcomes: readonly ScenarioOutcome[]
  /** Error message of the model if every call failed; the evaluation then ended early. */
  readonly modelFailure?: string
}

/** Maximum number of scenarios played at a time: providers limit the rate of calls. */
const AT_A_TIME = 2

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Counts a failed question as not answered and records the failure. */
const guarded = (assistant: Assistant, stop: AbortController, failures: string[]): Assistant => {
  return async (system, question) => {
    try {
      return await assistant(system, question)
    } catch (cause) {
      stop.signal.throwIfAborted()
      failures.push(messageOf(cause))
      return ''
    }
  }
}

const playOne = async (scenario: Scenario, { model, stop }: EvalOptions): Promise<ScenarioOutcome> => {
  const failures: string[] = []
  const assistant = guarded(model.assistant, stop, failures)
  const played = await playScenario(scenario, { model: model.reviewer, assistant, signal: stop.signal })
  return judgeScenario(scenario, { ...played, failures: [...played.failures, ...failures] })
}

/** Rejects only on programming errors. */
export const runEval = async (options: EvalOptions): Promise<Evaluated> => {
  const { scenarios, runs, model, stop, onProgress } = options
  const jobs = Array.from({ length: runs }, () => scenarios).flat()
  const outcomes: { readonly at: number; readonly outcome: ScenarioOutcome }[] = []
  let next = 0
  let modelFailure: string | undefined
  const work = async (): Promise<void> => {
    for (let at = next++; at < jobs.length && !stop.signal.aborted; at = next++) {
      const scenario = jobs[at]
      if (scenario === undefined) return
      try {
        const outcome = await playOne(scenario, options)
        // A cancelled review says nothing about the scenario.
        if (stop.signal.aborted) return
        outcomes.push({ at, outcome })
        onProgress(outcomes.length, jobs.length)
        const [failure] = outcome.failures
        if (failure !== undefined && model.use().calls === 0) {
          modelFailure = failure
          stop.abort()
        }
      } catch (cause) {
        if (!stop.signal.aborted) throw cause
      }
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  return {
    outcomes: outcomes.sort((a, b) => a.at - b.at).map(({ outcome }) => outcome),
    ...(modelFailure === undefined ? {} : { modelFailure }),
  }
}
