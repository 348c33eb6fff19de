/** The provider specification's types, taken from what the AI SDK itself accepts, so that no second package has to match its version. */
import type { LanguageModelMiddleware, wrapLanguageModel } from 'ai'

/** A language model as providers implement it (specification v4). */
export type ProviderModel = ReturnType<typeof wrapLanguageModel>

export type ProviderCallOptions = Parameters<ProviderModel['doGenerate']>[0]
export type ProviderPrompt = ProviderCallOptions['prompt']
export type ProviderMessage = ProviderPrompt[number]
export type ProviderGenerateResult = Awaited<ReturnType<ProviderModel['doGenerate']>>
export type ProviderContent = ProviderGenerateResult['content'][number]
export type ProviderStreamResult = Awaited<ReturnType<ProviderModel['doStream']>>
export type ProviderStreamPart = ProviderStreamResult['stream'] extends ReadableStream<infer Part> ? Part : never
export type ModelMiddleware = LanguageModelMiddleware
