/** The model that merges skills, where `config.yaml` has that switched on: `curator.review_model`, else the one of the chat. */
import type { HomeConfig } from '../options/home-config.ts'
import { type ChosenModel, chooseModel, type Environment } from './choose-model.ts'
import type { ProviderModel } from './provider-spec.ts'

export interface CuratorModel {
  /** Undefined where nothing can be merged. */
  readonly model: ProviderModel | undefined
  readonly warnings: readonly string[]
}

/** The stand-in merges nothing: it only knows its few rules. */
export const chooseCuratorModel = (
  { curator, reviewModel }: Pick<HomeConfig, 'curator' | 'reviewModel'>,
  chosen: ChosenModel,
  env: Environment,
): CuratorModel => {
  if (curator.consolidate !== true) return { model: undefined, warnings: [] }
  if (chosen.scripted)
    return { model: undefined, warnings: ['config.yaml asks to merge skills (curator.consolidate); that needs a real model.'] }
  if (reviewModel === undefined) return { model: chosen.model, warnings: [] }
  const own = chooseModel(env, { modelName: reviewModel })
  return 'problem' in own
    ? { model: undefined, warnings: [`config.yaml, 'curator.review_model': ${own.problem}`] }
    : { model: own.model, warnings: [] }
}
