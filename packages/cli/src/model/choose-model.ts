/** Chooses a language model by name and environment. Loads a provider's package only once it is chosen. */

/**
 * Used if neither the user nor the environment names a model. The example chat agent has its own copy; a repository test keeps the two equal.
 */
export const DEFAULT_MODELS = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-5-5',
  ollama: 'qwen3',
} as const

/** A language model of an AI SDK provider. */
export type ProviderModel = ReturnType<ReturnType<typeof import('@ai-sdk/openai-compatible').createOpenAICompatible>['chatModel']>

export interface ChosenModel {
  readonly model: ProviderModel
  /** Name shown to a person: `Anthropic claude-haiku-5-5`. */
  readonly label: string
  /** What to check first if the provider answers with an error. */
  readonly advice: string
}

export interface NoModel {
  /** One sentence: what is missing and how to set it. */
  readonly problem: string
  /** The environment names no provider at all. */
  readonly isUnset: boolean
}

export interface ModelChoice {
  /** Overrides the model name from the environment. `openai/…`, `anthropic/…` and `ollama/…` also name the provider. */
  readonly modelName?: string | undefined
  /** Where `modelName` comes from, for error messages. Default `--model`. */
  readonly namedBy?: string
}

export type Environment = Readonly<Record<string, string | undefined>>

type Provider = 'server' | 'openai' | 'anthropic' | 'ollama'

const VARIABLES = { server: 'OPENAI_BASE_URL', openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY', ollama: 'OLLAMA_HOST' } as const

const PROVIDERS = ['server', 'openai', 'anthropic', 'ollama'] as const

/** All ways to configure a model, for error messages. */
const MODEL_VARIABLES = 'ANTHROPIC_API_KEY, OPENAI_API_KEY, OLLAMA_HOST (such as localhost:11434), or OPENAI_BASE_URL with OPENAI_MODEL'

const problem = (text: string, isUnset = false): NoModel => ({ problem: text, isUnset })

/** The provider, as far as the model name tells. */
const providerOf = (name: string): { readonly provider?: Provider; readonly name: string } => {
  const [, prefix, rest] = /^(openai|anthropic|ollama)\/(.+)$/.exec(name) ?? []
  const provider = PROVIDERS.find((one) => one === prefix)
  if (provider && rest !== undefined) return { provider, name: rest }
  if (/^claude\b/.test(name)) return { provider: 'anthropic', name }
  return /^(?:gpt-|chatgpt|o\d\b)/.test(name) ? { provider: 'openai', name } : { name }
}

type Value = (name: string) => string | undefined

/** The packages of the providers are optional peers: whoever names a model has the one that it needs. */
const load = async <T>(name: string, importing: Promise<T>): Promise<T | NoModel> => {
  try {
    return await importing
  } catch (cause) {
    const code: unknown = Reflect.get(Object(cause), 'code')
    if (code !== 'ERR_MODULE_NOT_FOUND') throw cause
    return problem(`This model needs the package ${name}, which is not installed beside hermes. Run: npm install ${name}`)
  }
}

const loadCompatible = () => load('@ai-sdk/openai-compatible', import('@ai-sdk/openai-compatible'))

const openServer = async (name: string | undefined, value: Value): Promise<ChosenModel | NoModel> => {
  const baseURL = value('OPENAI_BASE_URL') ?? ''
  if (!URL.canParse(baseURL))
    return problem(`OPENAI_BASE_URL is '${baseURL}', which is not a URL. Give one such as http://localhost:8000/v1.`)
  const modelId = name ?? value('OPENAI_MODEL')
  if (modelId === undefined) return problem('OPENAI_BASE_URL is set, but no model is named. Set OPENAI_MODEL or use --model <name>.')
  const loaded = await loadCompatible()
  if ('problem' in loaded) return loaded
  const apiKey = value('OPENAI_API_KEY')
  const provider = loaded.createOpenAICompatible({ name: 'openai-compatible', baseURL, ...(apiKey === undefined ? {} : { apiKey }) })
  return {
    model: provider.chatModel(modelId),
    label: `${modelId} at ${baseURL}`,
    advice: `Check OPENAI_BASE_URL (${baseURL}), OPENAI_API_KEY and the model's name (${modelId}).`,
  }
}

const openOpenAi = async (name: string | undefined, value: Value): Promise<ChosenModel | NoModel> => {
  const modelId = name ?? value('OPENAI_MODEL') ?? DEFAULT_MODELS.openai
  const loaded = await load('@ai-sdk/openai', import('@ai-sdk/openai'))
  if ('problem' in loaded) return loaded
  return {
    model: loaded.createOpenAI({ apiKey: value('OPENAI_API_KEY') ?? '' })(modelId),
    label: `OpenAI ${modelId}`,
    advice: `Check OPENAI_API_KEY and the model's name (${modelId}; change it with --model or OPENAI_MODEL).`,
  }
}

const openAnthropic = async (name: string | undefined, value: Value): Promise<ChosenModel | NoModel> => {
  const modelId = name ?? value('ANTHROPIC_MODEL') ?? DEFAULT_MODELS.anthropic
  const loaded = await load('@ai-sdk/anthropic', import('@ai-sdk/anthropic'))
  if ('problem' in loaded) return loaded
  return {
    model: loaded.createAnthropic({ apiKey: value('ANTHROPIC_API_KEY') ?? '' })(modelId),
    label: `Anthropic ${modelId}`,
    advice: `Check ANTHROPIC_API_KEY and the model's name (${modelId}; change it with --model or ANTHROPIC_MODEL).`,
  }
}

const openOllama = async (name: string | undefined, value: Value): Promise<ChosenModel | NoModel> => {
  const host = value('OLLAMA_HOST') ?? ''
  const baseURL = ollamaUrl(host)
  if (baseURL === undefined) return problem(`OLLAMA_HOST is '${host}', which is not an address. Give one such as localhost:11434.`)
  const modelId = name ?? value('OLLAMA_MODEL') ?? DEFAULT_MODELS.ollama
  const loaded = await loadCompatible()
  if ('problem' in loaded) return loaded
  return {
    model: loaded.createOpenAICompatible({ name: 'ollama', baseURL }).chatModel(modelId),
    label: `Ollama ${modelId}`,
    advice: `Check that Ollama runs at ${baseURL} and that 'ollama pull ${modelId}' was run. Change the model with --model or OLLAMA_MODEL.`,
  }
}

const OPEN = { server: openServer, openai: openOpenAi, anthropic: openAnthropic, ollama: openOllama } as const

/**
 * A provider that the name implies comes first: `claude-…`, `gpt-…`, `ollama/…`. Otherwise the first that is configured: OPENAI_BASE_URL,
 * OPENAI_API_KEY, ANTHROPIC_API_KEY, OLLAMA_HOST. With OPENAI_BASE_URL every name is passed on unchanged, since gateways serve models of
 * many providers.
 */
export const chooseModel = async (
  env: Environment,
  { modelName, namedBy = '--model' }: ModelChoice = {},
): Promise<ChosenModel | NoModel> => {
  const value: Value = (name) => env[name]?.trim() || undefined
  const isSetUp = (provider: Provider): boolean => value(VARIABLES[provider]) !== undefined
  const told = modelName === undefined ? undefined : providerOf(modelName)
  if (told?.provider && isSetUp(told.provider)) return OPEN[told.provider](told.name, value)
  if (isSetUp('server')) return openServer(modelName, value)
  if (told?.provider) {
    const variable = VARIABLES[told.provider]
    return problem(`The model ${modelName} (${namedBy}) needs ${variable}, or OPENAI_BASE_URL with the address of a server that offers it.`)
  }
  const provider = PROVIDERS.find(isSetUp)
  return provider ? OPEN[provider](modelName, value) : problem(`No model is configured. Set ${MODEL_VARIABLES}.`, true)
}

/** Replaces `0.0.0.0`, an address to listen on, by `127.0.0.1`. Undefined if `host` is not an address. */
export const ollamaUrl = (host: string): string | undefined => {
  const text = /^https?:\/\//i.test(host) ? host : `http://${host}`
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.port === '' && !/^https?:\/\//i.test(host)) url.port = '11434'
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path.endsWith('/v1') ? path : `${path}/v1`}`
}
