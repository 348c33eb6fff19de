/** Plays scenarios with a model, some at a time, as often as asked. */
import type { EvalModel } from './eval-model.ts'
import { judgeScenario, type ScenarioOutcome } from './judge-scenario.ts'
import { type Assistant, playScenario } from './play-scenario.ts'
import type { Scenario } from './scenario.ts'

export interface EvalOptions {
  readonly scenarios: readonly Scenario[]
  /** How often each is played; at least 1. */
  readonly runs: number
  readonly model: EvalModel
  /** Aborting it ends the evaluation; what was played until then is judged. */
  readonly stop: AbortController
  readonly onProgress: (done: number, total: number) => void
}

export interface Evaluated {
  /** Of each scenario and run that was played to its end. */
  readonly outcomes: readonly ScenarioOutcome[]
  /** The model's own words where it answered no call at all; the evaluation then ended early. */
  readonly modelFailure?: string
}

/** Scenarios played at a time: providers limit how many calls they take. */
const AT_A_TIME = 2

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** A question that the model fails to answer is not answered, and the failure is told. */
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

/** Rejects only with what is a fault of the program. */
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
        // A review that was called off says nothing of the scenario.
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
