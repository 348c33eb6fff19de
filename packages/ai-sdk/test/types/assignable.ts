/** Compiled with ai 5, 6 and 7, never run: one middleware, one wrapper and one tool object fit all of them without a cast. */
import { anthropic } from '@ai-sdk/anthropic'
import type { Hermes, HermesHomes, Session } from '@hermes/core'
import {
  defaultSettingsMiddleware,
  generateText,
  type LanguageModel,
  type LanguageModelMiddleware,
  streamText,
  wrapLanguageModel,
} from 'ai'
import { z } from 'zod'
import { type HermesCallOptions, hermesMiddleware, hermesTools, withHermes } from '../../src/index.ts'

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

export const middlewares: readonly LanguageModelMiddleware[] = [
  hermesMiddleware(session),
  hermesMiddleware(hermes),
  hermesMiddleware(homes, { cacheControl: true }),
]

export const model: LanguageModel = wrapLanguageModel({
  model: anthropic('claude'),
  middleware: [hermesMiddleware(session), defaultSettingsMiddleware({ settings: {} })],
})

export const tools = { weather, ...hermesTools(session), ...hermesTools(session, { prefix: 'my_' }) }

export const inEachMajor = async () => {
  const result = await generateText({ model, tools, prompt: 'hi', providerOptions: { hermes: options } })
  for (const call of result.toolCalls) if (!call.dynamic && call.toolName === 'weather') call.input.place.toUpperCase()
  streamText({ model: withHermes(anthropic('claude'), hermes), tools, prompt: 'hi', activeTools: ['memory', 'skill_view'] })
  const server = {
    model: withHermes(anthropic('claude'), homes),
    tools: { weather, ...hermesTools(homes), ...hermesTools(hermes, { prefix: 'my_' }) },
  }
  streamText({ ...server, prompt: 'hi', providerOptions: { hermes: owned } })
}

export const inPart = () => {
  const { my_memory: memory, ...others } = hermesTools(session, { prefix: 'my_', only: ['memory'] })
  const none: Record<string, never> = others
  return [memory.description, none]
}
