/** Token counts and the model id from LangChain messages; values that the provider did not report are omitted. */
import type { ModelUsage } from '@hermes/core'
import { asCount, asRecord, asText, toModelUsage } from '@hermes/core/adapter'
import { bareModel } from './bare-model.ts'

const add = (a: number | undefined, b: number | undefined): number | undefined => (a === undefined ? b : a + (b ?? 0))

/** The usage of one message, or the sum of several. Undefined if none of them reports any. */
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

/** `''` if the message has none. */
export const modelOf = (answer: unknown): string => {
  const metadata = asRecord(asRecord(answer)['response_metadata'])
  return asText(metadata['model_name']) || asText(metadata['model'])
}

/** The id that a model was created with, inside any wrappers; `''` if it has none. */
export const modelIdOf = (model: unknown): string => {
  const bare = asRecord(bareModel(model))
  return asText(bare['model']) || asText(bare['modelName'])
}
