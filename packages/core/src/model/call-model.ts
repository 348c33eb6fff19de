/** One time budget for several calls to the host's model. A call that exceeds it is abandoned, even if the model ignores the signal. */

import { type Clock, systemClock } from '../shared/clock.ts'
import { HermesError, messageOf } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { addCosts } from './add-costs.ts'
import type { HostModel, HostModelRequest, ModelUsage } from './host-model.ts'
import { costOfCall, type LearningCost, readModelId, readUsage } from './learning-cost.ts'

export interface ModelBudget {
  call(request: Omit<HostModelRequest, 'signal'>): Promise<Result<string>>
  /** The cost of all finished and abandoned calls; `undefined` if there were none. */
  cost(): LearningCost | undefined
  /** Must be called after the last call. */
  end(): void
}

/** Names the task in error messages. */
interface ModelTask {
  /** For example `review`. */
  readonly name: string
  /** The option that sets the time limit. */
  readonly timeoutOption: string
}

export interface ModelBudgetOptions {
  /** Milliseconds for all calls together. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Measures the duration of the calls. Default: the system clock. */
  readonly clock?: Clock | undefined
  /** Default: a review. */
  readonly task?: ModelTask
}

interface Answer {
  readonly text: string
  readonly usage: ModelUsage | undefined
  readonly model: string | undefined
}

const REVIEW: ModelTask = { name: 'review', timeoutOption: 'review.timeoutMs' }

/** `undefined` for an answer without text. The other fields are unverified, so invalid values are dropped. */
const readAnswer = (answer: unknown): Answer | undefined => {
  if (typeof answer === 'string') return { text: answer, usage: undefined, model: undefined }
  if (typeof answer !== 'object' || answer === null) return undefined
  const text: unknown = Reflect.get(answer, 'text')
  if (typeof text !== 'string') return undefined
  return { text, usage: readUsage(Reflect.get(answer, 'usage')), model: readModelId(Reflect.get(answer, 'model')) }
}

/** Calls fail with `timeout` if the budget is used up or the host aborts, with `model` if the model throws or returns no text. */
export const startModelBudget = (
  model: HostModel,
  { timeoutMs, signal: hostSignal, clock = systemClock, task: { name, timeoutOption } = REVIEW }: ModelBudgetOptions,
): ModelBudget => {
  const controller = new AbortController()
  const costs: LearningCost[] = []
  let giveUp: (outcome: Result<never>) => void = () => {}
  const givenUp = new Promise<Result<never>>((resolve) => {
    giveUp = resolve
  })
  const stop = (error: HermesError): void => {
    giveUp(err(error))
    controller.abort(error)
  }
  const timer = setTimeout(
    () =>
      stop(
        new HermesError(
          'timeout',
          `The ${name}'s model did not answer within ${timeoutMs} ms. Raise '${timeoutOption}' or use a faster model.`,
        ),
      ),
    timeoutMs,
  )
  const onHostAbort = (): void => stop(new HermesError('timeout', `The ${name} was cancelled before the model answered.`))
  if (hostSignal?.aborted) onHostAbort()
  hostSignal?.addEventListener('abort', onHostAbort, { once: true })

  const answer = async (request: Omit<HostModelRequest, 'signal'>): Promise<Result<Answer>> => {
    try {
      const answered = readAnswer(await model({ ...request, signal: controller.signal }))
      const message = `The ${name}'s model returned no text. A host model must resolve to a string or to { text }.`
      return answered ? ok(answered) : err(new HermesError('model', message))
    } catch (cause) {
      return err(new HermesError('model', `The ${name}'s model failed: ${messageOf(cause)}`, { cause }))
    }
  }

  return {
    call: async (request) => {
      if (controller.signal.aborted) return givenUp
      const startedAt = clock()
      const answered = await Promise.race([givenUp, answer(request)])
      const { text, usage, model: id } = answered.ok ? answered.value : NO_ANSWER
      costs.push(costOfCall({ request, text, usage, model: id, durationMs: clock() - startedAt }))
      return answered.ok ? ok(answered.value.text) : answered
    },
    cost: () => addCosts(costs),
    end: () => {
      clearTimeout(timer)
      hostSignal?.removeEventListener('abort', onHostAbort)
    },
  }
}

const NO_ANSWER = { text: undefined, usage: undefined, model: undefined }
