/** Picks the model from the environment: the first provider that is set up wins, the scripted model is what remains. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { scriptedModel } from '@hermes/example-scripted-model/ai-sdk'
import { DEFAULT_MODELS } from './default-models.ts'
import { ollamaUrl } from './ollama-url.ts'
import type { ProviderModel } from './provider-spec.ts'

export interface ChosenModel {
  readonly model: ProviderModel
  /** How the header names it. */
  readonly label: string
  /** True for the stand-in that needs no key. */
  readonly scripted: boolean
  /** What a person checks first when the provider answers with an error. */
  readonly advice: string
}

export interface ModelChoice {
  /** `--model`. */
  readonly modelName?: string | undefined
  /** How fast the scripted model speaks: the pause before each word, in milliseconds. */
  readonly wordDelayMs?: number
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Order: OPENAI_BASE_URL, OPENAI_API_KEY, ANTHROPIC_API_KEY, OLLAMA_HOST, scripted. `--model` beats the environment's name.
 * An error is a sentence for the person: what is missing and how to give it.
 */
export const chooseModel = (
  env: Environment,
  { modelName, wordDelayMs = 0 }: ModelChoice = {},
): ChosenModel | { readonly problem: string } => {
  const value = (name: string): string | undefined => env[name]?.trim() || undefined
  const apiKey = value('OPENAI_API_KEY')
  const baseUrl = value('OPENAI_BASE_URL')

  if (baseUrl !== undefined) {
    if (!URL.canParse(baseUrl))
      return { problem: `OPENAI_BASE_URL is '${baseUrl}', which is not a URL. Give one such as http://localhost:8000/v1.` }
    const name = modelName ?? value('OPENAI_MODEL')
    if (name === undefined)
      return { problem: 'OPENAI_BASE_URL is set; say which model that server runs with --model NAME or OPENAI_MODEL.' }
    const provider = createOpenAICompatible({ name: 'openai-compatible', baseURL: baseUrl, ...(apiKey === undefined ? {} : { apiKey }) })
    return {
      model: provider(name),
      label: `${name} at ${baseUrl}`,
      scripted: false,
      advice: `Check OPENAI_BASE_URL (${baseUrl}), OPENAI_API_KEY and the model's name (${name}).`,
    }
  }
  if (apiKey !== undefined) {
    const name = modelName ?? value('OPENAI_MODEL') ?? DEFAULT_MODELS.openai
    return {
      model: createOpenAI({ apiKey })(name),
      label: `OpenAI ${name}`,
      scripted: false,
      advice: `Check OPENAI_API_KEY and the model's name (${name}; change it with --model or OPENAI_MODEL).`,
    }
  }
  const anthropicKey = value('ANTHROPIC_API_KEY')
  if (anthropicKey !== undefined) {
    const name = modelName ?? value('ANTHROPIC_MODEL') ?? DEFAULT_MODELS.anthropic
    return {
      model: createAnthropic({ apiKey: anthropicKey })(name),
      label: `Anthropic ${name}`,
      scripted: false,
      advice: `Check ANTHROPIC_API_KEY and the model's name (${name}; change it with --model or ANTHROPIC_MODEL).`,
    }
  }
  const ollamaHost = value('OLLAMA_HOST')
  if (ollamaHost !== undefined) {
    const url = ollamaUrl(ollamaHost)
    if (url === undefined) return { problem: `OLLAMA_HOST is '${ollamaHost}', which is not an address. Give one such as localhost:11434.` }
    const name = modelName ?? value('OLLAMA_MODEL') ?? DEFAULT_MODELS.ollama
    return {
      model: createOpenAICompatible({ name: 'ollama', baseURL: url })(name),
      label: `Ollama ${name}`,
      scripted: false,
      advice: `Is Ollama running at ${url}, and was 'ollama pull ${name}' done? Another model: --model or OLLAMA_MODEL.`,
    }
  }
  if (modelName !== undefined) {
    return { problem: `--model ${modelName} needs a provider: set OPENAI_API_KEY, ANTHROPIC_API_KEY, OLLAMA_HOST or OPENAI_BASE_URL.` }
  }
  return { model: scriptedModel({ wordDelayMs }), label: 'scripted stand-in (no model key found)', scripted: true, advice: '' }
}
