/** `withHermes(model, …)`: the middleware put around a model without `wrapLanguageModel`, so that nothing of `ai` is needed at run time. */
import type { HermesTarget } from '@hermes/core/adapter'
import { type HermesMiddlewareOptions, hermesMiddleware } from './hermes-middleware.ts'
import type { CallParams, GenerateResult, StreamResult } from './provider-protocol.ts'

/** What a language model of the AI SDK has in V2, V3 and V4. */
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

/** The same as `wrapLanguageModel({ model, middleware: hermesMiddleware(target, options) })`; the specification version stays the model's own. */
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
    // May be a promise or a getter that costs a request: asked for only when the SDK asks.
    get supportedUrls() {
      return inner.supportedUrls
    },
    doGenerate: (params) => middleware.wrapGenerate({ params, model: inner }),
    doStream: (params) => middleware.wrapStream({ params, model: inner }),
  }
  // All that the specification names; a provider's own extras stay on the inner model.
  return wrapped as LanguageModelLike as Model
}
