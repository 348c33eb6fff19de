/** Compiled, never run: one middleware, one wrapper and one tool object fit ai 5, 6 and 7 without a cast. */
import { anthropic } from '@ai-sdk/anthropic'
import { anthropic as anthropicV2 } from '@ai-sdk/anthropic-v2'
import { anthropic as anthropicV3 } from '@ai-sdk/anthropic-v3'
import type { Hermes, HostModel, Session } from '@hermes/core'
import * as v7 from 'ai'
import * as v5 from 'ai-v5'
import * as v6 from 'ai-v6'
import { z } from 'zod'
import { type HermesCallOptions, hermesMiddleware, hermesTools, hostModel, withHermes } from '../../src/index.ts'

declare const session: Session
declare const hermes: Hermes

const weather = { description: 'The weather of a place', inputSchema: z.object({ place: z.string() }), execute: async () => 'sunny' }
const options: HermesCallOptions = { sessionId: 'chat-42', skip: false }

export const middlewares: readonly [v5.LanguageModelMiddleware, v6.LanguageModelMiddleware, v7.LanguageModelMiddleware] = [
  hermesMiddleware(session),
  hermesMiddleware(hermes),
  hermesMiddleware(session, { cacheControl: true }),
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
