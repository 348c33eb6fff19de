/** `withHermes(model, …)`: applies the middleware to a model without `wrapLanguageModel`, so that `ai` is not needed at run time. */
import type { HermesTarget } from '@hermes/core/adapter'
import { type HermesMiddlewareOptions, hermesMiddleware } from './hermes-middleware.ts'
import type { CallParams, GenerateResult, StreamResult } from './provider-protocol.ts'

/** The fields of a language model that V2, V3 and V4 of the AI SDK share. */
export interface LanguageModelLike {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  readonly supportedUrls: unknown
}

interface CallableModel extends LanguageModelLike {
  doGenerate(params: CallParams): PromiseLike<GenerateResult>
  doStream(params: CallParams): PromiseLike<StreamResult>
}

const isCallable = (model: unknown): model is CallableModel =>
  typeof model === 'object' &&
  model !== null &&
  'doGenerate' in model &&
  'doStream' in model &&
  typeof model.doGenerate === 'function' &&
  typeof model.doStream === 'function'

/** The same as `wrapLanguageModel({ model, middleware: hermesMiddleware(target, options) })`; keeps the model's specification version. */
export const withHermes = <Model extends LanguageModelLike>(
  model: Model,
  target: HermesTarget,
  options: HermesMiddlewareOptions = {},
): Model => {
  if (!isCallable(model)) throw new TypeError('withHermes needs a model object such as openai("gpt-5"), not a model id.')
  const inner: CallableModel = model
  const middleware = hermesMiddleware(target, options)
  const wrapped: CallableModel = {
    specificationVersion: inner.specificationVersion,
    provider: inner.provider,
    modelId: inner.modelId,
    // May be a promise or a getter that makes a request, so it is read only when the SDK reads it.
    get supportedUrls() {
      return inner.supportedUrls
    },
    doGenerate: (params) => middleware.wrapGenerate({ params, model: inner }),
    doStream: (params) => middleware.wrapStream({ params, model: inner }),
  }
  // Has everything that the specification names; provider-specific extras stay on the inner model.
  return wrapped as LanguageModelLike as Model
}
