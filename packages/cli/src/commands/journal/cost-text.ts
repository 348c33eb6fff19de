/** Formats the cost of model calls. */
import type { LearningCost } from '@hermes/core'
import { counted, formatCount } from '../../terminal/format.ts'

/** Starts with `~` if part of the count is an estimate. */
export const formatTokens = (tokens: number, estimated: boolean): string => `${estimated ? '~' : ''}${formatCount(tokens)}`

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** `0.8 s`, `42 s`, `3 min`. */
export const formatDuration = (ms: number): string => {
  if (ms < 10 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(1)} s`
  return ms < 2 * MINUTE_MS ? `${Math.round(ms / SECOND_MS)} s` : `${formatCount(Math.round(ms / MINUTE_MS))} min`
}

/** `4,200 tokens in (3,000 cached), 120 out, 2 calls, 3.1 s, small-1`. */
export const describeCost = ({ model, calls, inputTokens, cachedInputTokens, outputTokens, estimated, durationMs }: LearningCost): string =>
  [
    `${formatTokens(inputTokens, estimated)} tokens in${cachedInputTokens > 0 ? ` (${formatCount(cachedInputTokens)} cached)` : ''}`,
    `${formatTokens(outputTokens, estimated)} out`,
    counted(calls, 'call'),
    formatDuration(durationMs),
    ...(model === undefined ? [] : [model]),
  ].join(', ')
