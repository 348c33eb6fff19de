/** Nested runs in tools and misconfiguration that are specific to LangChain and thus not in the conformance suite. */
import { createHermes, type HermesEvent, inMemoryBackend, type Session } from '@hermes/core'
import { type ModelAnswer, type ModelCall, textAnswer, toolCallAnswer } from '@hermes/testing'
import { LLMChain } from '@langchain/classic/chains'
import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { PromptTemplate } from '@langchain/core/prompts'
import { tool } from '@langchain/core/tools'
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hermesMiddleware } from '../src/agent.ts'
import { HermesMemory, hermesTools, withHermes } from '../src/index.ts'
import { ScriptedChatModel } from './support/scripted-chat-model.ts'

/** None of this text occurs in the call's arguments. */
const TEMPLATE = 'Summarise this page for me: I live on Mars.'

const setUp = (...answers: readonly ModelAnswer[]) => {
  const queue = [...answers]
  const events: HermesEvent[] = []
  const asked: ModelCall[] = []
  const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1 }, onEvent: (event) => events.push(event) })
  const model = new ScriptedChatModel({
    answer: async (call) => {
      if (call.purpose === 'review') return textAnswer('{"proposals":[]}')
      asked.push(call)
      return queue.shift() ?? textAnswer('Fine.')
    },
  })
  const reviewed = () => events.flatMap((event) => (event.type === 'review-started' ? [event.turns] : []))
  const mistakes = () => events.flatMap((event) => (event.type === 'wiring-failed' ? [event.mistake] : []))
  return { hermes, model, asked, reviewed, mistakes }
}

type World = ReturnType<typeof setUp>

const RUNS: readonly (readonly [string, (world: World) => () => Promise<unknown>])[] = [
  [
    'an agent',
    ({ hermes, model }) => {
      const agent = createAgent({ model, tools: [], middleware: [hermesMiddleware(hermes)] })
      return () => agent.invoke({ messages: [new HumanMessage(TEMPLATE)] })
    },
  ],
  [
    'a pipe, to which the tool passes no configuration on',
    ({ hermes, model }) => {
      const pipe = withHermes(model, hermes)
      return () => pipe.invoke(TEMPLATE, { configurable: { thread_id: 'chat' } })
    },
  ],
  [
    'a chain with a memory',
    ({ hermes, model }) => {
      const prompt = PromptTemplate.fromTemplate('{hermes_memory}{input}')
      const chain = new LLMChain({ llm: model, prompt, memory: new HermesMemory({ session: hermes.session('chat'), model }) })
      return () => chain.invoke({ input: TEMPLATE })
    },
  ],
]

describe.each(RUNS)('%s inside a tool of an agent', (_what, createRun) => {
  it('is not a turn, whatever it is asked, and ends none', async () => {
    const world = setUp(toolCallAnswer('research', { page: 'mars' }), textAnswer('A summary.'), textAnswer('Done.'))
    const run = createRun(world)
    const research = tool(
      async () => {
        await run()
        await world.hermes.settled()
        expect(world.reviewed()).toEqual([])
        return 'A summary.'
      },
      { name: 'research', description: 'Researches.', schema: z.object({ page: z.string() }) },
    )
    const middleware = [hermesMiddleware(world.hermes)]
    const agent = createAgent({ model: world.model, tools: [research], middleware, checkpointer: new MemorySaver() })
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Look into it')] }, { configurable: { thread_id: 'chat' } })
    await world.hermes.settled()
    expect(messages.map((message: BaseMessage) => message.getType())).toEqual(['human', 'ai', 'tool', 'ai'])
    expect(String(messages[2]?.content)).toBe('A summary.')
    expect(world.reviewed()).toEqual([1])
  })
})

describe('an agent that is a node of a graph', () => {
  it('has the user’s own words and is a turn', async () => {
    const world = setUp()
    const agent = createAgent({ model: world.model, tools: [], middleware: [hermesMiddleware(world.hermes)] })
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('assistant', async (state) => ({ messages: (await agent.invoke({ messages: state.messages })).messages.slice(-1) }))
      .addEdge(START, 'assistant')
      .addEdge('assistant', END)
      .compile({ checkpointer: new MemorySaver() })
    for (const text of ['Hello', 'And again']) {
      await graph.invoke({ messages: [new HumanMessage(text)] }, { configurable: { thread_id: 'chat' } })
      await world.hermes.settled()
    }
    expect(world.reviewed()).toHaveLength(2)
  })
})

describe('wrong wiring', () => {
  const FACT = 'My salary is 93000 euros.'
  const remember = toolCallAnswer('memory', { target: 'user', action: 'add', content: FACT })

  const notes = async ({ hermes }: World) => {
    const store = hermes.memoryStore()
    await store.load()
    return store.entries('user')
  }

  it('an agent of one session shows nothing of it to another thread, and its tools refuse', async () => {
    const world = setUp(remember)
    const session = world.hermes.session('alice')
    await session.offerTools()[0]?.execute({ target: 'user', action: 'add', content: FACT }, { messages: [{ role: 'user', text: FACT }] })
    const warned: string[] = []
    const middleware = [hermesMiddleware(world.hermes.session('alice-2'), { onWarning: ({ code }) => warned.push(code) })]
    const agent = createAgent({ model: world.model, systemPrompt: 'Be kind.', tools: [], middleware })
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Remember it')] }, { configurable: { thread_id: 'bob' } })
    await world.hermes.settled()
    expect(world.asked.map(({ system }) => system)).toEqual(['Be kind.', 'Be kind.'])
    expect(JSON.parse(String(messages[2]?.content))).toMatchObject({ success: false })
    expect(world.reviewed()).toEqual([])
    expect(new Set(warned)).toEqual(new Set(['other-session']))
    expect(new Set(world.mistakes())).toEqual(new Set(['other-session']))
  })

  it('a tool of another person’s session writes nothing', async () => {
    const [alice, bob] = [setUp(remember), setUp()]
    const loop = async (modelOf: Session, toolsOf: Session) => {
      const answer = await withHermes(alice.model, modelOf).invoke([new HumanMessage(`Please remember: ${FACT}`)])
      const [call] = (answer as { tool_calls?: { id?: string; name: string; args: Record<string, unknown> }[] }).tool_calls ?? []
      if (call === undefined) throw new Error('The model called no tool.')
      return hermesTools(toolsOf)
        .find(({ name }) => name === call.name)
        ?.invoke({ ...call, type: 'tool_call' })
    }
    expect(JSON.parse(String((await loop(alice.hermes.session('chat'), bob.hermes.session('chat'))).content))).toMatchObject({
      success: false,
    })
    expect([await notes(alice), await notes(bob)]).toEqual([[], []])
    expect([alice.mistakes(), bob.mistakes()]).toEqual([[], ['other-home']])
  })
})
