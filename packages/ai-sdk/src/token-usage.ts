/** Token counts of a model call in one shape: V2 reports flat numbers, V3 and V4 nested ones. */
import type { ModelUsage } from '@hermes/core'
import { asCount, asRecord, toModelUsage } from '@hermes/core/adapter'

export interface ReviewUsage {
  readonly inputTokens: number | undefined
  /** The part of the input that was served from the provider's prefix cache. */
  readonly cachedInputTokens: number | undefined
  readonly outputTokens: number | undefined
}

/** The fields with the usage of one call: of a generate result, or of the last part of a stream. */
export interface CountedCall {
  readonly usage?: unknown
  readonly providerMetadata?: unknown
}

/** With V2, Anthropic reports cached tokens in addition to the input; all others include them. */
const besideInput = (cached: number | undefined, providerMetadata: unknown): number => {
  const anthropic = asRecord(providerMetadata)['anthropic']
  return anthropic === undefined ? 0 : (cached ?? 0) + (asCount(asRecord(anthropic)['cacheCreationInputTokens']) ?? 0)
}

export const toReviewUsage = ({ usage: value, providerMetadata }: CountedCall): ReviewUsage => {
  const usage = asRecord(value)
  const input = asRecord(usage['inputTokens'])
  const flat = asCount(usage['inputTokens'])
  const cached = asCount(usage['cachedInputTokens'])
  return {
    inputTokens: flat === undefined ? asCount(input['total']) : flat + besideInput(cached, providerMetadata),
    cachedInputTokens: cached ?? asCount(input['cacheRead']),
    outputTokens: asCount(usage['outputTokens']) ?? asCount(asRecord(usage['outputTokens'])['total']),
  }
}

export const modelUsageOf = (call: CountedCall): ModelUsage | undefined => toModelUsage(toReviewUsage(call))
