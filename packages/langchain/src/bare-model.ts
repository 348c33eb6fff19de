/** Finds the language model inside the host's wrappers: bound tools, settings, retries, fallbacks, a structured output. */

import { asRecord } from '@hermes/core/adapter'
import type { BaseLanguageModelInterface } from '@langchain/core/language_models/base'
import { wrappedModel } from './chat-methods.ts'

/** Maximum depth of wrappers. */
const MAX_LAYERS = 16

const isLanguageModel = (value: unknown): value is BaseLanguageModelInterface =>
  typeof value === 'object' &&
  value !== null &&
  'invoke' in value &&
  typeof value.invoke === 'function' &&
  '_llmType' in value &&
  typeof value._llmType === 'function'

/** Undefined if there is none, as in a chain that begins with a prompt. */
export const bareModel = (runnable: unknown): BaseLanguageModelInterface | undefined => {
  let layer = runnable
  for (let depth = 0; depth < MAX_LAYERS; depth++) {
    // A wrapper of Hermes looks like a model too, but a review must not go through it.
    const wrapped = wrappedModel(layer)
    if (wrapped === undefined && isLanguageModel(layer)) return layer
    const { bound, runnable: inner, first } = asRecord(layer)
    layer = wrapped ?? bound ?? inner ?? first
    if (layer === undefined) return undefined
  }
  return undefined
}

/** Whether the model takes text instead of messages. */
export const isTextModel = (runnable: unknown): boolean => bareModel(runnable)?._modelType() === 'base_llm'
