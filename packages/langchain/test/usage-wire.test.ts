/**
 * The token counts that a provider returns over HTTP are the cost in the review's event, and the usage of the host's own steps in the
 * session.
 */
import { createHermes, type HermesEvent, type HermesOptions, inMemoryBackend } from '@hermes/core'
import type { ModelAnswer } from '@hermes/testing'
import { recordingSession } from '@hermes/testing'
import { ConversationChain } from '@langchain/classic/chains'
import { HumanMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hermesMiddleware } from '../src/agent.ts'
import { HermesMemory, withHermes } from '../src/index.ts'
import { type ModelServer, startModelServer } from './support/model-server.ts'

const INSTRUCTIONS = 'Be kind.'
const USAGE = { inputTokens: 100, cachedInputTokens: 80, outputTokens: 7 }

let server: ModelServer

const text = (...chunks: readonly string[]): ModelAnswer => ({
  type: 'text',
  chunks: (async function* () {
    yield* chunks
  })(),
})

beforeAll(async () => {
  server = await startModelServer({ instructions: INSTRUCTIONS, model: async () => text('{"proposals"', ': []}') })
})

afterAll(() => server.stop())

const chat = () =>
  new ChatOpenAI({ model: 'gpt-4o-mini', apiKey: 'local', maxRetries: 0, useResponsesApi: false, configuration: { baseURL: server.url } })

const setUp = () => {
  const events: HermesEvent[] = []
  const options: HermesOptions = { storage: inMemoryBackend(), nudge: { memoryInterval: 1 }, onEvent: (event) => events.push(event) }
  const hermes = createHermes(options)
  const ended = async () => {
    await hermes.settled()
    return events.find(({ type }) => type === 'review-finished')
  }
  return { hermes, ended }
}

const COST = { cost: { model: 'm', calls: 1, ...USAGE, estimated: false } }

describe('the cost of a review', () => {
  it('is what the provider counted, with withHermes', async () => {
    const { hermes, ended } = setUp()
    await withHermes(chat(), hermes.session('one')).invoke('I live in Oslo.')
    expect(await ended()).toMatchObject(COST)
  })

  it('is what the provider counted, with a chain with HermesMemory', async () => {
    const { hermes, ended } = setUp()
    const chain = new ConversationChain({ llm: chat() })
    chain.memory = new HermesMemory({ session: hermes.session('one'), memory: chain.memory, model: chat() })
    await chain.invoke({ input: 'I live in Oslo.' })
    expect(await ended()).toMatchObject(COST)
  })

  it('is what the provider counted, with an agent', async () => {
    const { hermes, ended } = setUp()
    const agent = createAgent({ model: chat(), tools: [], systemPrompt: INSTRUCTIONS, middleware: [hermesMiddleware(hermes)] })
    await agent.invoke({ messages: [new HumanMessage('I live in Oslo.')] }, { configurable: { thread_id: 'one' } })
    expect(await ended()).toMatchObject(COST)
  })
})

describe('what a step of the host used', () => {
  it.each(['invoke', 'stream'] as const)('is told by withHermes, %s', async (way) => {
    const asked: (string | undefined)[] = []
    const session = recordingSession('chat', '', { beginStep: (_prompt, about) => asked.push(about?.modelId) })
    const model = withHermes(chat(), session)
    if (way === 'invoke') await model.invoke('Hello')
    else for await (const chunk of await model.stream('Hello')) expect(chunk).toBeDefined()
    expect(session.ended).toMatchObject([{ usage: USAGE }])
    expect(asked).toEqual(['gpt-4o-mini'])
  })

  it('is told by the middleware of an agent', async () => {
    const session = recordingSession()
    const agent = createAgent({ model: chat(), tools: [], middleware: [hermesMiddleware(session)] })
    await agent.invoke({ messages: [new HumanMessage('Hello')] })
    expect(session.ended[0]).toMatchObject({ usage: USAGE })
  })
})
