/** Token counts and the model's id, as LangChain's messages carry them; nothing of what a provider did not say. */
import type { ModelUsage } from '@hermes/core'
import { asCount, asRecord, asText, toModelUsage } from '@hermes/core/adapter'
import { bareModel } from './bare-model.ts'

const add = (a: number | undefined, b: number | undefined): number | undefined => (a === undefined ? b : a + (b ?? 0))

/** Of one message, or of several together. Undefined where none of them tells any. */
export const usageOf = (answers: readonly unknown[]): ModelUsage | undefined => {
  const told = answers.map((answer) => asRecord(asRecord(answer)['usage_metadata']))
  const sum = (read: (usage: Readonly<Record<string, unknown>>) => unknown) =>
    told.map((usage) => asCount(read(usage))).reduce<number | undefined>(add, undefined)
  return toModelUsage({
    inputTokens: sum((usage) => usage['input_tokens']),
    cachedInputTokens: sum((usage) => asRecord(usage['input_token_details'])['cache_read']),
    outputTokens: sum((usage) => usage['output_tokens']),
  })
}

/** `''` where the message names none. */
export const modelOf = (answer: unknown): string => {
  const metadata = asRecord(asRecord(answer)['response_metadata'])
  return asText(metadata['model_name']) || asText(metadata['model'])
}

/** The id that a model was made with, under whatever is around it; `''` where it has none. */
export const modelIdOf = (model: unknown): string => {
  const bare = asRecord(bareModel(model))
  return asText(bare['model']) || asText(bare['modelName'])
}
