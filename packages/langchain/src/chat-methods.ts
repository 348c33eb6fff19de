/** Chat model methods other than calls; a wrapper forwards them to the model inside. */

import { asRecord } from '@hermes/core/adapter'
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import type { Runnable, RunnableConfig } from '@langchain/core/runnables'

/** These return a model, which is wrapped as well. */
const MAKES_A_MODEL = ['bindTools', 'withStructuredOutput'] as const

/** These return a name of the model. */
const NAMES_THE_MODEL = ['_llmType', '_modelType'] as const

type ChatMethod = (typeof MAKES_A_MODEL)[number] | (typeof NAMES_THE_MODEL)[number]

/** The chat model methods that this model has; for example, a text model cannot bind tools. */
export type ChatMethodsOf<Model> = Pick<Model, Extract<keyof Model, ChatMethod>>

/** Any model of LangChain. The caller restores the type of its answers. */
export type AnyModel = Runnable<BaseLanguageModelInput, unknown, RunnableConfig>

/** `bindTools` and similar methods for a wrapper around `model`. `wrap` puts the same wrapper around a derived model. */
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

/** Key under which a wrapper exposes the model inside. */
const WRAPPED = Symbol.for('hermes.wrapped-model')

export const showWrapped = (model: object): object => ({ [WRAPPED]: model })

/** The model inside a Hermes wrapper, whichever copy of this package created it; undefined for everything else. */
export const wrappedModel = (runnable: unknown): unknown => Reflect.get(asRecord(runnable), WRAPPED)
