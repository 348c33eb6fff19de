/** Implements the host-model port of core with a language model of the AI SDK, so that reviews use the host's own model. */
import type { HostModel } from '@hermes/core'
import { asRecord, asText, callSafely } from '@hermes/core/adapter'
import type { CallParams, GenerateResult, InnerModel } from './provider-protocol.ts'
import { digestParams, type ReviewCallOptions, replayParams } from './review-params.ts'
import { modelUsageOf, type ReviewUsage, toReviewUsage } from './token-usage.ts'

export interface HostModelOptions extends ReviewCallOptions {
  /** Called with the token usage of each review. */
  readonly onUsage?: ((usage: ReviewUsage) => void) | undefined
}

/** The host's last call and its answer, for `replay`; without it every review is a digest. */
export interface HostCall<Params> {
  readonly params: Params
  readonly reply: string
}

const answerText = (result: GenerateResult): string => {
  const structured = asText(result.structuredOutputText)
  if (structured !== '') return structured
  return result.content
    .map(asRecord)
    .filter((part) => part['type'] === 'text')
    .map((part) => asText(part['text']))
    .join('')
}

/**
 * Calls the model once per review with the review's own signal, so that aborting the turn does not abort the review. Rejects if the model
 * does; core turns that into an event.
 */
export const hostModel =
  <Params extends CallParams, Result extends GenerateResult>(
    model: InnerModel<Params, Result>,
    { onUsage, headers, providerOptions }: HostModelOptions = {},
    last?: HostCall<Params>,
  ): HostModel =>
  async (request) => {
    const params =
      request.mode === 'replay' && last !== undefined
        ? replayParams(last.params, last.reply, request, providerOptions)
        : digestParams(request, { headers, providerOptions })
    // Built from fields that V2, V3 and V4 share; only the host's version knows the full type.
    const result = await model.doGenerate(params as Params)
    if (onUsage) callSafely(onUsage, toReviewUsage(result))
    const id = asText(asRecord(result.response)['modelId']) || asText(model.modelId)
    const usage = modelUsageOf(result)
    return { text: answerText(result), ...(usage ? { usage } : {}), ...(id === '' ? {} : { model: id }) }
  }
