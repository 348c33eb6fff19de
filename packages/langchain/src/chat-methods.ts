/** What LangChain asks a chat model for beside calling it, answered by the model that stands inside a wrapper. */

import { asRecord } from '@hermes/core/adapter'
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import type { Runnable, RunnableConfig } from '@langchain/core/runnables'

/** The result of these is a model again, so the wrapper goes around it as well. */
const MAKES_A_MODEL = ['bindTools', 'withStructuredOutput'] as const

/** The result of these is a word about the model. */
const NAMES_THE_MODEL = ['_llmType', '_modelType'] as const

type ChatMethod = (typeof MAKES_A_MODEL)[number] | (typeof NAMES_THE_MODEL)[number]

/** Those of the chat model's methods that this model has; a text model binds no tools. */
export type ChatMethodsOf<Model> = Pick<Model, Extract<keyof Model, ChatMethod>>

/** Any model of LangChain, for the wrapper; the types of its answers are the caller's business. */
export type AnyModel = Runnable<BaseLanguageModelInput, unknown, RunnableConfig>

/** `bindTools` and the like for a wrapper around `model`. `wrap` puts the same wrapper around a model that was made from it. */
export const chatMethods = (model: object, wrap: (made: AnyModel) => object): object => {
  const methodsNamed = (names: readonly ChatMethod[], result: (value: unknown) => unknown) =>
    names.flatMap((name) => {
      const method: unknown = Reflect.get(model, name)
      if (typeof method !== 'function') return []
      return [[name, (...given: readonly unknown[]): unknown => result(Reflect.apply(method, model, given))] as const]
    })
  return Object.fromEntries([
    ...methodsNamed(MAKES_A_MODEL, (made) => wrap(made as AnyModel)),
    ...methodsNamed(NAMES_THE_MODEL, (name) => name),
  ])
}

/** Under this name a wrapper shows the model that stands inside it. */
const WRAPPED = Symbol.for('hermes.wrapped-model')

export const showWrapped = (model: object): object => ({ [WRAPPED]: model })

/** The model inside a wrapper of ours, whatever copy of this package made it; undefined for everything else. */
export const wrappedModel = (runnable: unknown): unknown => Reflect.get(asRecord(runnable), WRAPPED)
