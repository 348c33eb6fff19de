/** One time budget around calls to the host's model: what does not answer in time is given up, even if it ignores the signal. */

import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { HostModel, HostModelRequest } from './host-model.ts'

export interface ModelBudget {
  call(request: Omit<HostModelRequest, 'signal'>): Promise<Result<string>>
  /** Must be called when the last call is over. */
  end(): void
}

/** Whose calls these are, for the messages. */
export interface ModelTask {
  /** Such as `review`. */
  readonly name: string
  /** The option that sets the time. */
  readonly timeoutOption: string
}

const REVIEW: ModelTask = { name: 'review', timeoutOption: 'review.timeoutMs' }

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** `timeout` when the budget is used up or the host's signal fires, `model` when the model throws or gives no text. */
export const startModelBudget = (
  model: HostModel,
  timeoutMs: number,
  hostSignal?: AbortSignal,
  { name, timeoutOption }: ModelTask = REVIEW,
): ModelBudget => {
  const controller = new AbortController()
  let giveUp: (outcome: Result<string>) => void = () => {}
  const givenUp = new Promise<Result<string>>((resolve) => {
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

  const answer = async (request: Omit<HostModelRequest, 'signal'>): Promise<Result<string>> => {
    try {
      const text: unknown = await model({ ...request, signal: controller.signal })
      return typeof text === 'string'
        ? ok(text)
        : err(new HermesError('model', `The ${name}'s model gave no text. A host model must resolve to a string.`))
    } catch (cause) {
      return err(new HermesError('model', `The ${name}'s model failed: ${messageOf(cause)}`, { cause }))
    }
  }

  return {
    call: async (request) => (controller.signal.aborted ? givenUp : Promise.race([givenUp, answer(request)])),
    end: () => {
      clearTimeout(timer)
      hostSignal?.removeEventListener('abort', onHostAbort)
    },
  }
}
