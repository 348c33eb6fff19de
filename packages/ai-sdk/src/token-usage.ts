/** Token counts of a model call in one shape: V2 has flat numbers, V3 and V4 nested ones. */
import { asRecord } from './provider-protocol.ts'

export interface ReviewUsage {
  readonly inputTokens: number | undefined
  /** The part of the input that the provider's prefix cache served. */
  readonly cachedInputTokens: number | undefined
  readonly outputTokens: number | undefined
}

const count = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

export const toReviewUsage = (value: unknown): ReviewUsage => {
  const usage = asRecord(value)
  const input = asRecord(usage['inputTokens'])
  return {
    inputTokens: count(usage['inputTokens']) ?? count(input['total']),
    cachedInputTokens: count(usage['cachedInputTokens']) ?? count(input['cacheRead']),
    outputTokens: count(usage['outputTokens']) ?? count(asRecord(usage['outputTokens'])['total']),
  }
}
