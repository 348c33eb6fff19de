/** Converts token counts of providers into core's form. Pure. */
import type { ModelUsage } from '../model/host-model.ts'

/** Undefined if the value is not a finite number. */
export const asCount = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/** `counts`: unchecked. Omits missing counts; undefined if there are neither input nor output counts. */
export const toModelUsage = (counts: Readonly<Record<keyof ModelUsage, unknown>>): ModelUsage | undefined => {
  const inputTokens = asCount(counts.inputTokens)
  const cachedInputTokens = asCount(counts.cachedInputTokens)
  const outputTokens = asCount(counts.outputTokens)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  }
}
