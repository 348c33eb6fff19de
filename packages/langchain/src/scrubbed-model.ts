/** A model whose answers and tokens are scrubbed, for frameworks that call the model themselves. */
import { asRecord } from '@hermes/core/adapter'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'
import { scrubCallbacks } from './scrub-callbacks.ts'
import { type Scrubbing, scrubAnswer } from './scrub-message.ts'

/** Options of a call with scrubbed handlers: those of the call, or of the surrounding run. */
export const scrubbedOptions = <Options>(options: Options, scrubbing: Scrubbing): Options => {
  const own = asRecord(options)
  const callbacks = own['callbacks'] ?? asRecord(AsyncLocalStorageProviderSingleton.getRunnableConfig())['callbacks']
  return callbacks === undefined ? options : ({ ...own, callbacks: scrubCallbacks(callbacks, scrubbing) } as Options)
}

/** These return a model, or contain one. */
const MODELS = ['bindTools', 'withStructuredOutput', 'withConfig', '_getModelInstance'] as const

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Looks like the model in everything else, so that other middleware still recognises it. */
export const scrubbedModel = <Model>(model: Model, scrubbing: Scrubbing): Model => {
  if (!isObject(model)) return model
  const wrap = (made: unknown): unknown => {
    if (made instanceof Promise) return made.then(wrap)
    return scrubbedModel(made, scrubbing)
  }
  return new Proxy(model, {
    get(target, key) {
      const own: unknown = Reflect.get(target, key, target)
      if (key === 'bound') return wrap(own)
      if (typeof own !== 'function' || key === 'constructor') return own
      if (key === 'invoke') {
        return async (input: unknown, options?: unknown): Promise<unknown> =>
          scrubAnswer(await Reflect.apply(own, target, [input, scrubbedOptions(options, scrubbing)]), scrubbing)
      }
      const makesModel = MODELS.some((name) => name === key)
      return (...given: readonly unknown[]): unknown => {
        const result: unknown = Reflect.apply(own, target, given)
        return makesModel ? wrap(result) : result
      }
    },
  })
}
