/** Compiled, never run: one middleware, one wrapper and one tool object fit ai 5, 6 and 7 without a cast. */
import { anthropic } from '@ai-sdk/anthropic'
import { anthropic as anthropicV2 } from '@ai-sdk/anthropic-v2'
import { anthropic as anthropicV3 } from '@ai-sdk/anthropic-v3'
import type { Hermes, HermesHomes, HostModel, Session } from '@hermes/core'
import * as v7 from 'ai'
import * as v5 from 'ai-v5'
import * as v6 from 'ai-v6'
import { z } from 'zod'
import { type HermesCallOptions, hermesMiddleware, hermesTools, hostModel, withHermes } from '../../src/index.ts'

declare const session: Session
declare const hermes: Hermes
declare const homes: HermesHomes

const weather = { description: 'The weather of a place', inputSchema: z.object({ place: z.string() }), execute: async () => 'sunny' }
const options: HermesCallOptions = { sessionId: 'chat-42', skip: false }
const owned: HermesCallOptions = { user: 'alice', tenant: 'acme', sessionId: 'chat-42' }
// @ts-expect-error a misspelt key
export const misspelt: HermesCallOptions = { userId: 'alice', sessionId: 'chat-42' }
// @ts-expect-error an id is text
export const numbered: HermesCallOptions = { user: 7, sessionId: 'chat-42' }

export const middlewares: readonly [v5.LanguageModelMiddleware, v6.LanguageModelMiddleware, v7.LanguageModelMiddleware] = [
  hermesMiddleware(session),
  hermesMiddleware(hermes),
  hermesMiddleware(homes, { cacheControl: true }),
]

export const inAi5 = async () => {
  const model = v5.wrapLanguageModel({
    model: anthropicV2('claude'),
    middleware: [hermesMiddleware(session), v5.defaultSettingsMiddleware({ settings: {} })],
  })
  const tools = { weather, ...hermesTools(session), ...hermesTools(session, { prefix: 'my_' }) }
  const result = await v5.generateText({ model, tools, prompt: 'hi', providerOptions: { hermes: options } })
  for (const call of result.toolCalls) if (!call.dynamic && call.toolName === 'weather') call.input.place.toUpperCase()
  v5.streamText({ model: withHermes(anthropicV2('claude'), hermes), tools, prompt: 'hi' })
  const server = {
    model: withHermes(anthropicV2('claude'), homes),
    tools: { weather, ...hermesTools(homes), ...hermesTools(hermes, { prefix: 'my_' }) },
  }
  v5.streamText({ ...server, prompt: 'hi', providerOptions: { hermes: owned } })
  new v5.Experimental_Agent({ model, tools })
}

export const inAi6 = async () => {
  const model = v6.wrapLanguageModel({
    model: anthropicV3('claude'),
    middleware: [hermesMiddleware(session), v6.defaultSettingsMiddleware({ settings: {} })],
  })
  const tools = { weather, ...hermesTools(session), ...hermesTools(session, { prefix: 'my_' }) }
  const result = await v6.generateText({ model, tools, prompt: 'hi', providerOptions: { hermes: options } })
  for (const call of result.toolCalls) if (!call.dynamic && call.toolName === 'weather') call.input.place.toUpperCase()
  v6.streamText({ model: withHermes(anthropicV3('claude'), hermes), tools, prompt: 'hi' })
  const server = {
    model: withHermes(anthropicV3('claude'), homes),
    tools: { weather, ...hermesTools(homes), ...hermesTools(hermes, { prefix: 'my_' }) },
  }
  v6.streamText({ ...server, prompt: 'hi', providerOptions: { hermes: owned } })
  new v6.ToolLoopAgent({ model, tools })
}

export const inAi7 = async () => {
  const model = v7.wrapLanguageModel({
    model: anthropic('claude'),
    middleware: [hermesMiddleware(session), v7.defaultSettingsMiddleware({ settings: {} })],
  })
  const tools = { weather, ...hermesTools(session), ...hermesTools(session, { prefix: 'my_' }) }
  const result = await v7.generateText({ model, tools, prompt: 'hi', providerOptions: { hermes: options } })
  for (const call of result.toolCalls) if (!call.dynamic && call.toolName === 'weather') call.input.place.toUpperCase()
  v7.streamText({ model: withHermes(anthropic('claude'), hermes), tools, prompt: 'hi', activeTools: ['memory', 'skill_view'] })
  const server = {
    model: withHermes(anthropic('claude'), homes),
    tools: { weather, ...hermesTools(homes), ...hermesTools(hermes, { prefix: 'my_' }) },
  }
  v7.streamText({ ...server, prompt: 'hi', providerOptions: { hermes: owned } })
  v7.wrapLanguageModel({ model: anthropicV2('claude'), middleware: hermesMiddleware(session) })
  new v7.ToolLoopAgent({ model, tools })
}

export const inPart = () => {
  const { my_memory: memory, ...others } = hermesTools(session, { prefix: 'my_', only: ['memory'] })
  const none: Record<string, never> = others
  return [memory.description, none]
}

export const reviewers: readonly HostModel[] = [
  hostModel(anthropicV2('claude')),
  hostModel(anthropicV3('claude')),
  hostModel(anthropic('claude')),
]
