/** Plays scenarios with a model, several at a time, each as often as requested. */

import type { HostModel } from '@hermes/core'
import { type Failure, messageOf } from '../../answer.ts'
import type { World } from '../../world.ts'
import { judgeScenario, type ScenarioOutcome } from './outcomes.ts'
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

/** Token counts are those that the provider reports. */
export interface ModelUse {
  /** Number of successful calls. */
  readonly calls: number
  readonly inputTokens: number
  /** The part of the input that was served from a cache. */
  readonly cachedInputTokens: number
  readonly outputTokens: number
  /** Number of successful calls without token counts. */
  readonly unmeasured: number
}

export interface EvalModel {
  /** Name shown to a person. */
  readonly label: string
  /** What to check if a call fails. */
  readonly advice: string
  readonly reviewer: HostModel
  readonly assistant: Assistant
  readonly use: () => ModelUse
}

type Tokens = Readonly<Record<'inputTokens' | 'cachedInputTokens' | 'outputTokens', number | undefined>>

const addUse = (use: ModelUse, { inputTokens, cachedInputTokens, outputTokens }: Tokens): ModelUse => ({
  calls: use.calls + 1,
  inputTokens: use.inputTokens + (inputTokens ?? 0),
  cachedInputTokens: use.cachedInputTokens + (cachedInputTokens ?? 0),
  outputTokens: use.outputTokens + (outputTokens ?? 0),
  unmeasured: use.unmeasured + (inputTokens === undefined || outputTokens === undefined ? 1 : 0),
})

/** Leaves room for a model that reasons before it answers. */
const ANSWER_TOKENS = 2_000

const INSTRUCTIONS = 'You are a helpful assistant. Answer in one short sentence.'

/** `signal`: cancels pending calls. */
export const openEvalModel = async (named: string | undefined, { env }: World, signal: AbortSignal): Promise<EvalModel | Failure> => {
  const [{ chooseModel }, { hostModel }] = await Promise.all([import('../../model/choose-model.ts'), import('@hermes/ai-sdk')])
  const chosen = await chooseModel(env, { modelName: named })
  if ('problem' in chosen) return { code: 'invalid', message: `The evaluation needs a model of your own. ${chosen.problem}` }
  const { model, label, advice } = chosen
  let use: ModelUse = { calls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, unmeasured: 0 }
  const review = hostModel(model, {
    onUsage: (usage) => {
      use = addUse(use, usage)
    },
  })
  return {
    label,
    advice,
    reviewer: (request) => review({ ...request, signal: AbortSignal.any([request.signal, signal]) }),
    assistant: async (system, question) => {
      const { content, usage } = await model.doGenerate({
        prompt: [
          { role: 'system', content: `${INSTRUCTIONS}\n\n${system}`.trim() },
          { role: 'user', content: [{ type: 'text', text: question }] },
        ],
        maxOutputTokens: ANSWER_TOKENS,
        abortSignal: signal,
      })
      use = addUse(use, {
        inputTokens: usage.inputTokens.total,
        cachedInputTokens: usage.inputTokens.cacheRead,
        outputTokens: usage.outputTokens.total,
      })
      return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    },
    use: () => use,
  }
}
