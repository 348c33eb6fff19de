/** The adapter conformance suite with a real provider package over HTTP, and the bytes that are sent. */
import { LLMock } from '@copilotkit/aimock'
import { createHermes, type HermesEvent, type HermesOptions, inMemoryBackend } from '@hermes/core'
import { asList, asRecord } from '@hermes/core/adapter'
import { type AdapterHostSetup, adapterConformance, type ModelAnswer, recordingSession } from '@hermes/testing'
import { ConversationChain } from '@langchain/classic/chains'
import { HumanMessage } from '@langchain/core/messages'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SECOND_EXTENT } from '../../../scripts/support/rounds.ts'
import { hermesMiddleware } from '../src/agent.ts'
import { HermesMemory, withHermes } from '../src/index.ts'
import { lcelHost } from './support/lcel-hosts.ts'
import { type ModelServer, startModelServer } from './support/model-server.ts'

const chatOpenAI = (baseURL: string, fetcher: typeof fetch = fetch) =>
  new ChatOpenAI({
    model: 'gpt-4o-mini',
    apiKey: 'local',
    maxRetries: 0,
    useResponsesApi: false,
    configuration: { baseURL, fetch: fetcher },
  })

const overHttp = async (setup: AdapterHostSetup) => {
  const server = await startModelServer(setup)
  onTestFinished(() => server.stop())
  return chatOpenAI(server.url)
}

// The provider's own retries wait for a second each, so they are not tested here.
for (const way of ['invoke', 'stream'] as const)
  adapterConformance(`withHermes: ChatOpenAI over HTTP, ${way}`, lcelHost(way, overHttp), {
    streaming: way === 'stream',
    toolLoop: false,
    retries: false,
    extent: SECOND_EXTENT,
  })

describe('what goes over the wire', () => {
  const mock = new LLMock({ port: 0, strict: true })
  const SAID = 'I prefer tabs over spaces.'
  const proposals = JSON.stringify({
    proposals: [
      {
        target: 'user',
        op: { action: 'add', content: 'Prefers tabs over spaces.' },
        rationale: 'The user said so.',
        score: 0.9,
        evidence: [{ messageId: null, quote: SAID }],
      },
    ],
  })

  beforeAll(async () => {
    const isReview = (messages: readonly { readonly content: unknown }[]) => JSON.stringify(messages.at(-1)?.content).includes('remembered')
    mock.on({ predicate: ({ messages }) => isReview(messages) }, { content: proposals })
    mock.on({ predicate: ({ messages }) => !isReview(messages) }, { content: 'Noted.' })
    await mock.start()
  })

  afterAll(() => mock.stop())

  const setUp = () => {
    const bodies: string[] = []
    const recording: typeof fetch = (input, init) => {
      bodies.push(String(init?.body))
      return fetch(input, init)
    }
    const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1 } })
    const systems = () =>
      bodies.map((body) =>
        asList(asRecord(JSON.parse(body))['messages'])
          .map(asRecord)
          .filter(({ role }) => role === 'system'),
      )
    return { hermes, bodies, systems, model: chatOpenAI(`${mock.url}/v1`, recording) }
  }

  const learn = async (hermes: ReturnType<typeof createHermes>) => {
    await hermes.settled()
    const block = await hermes.session('second').systemBlock()
    expect(block).toContain('Prefers tabs over spaces.')
    return block
  }

  it('HermesMemory: the review asks the chain’s model, and the next conversation’s prompt holds what it found', async () => {
    const { hermes, bodies, model } = setUp()
    const converse = async (id: string, input: string) => {
      const chain = new ConversationChain({ llm: model })
      chain.memory = new HermesMemory({ session: hermes.session(id), memory: chain.memory, model })
      return chain.invoke({ input })
    }
    expect(await converse('first', SAID)).toMatchObject({ response: 'Noted.' })
    const block = await learn(hermes)
    await converse('second', 'Hello')
    expect(bodies).toHaveLength(3)
    expect(bodies[1]).toContain(SAID)
    const [prompt] = asList(asRecord(JSON.parse(bodies[2] ?? ''))['messages']).map(asRecord)
    expect(prompt?.['content']).toContain(`Current conversation:\n${block}\n\nHuman: Hello\nAI:`)
  })

  it('withHermes: one system message, and nothing of ours besides', async () => {
    const { hermes, bodies, systems, model } = setUp()
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', 'Be kind.'],
      ['human', '{input}'],
    ])
    const chain = prompt.pipe(withHermes(model, hermes))
    await chain.invoke({ input: SAID }, { configurable: { sessionId: 'first' } })
    const block = await learn(hermes)
    await chain.invoke({ input: 'Hello' }, { configurable: { sessionId: 'second' } })
    expect(systems()[2]).toEqual([{ role: 'system', content: `Be kind.\n\n${block}` }])
    for (const body of bodies) expect(body).not.toMatch(/sessionId|nostream|hermes:review|hermes-review/)
  })

  it('hermesMiddleware: one system message with one text, and the tools beside it', async () => {
    const { hermes, bodies, systems, model } = setUp()
    const middleware = [hermesMiddleware(hermes)]
    const agent = createAgent({ model, tools: [], systemPrompt: 'Be kind.', middleware, checkpointer: new MemorySaver() })
    const send = (text: string, thread_id: string) => agent.invoke({ messages: [new HumanMessage(text)] }, { configurable: { thread_id } })
    await send(SAID, 'first')
    const block = await learn(hermes)
    await send('Hello', 'second')
    expect(systems()[2]).toMatchObject([{ role: 'system' }])
    expect(JSON.stringify(systems()[2]?.[0]?.['content'])).toContain(JSON.stringify(`Be kind.\n\n${block}`).slice(1, -1))
    const tools = asList(asRecord(JSON.parse(bodies[0] ?? ''))['tools']).map((tool) => asRecord(asRecord(tool)['function'])['name'])
    expect(tools).toEqual(['memory', 'skills_list', 'skill_view', 'skill_manage'])
    expect(asRecord(JSON.parse(bodies[1] ?? ''))['tools']).toBeUndefined()
  })
})

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
