/** Token counts as providers tell them, in the shape that core takes. Pure. */
import type { ModelUsage } from '../model/host-model.ts'

/** Undefined for what is no finite number. */
export const asCount = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/** `counts`: unchecked. Without what the provider did not say; undefined where it said nothing of input or output. */
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
