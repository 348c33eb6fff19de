/** Token counts of a model call in one shape: V2 has flat numbers, V3 and V4 nested ones. */
import type { ModelUsage } from '@hermes/core'
import { asRecord } from './provider-protocol.ts'

export interface ReviewUsage {
  readonly inputTokens: number | undefined
  /** The part of the input that the provider's prefix cache served. */
  readonly cachedInputTokens: number | undefined
  readonly outputTokens: number | undefined
}

/** What says so of one call: a generate result, or the last part of a stream. */
export interface CountedCall {
  readonly usage?: unknown
  readonly providerMetadata?: unknown
}

const count = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/** Anthropic's V2 counts the cached tokens beside the input, all others as a part of it. */
const besideInput = (cached: number | undefined, providerMetadata: unknown): number => {
  const anthropic = asRecord(providerMetadata)['anthropic']
  return anthropic === undefined ? 0 : (cached ?? 0) + (count(asRecord(anthropic)['cacheCreationInputTokens']) ?? 0)
}

export const toReviewUsage = ({ usage: value, providerMetadata }: CountedCall): ReviewUsage => {
  const usage = asRecord(value)
  const input = asRecord(usage['inputTokens'])
  const flat = count(usage['inputTokens'])
  const cached = count(usage['cachedInputTokens'])
  return {
    inputTokens: flat === undefined ? count(input['total']) : flat + besideInput(cached, providerMetadata),
    cachedInputTokens: cached ?? count(input['cacheRead']),
    outputTokens: count(usage['outputTokens']) ?? count(asRecord(usage['outputTokens'])['total']),
  }
}

/** Without what the provider did not say; undefined where it said nothing. */
export const toModelUsage = (call: CountedCall): ModelUsage | undefined => {
  const { inputTokens, cachedInputTokens, outputTokens } = toReviewUsage(call)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  }
}
