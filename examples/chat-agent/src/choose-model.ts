/** Picks the model. Providers are those of the `hermes` command; the scripted stand-in is what remains. */
import { chooseModel as chooseProvider, type Environment } from '@hermes/cli/model'
import { scriptedModel } from '@hermes/example-scripted-model/ai-sdk'
import type { wrapLanguageModel } from 'ai'

/** A language model as providers implement it. */
export type ProviderModel = ReturnType<typeof wrapLanguageModel>

export interface ChosenModel {
  readonly model: ProviderModel
  /** How the header names it. */
  readonly label: string
  /** True for the stand-in that needs no key. */
  readonly scripted: boolean
  /** What a person checks first when the provider answers with an error. */
  readonly advice: string
}

/** A problem is a sentence for the person. `modelName`: of `--model`. `wordDelayMs`: how fast the stand-in speaks, the pause before each word. */
export const chooseModel = async (
  env: Environment,
  { modelName, wordDelayMs = 0 }: { readonly modelName?: string | undefined; readonly wordDelayMs?: number },
): Promise<ChosenModel | { readonly problem: string }> => {
  const standard = await chooseProvider(env)
  if ('problem' in standard && standard.isUnset) {
    return modelName === undefined
      ? { model: scriptedModel({ wordDelayMs }), label: 'scripted stand-in (no model key found)', scripted: true, advice: '' }
      : { problem: `--model ${modelName} needs a provider: set OPENAI_API_KEY, ANTHROPIC_API_KEY, OLLAMA_HOST or OPENAI_BASE_URL.` }
  }
  const chosen = modelName === undefined ? standard : await chooseProvider(env, { modelName })
  return 'problem' in chosen ? chosen : { ...chosen, scripted: false }
}
