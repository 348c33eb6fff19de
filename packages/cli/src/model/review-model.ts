/** The model for `review`, `worker` and `curator run`, chosen by --model, config.yaml and the environment. */
import type { HostModel } from '@hermes/core'
import type { Failure } from '../answer.ts'
import type { Context } from '../context.ts'
import { counted } from '../terminal/format.ts'
import { type Price, readPrice } from './price.ts'

export interface ReviewModel {
  readonly model: HostModel
  /** Name shown to a person. */
  readonly label: string
  /** What to check if a call fails. */
  readonly advice: string
  /** As far as config.yaml says it of this model. */
  readonly price: Price | undefined
}

/** Loads the provider packages, so that other commands start without them. `need`: first sentence of an error message. */
export const openReviewModel = async (
  named: string | undefined,
  { config, world }: Context,
  need: string,
): Promise<ReviewModel | Failure> => {
  const { reviewModel: configured, reviewPrice = '' } = config.ok ? config.value.config.curator : {}
  const [{ chooseModel }, { hostModel }] = await Promise.all([import('./choose-model.ts'), import('@hermes/ai-sdk')])
  const chosen = await chooseModel(world.env, {
    modelName: named ?? configured,
    namedBy: named === undefined ? 'curator.review_model in config.yaml' : '--model',
  })
  if ('problem' in chosen) return { code: 'invalid', message: `${need} ${chosen.problem}` }
  const price = named === undefined ? readPrice(reviewPrice) : undefined
  return { model: hostModel(chosen.model), label: chosen.label, advice: chosen.advice, price }
}

/** Shows each call. `what`: what the model is asked. */
export const askingAloud = ({ model, label }: ReviewModel, what: string, { progress }: Pick<Context, 'progress'>): HostModel => {
  let calls = 0
  return (request) => {
    calls += 1
    progress.show(`Asking ${label} ${what} (${counted(calls, 'call')}) …`)
    return model(request)
  }
}

/** Why learning waits. */
export const WAITS = {
  budget: 'learning has used its share of tokens',
  'tokens-per-day': 'learning has used its tokens for today',
  breaker: 'the last reviews failed',
} as const
