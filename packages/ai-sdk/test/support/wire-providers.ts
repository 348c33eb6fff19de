/** The real provider packages of each major, pointed at a local server that records every request body. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createAnthropic as createAnthropicV2 } from '@ai-sdk/anthropic-v2'
import { createAnthropic as createAnthropicV3 } from '@ai-sdk/anthropic-v3'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAI as createOpenAIV2 } from '@ai-sdk/openai-v2'
import { createOpenAI as createOpenAIV3 } from '@ai-sdk/openai-v3'
import { asList, asRecord } from '@hermes/core/adapter'
import type { LanguageModel } from 'ai'
import type { Specification } from './scripted-model.ts'

export type WireModel = Exclude<LanguageModel, string>

export type WireApi = 'openai chat' | 'openai responses' | 'anthropic'

export const WIRE_APIS: readonly WireApi[] = ['openai chat', 'openai responses', 'anthropic']

const providers = {
  v2: { openai: createOpenAIV2, anthropic: createAnthropicV2 },
  v3: { openai: createOpenAIV3, anthropic: createAnthropicV3 },
  v4: { openai: createOpenAI, anthropic: createAnthropic },
} as const

export interface WireProvider {
  readonly model: WireModel
  /** Request bodies as received, in order. */
  readonly bodies: readonly string[]
}

export const wireProvider = (specification: Specification, api: WireApi, baseURL: string): WireProvider => {
  const bodies: string[] = []
  const recordingFetch: typeof fetch = (input, init) => {
    bodies.push(String(init?.body))
    return fetch(input, init)
  }
  const settings = { baseURL, apiKey: 'local', fetch: recordingFetch }
  const { openai, anthropic } = providers[specification]
  // Uses the types of the newest major, like `Major.ai`.
  const pick = (): unknown => {
    if (api === 'anthropic') return anthropic(settings)('claude-sonnet-4-5')
    return api === 'openai chat' ? openai(settings).chat('gpt-4o-mini') : openai(settings).responses('gpt-4o-mini')
  }
  return { model: pick() as WireModel, bodies }
}

/** The system messages of a raw body, in order. */
export const systemTexts = (api: WireApi, body: string): readonly string[] => {
  const sent = asRecord(JSON.parse(body))
  if (api === 'anthropic') return asList(sent['system']).map((block) => String(asRecord(block)['text']))
  const messages = asList(api === 'openai chat' ? sent['messages'] : sent['input']).map(asRecord)
  return messages.filter(({ role }) => role === 'system' || role === 'developer').map(({ content }) => String(content))
}
