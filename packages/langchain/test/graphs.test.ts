/** `withHermes` in LangGraph: in a host's own node, and in `createReactAgent`. */
import { LLMock } from '@copilotkit/aimock'
import { createHermes, type Hermes, inMemoryBackend } from '@hermes/core'
import { type ModelAnswer, type ModelCall, recordingSession, textAnswer } from '@hermes/testing'
import { HumanMessage } from '@langchain/core/messages'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hermesMiddleware } from '../src/agent.ts'
import { type HermesWarning, hermesTools, type WithHermesOptions, withHermes } from '../src/index.ts'
import { ScriptedChatModel } from './support/scripted-chat-model.ts'

const search = new DynamicStructuredTool({ name: 'search', description: 'Searches.', schema: z.object({}), func: async () => 'Port 4711.' })

const NOTE = 'The repo builds with pnpm 12.'

/** A model that searches once for each question, and a home with a memory. */
const setUp = async () => {
  const calls: ModelCall[] = []
  const answer = async (call: ModelCall): Promise<ModelAnswer> => {
    calls.push(call)
    if (call.purpose === 'review') return textAnswer('{"proposals":[]}')
    if (call.messages.at(-1)?.role === 'tool') return textAnswer('Found.')
    return { type: 'tool-call', toolName: 'search', input: {} }
  }
  const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 2 } })
  const store = hermes.memoryStore()
  await store.load()
  await store.apply('memory', { action: 'add', content: NOTE })
  const warnings: HermesWarning[] = []
  const model = new ScriptedChatModel({ answer })
  const onWarning = (warning: HermesWarning) => warnings.push(warning)
  const turns = () => calls.filter(({ purpose }) => purpose === 'turn')
  const reviews = () => calls.filter(({ purpose }) => purpose === 'review')
  return { hermes, model, turns, reviews, warnings, options: { onWarning } }
}

const thread = { configurable: { thread_id: 'chat' } }

describe('withHermes in a StateGraph', () => {
  it('remembers in a node that does not pass its configuration on', async () => {
    const { hermes, model, turns, warnings, options } = await setUp()
    const wrapped = withHermes(model, hermes, options)
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('agent', async ({ messages }) => ({ messages: [await wrapped.invoke(messages)] }))
      .addEdge(START, 'agent')
      .addEdge('agent', END)
      .compile({ checkpointer: new MemorySaver() })
    await graph.invoke({ messages: [new HumanMessage('Hello')] }, thread)
    expect(turns()[0]?.system).toContain(NOTE)
    expect(warnings).toEqual([])
  })
})

describe('a thread that goes back to an older checkpoint', () => {
  const graphOf = (model: ScriptedChatModel, hermes: Hermes, checkpointer: MemorySaver, options: WithHermesOptions) => {
    const wrapped = withHermes(model, hermes, options)
    return new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }) => ({ messages: [await wrapped.invoke(messages)] }))
      .addEdge(START, 'model')
      .addEdge('model', END)
      .compile({ checkpointer })
  }
  const agentOf = (model: ScriptedChatModel, hermes: Hermes, checkpointer: MemorySaver, options: WithHermesOptions) =>
    createAgent({ model, tools: [], checkpointer, middleware: [hermesMiddleware(hermes, { ...options, tools: false })] }).graph

  it.each([
    ['a StateGraph', graphOf],
    ['createAgent', agentOf],
  ])('of %s counts each turn once, in another process too', async (_what, graphOf) => {
    const storage = inMemoryBackend()
    const model = new ScriptedChatModel({ answer: async () => textAnswer('Fine.') })
    const checkpointer = new MemorySaver()
    const open = () => {
      const hermes = createHermes({ storage })
      const graph = graphOf(model, hermes, checkpointer, {})
      const unread = async () => {
        await hermes.settled()
        const due = await hermes.reviewDue()
        return due.ok && due.value.unreadTurns
      }
      const say = (text: string) => graph.invoke({ messages: [new HumanMessage(text)] }, thread)
      /** Answers the words again, from the checkpoint before their answer. */
      const again = async (text: string) => {
        for await (const { values, next, config } of graph.getStateHistory(thread)) {
          if (values.messages?.at(-1)?.text !== text || !next.some((node) => node.startsWith('model'))) continue
          return graph.invoke(null, config)
        }
        throw new Error(`No checkpoint waits for an answer to '${text}'.`)
      }
      return { say, again, unread }
    }
    const { say, again, unread } = open()
    for (const text of ['One', 'Two', 'Three']) await say(text)
    for (const text of ['Three', 'One', 'Two']) await again(text)
    expect(await unread()).toBe(3)
    const other = open()
    for (const text of ['One', 'Two']) await other.again(text)
    expect(await other.unread()).toBe(3)
    await other.say('Four, on the branch of Two')
    expect(await other.unread()).toBe(4)
  })
})

describe('withHermes in createReactAgent', () => {
  it.each([
    ['a model', (model: ScriptedChatModel) => model],
    ['a model with the tools bound to it', (model: ScriptedChatModel) => model.bindTools([search])],
  ])('takes the place of %s', async (_what, make) => {
    const { hermes, model, turns, reviews, warnings, options } = await setUp()
    const llm = withHermes(make(model), hermes, options)
    const agent = createReactAgent({ llm, tools: [search], prompt: 'Be kind.', checkpointer: new MemorySaver() })
    const { messages } = await agent.invoke({ messages: [new HumanMessage('What port?')] }, thread)
    await hermes.settled()
    expect(messages.map((message) => message.getType())).toEqual(['human', 'ai', 'tool', 'ai'])
    expect(reviews()).toEqual([])
    await agent.invoke({ messages: [new HumanMessage('Are you sure?')] }, thread)
    await hermes.settled()
    // The own-words pass, then the pass over everything, since a tool has answered.
    expect(reviews()).toHaveLength(2)
    expect(new Set(turns().map(({ system }) => system)).size).toBe(1)
    expect(turns()[0]?.system).toMatch(/^Be kind\./)
    expect(turns()[0]?.system).toContain(NOTE)
    expect(warnings).toEqual([])
  })

  it.each([
    ['a provider’s model', (model: ChatOpenAI) => model],
    ['a provider’s model with the tools bound to it', (model: ChatOpenAI) => model.bindTools([search])],
  ])('gives a structured response of %s, in one turn', async (_what, make) => {
    const server = new LLMock({ port: 0, strict: true })
    server.on({ userMessage: /port/, hasToolResult: false }, { toolCalls: [{ name: 'search', arguments: '{}' }] })
    server.on({ hasToolResult: true }, { content: '{"port":4711}' })
    await server.start()
    try {
      const session = recordingSession('chat')
      const model = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'local', maxRetries: 0, configuration: { baseURL: `${server.url}/v1` } })
      const responseFormat = z.object({ port: z.number() })
      const agent = createReactAgent({ llm: withHermes(make(model), session), tools: [search], responseFormat })
      const { structuredResponse } = await agent.invoke({ messages: [new HumanMessage('What port?')] })
      expect(structuredResponse).toEqual({ port: 4711 })
      expect(session.begun.map((prompt) => prompt.at(-1)?.role)).toEqual(['user', 'tool', 'assistant'])
      expect(session.ended.map((step) => step.turnFinished)).toEqual([false, true, true])
    } finally {
      await server.stop()
    }
  })

  it('lets the agent use the tools of a session', async () => {
    const { hermes, model, options } = await setUp()
    const session = hermes.session('chat')
    const tools = [search, ...hermesTools(session)]
    const agent = createReactAgent({ llm: withHermes(model, session, options), tools })
    const { messages } = await agent.invoke({ messages: [new HumanMessage('What port?')] })
    expect(messages.at(-1)?.content).toBe('Found.')
  })
})
