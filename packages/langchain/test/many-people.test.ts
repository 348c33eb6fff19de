/** One agent of `createAgent` for many owners: the prompt and the agent's state of each owner, and nested runs. */
import { createHermes, createHermesHomes, type HermesEvent, type HermesHomes, inMemoryBackend, type StorageBackend } from '@hermes/core'
import { type ModelAnswer, type ModelCall, textAnswer, toolCallAnswer } from '@hermes/testing'
import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { Command, MemorySaver } from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware } from 'langchain'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hermesMiddleware } from '../src/agent.ts'
import { type HermesTarget, type HermesWarning, hermesTools, withHermes } from '../src/index.ts'
import { ScriptedChatModel } from './support/scripted-chat-model.ts'

const NAME = 'The user’s name is Alice.'
const remember = toolCallAnswer('memory', { target: 'user', action: 'add', content: NAME })

interface Setup {
  readonly storage?: StorageBackend
  readonly memoryInterval?: number
  readonly target?: (homes: HermesHomes) => HermesTarget
  readonly checkpointer?: MemorySaver
  readonly middleware?: readonly AgentMiddleware[]
}

const setUp = ({
  storage = inMemoryBackend(),
  memoryInterval = 10,
  target,
  checkpointer = new MemorySaver(),
  middleware = [],
}: Setup = {}) => {
  const events: HermesEvent[] = []
  const warnings: HermesWarning[] = []
  const asked: ModelCall[] = []
  const answers: ModelAnswer[] = []
  const homes = createHermesHomes({ storage, nudge: { memoryInterval }, onEvent: (event) => events.push(event) })
  const model = new ScriptedChatModel({
    answer: async (call) => {
      if (call.purpose === 'review') return textAnswer('{"proposals":[]}')
      asked.push(call)
      return answers.shift() ?? textAnswer('Fine.')
    },
  })
  const onWarning = (warning: HermesWarning) => warnings.push(warning)
  const hermes = hermesMiddleware(target?.(homes) ?? homes, { onWarning })
  const agent = createAgent({ model, tools: [], systemPrompt: 'Be kind.', checkpointer, middleware: [hermes, ...middleware] })
  const send = (text: string, configurable: Readonly<Record<string, unknown>>, context?: object): Promise<{ messages: BaseMessage[] }> =>
    agent.invoke({ messages: [new HumanMessage(text)] }, { configurable, ...(context && { context }) } as object)
  const state = async (thread_id: string) => {
    const { values } = await agent.graph.getState({ configurable: { thread_id } })
    return Object.fromEntries(Object.entries(values).filter(([key]) => key.startsWith('_hermes')))
  }
  const mistakes = () => events.flatMap((event) => (event.type === 'wiring-failed' ? [event.mistake] : []))
  const reviewed = () => events.flatMap((event) => (event.type === 'review-started' ? [event.owner?.user] : []))
  const profile = async (owner: string) => {
    const store = homes.for(owner).memoryStore()
    await store.load()
    return store.entries('user')
  }
  return { homes, agent, model, send, state, events, warnings, asked, answers, mistakes, reviewed, profile, onWarning }
}

describe('one agent for everybody', () => {
  it.each<[string, (user_id: string, thread_id: string) => readonly [Readonly<Record<string, unknown>>, object?]]>([
    ['configurable', (user_id, thread_id) => [{ thread_id, user_id }]],
    ['context', (user_id, thread_id) => [{ thread_id }, { user_id }]],
  ])('shows Bob nothing of Alice, named in the %s', async (_what, as) => {
    const { send, asked, answers, homes, warnings, reviewed, profile } = setUp({ memoryInterval: 1 })
    answers.push(remember)
    await send('please remember that my name is Alice', ...as('alice', 'a1'))
    await send('hi', ...as('bob', 'b1'))
    expect(asked.at(-1)?.system).not.toContain('Alice')
    await send('hi', ...as('alice', 'a2'))
    expect(asked.at(-1)?.system).toContain(NAME)
    await homes.settled()
    expect([await profile('alice'), await profile('bob')]).toEqual([[NAME], []])
    expect(reviewed().toSorted()).toEqual(['alice', 'alice', 'bob'])
    expect(warnings).toEqual([])
  })

  it('shows a second user nothing if it has one person’s memory', async () => {
    const hermes = createHermes({ storage: inMemoryBackend() })
    const { send, asked, answers, warnings } = setUp({ target: () => hermes })
    answers.push(remember)
    await send('please remember that my name is Alice', { thread_id: 'a1', user_id: 'alice' })
    await send('hi', { thread_id: 'b1', user_id: 'bob' })
    expect(asked.at(-1)?.system).toBe('Be kind.')
    expect(warnings.map(({ code }) => code)).toEqual(['other-home'])
  })

  it('takes its tools into createReactAgent', async () => {
    const { homes, model, answers, profile, onWarning } = setUp()
    const tools = hermesTools(homes, { onWarning })
    const agent = createReactAgent({ llm: withHermes(model, homes, { onWarning }), tools })
    answers.push(remember)
    const config = { configurable: { thread_id: 'a1', user_id: 'alice' } }
    await agent.invoke({ messages: [new HumanMessage('please remember that my name is Alice')] }, config)
    expect([await profile('alice'), await profile('bob')]).toEqual([[NAME], []])
  })

  it('goes without memory if an approval names nobody', async () => {
    const approving = humanInTheLoopMiddleware({ interruptOn: { memory: true } } as never) as unknown as AgentMiddleware
    const { agent, send, answers, asked, mistakes, profile } = setUp({ middleware: [approving] })
    answers.push(remember)
    await send('please remember that my name is Alice', { thread_id: 'a1', user_id: 'alice' })
    const decision = new Command({ resume: { decisions: [{ type: 'approve' }] } })
    await agent.invoke(decision, { configurable: { thread_id: 'a1' } })
    expect(asked.at(-1)?.system).toBe('Be kind.')
    expect(await profile('alice')).toEqual([])
    expect(mistakes()).toEqual(['missing-owner', 'missing-owner'])
  })
})

describe('a thread', () => {
  it('belongs to its first owner: another one’s run in it has no memory, no tools and no turn', async () => {
    const { homes, send, asked, answers, state, mistakes, reviewed, profile } = setUp({ memoryInterval: 2 })
    await send('Hello', { thread_id: 'shared', user_id: 'alice' })
    const before = await state('shared')
    answers.push(remember)
    const { messages } = await send('please remember that my name is Alice', { thread_id: 'shared', user_id: 'bob' })
    await homes.settled()
    expect(asked.slice(1).map(({ system }) => system)).toEqual(['Be kind.', 'Be kind.'])
    expect(String(messages.at(-2)?.content)).toContain('There is no session')
    expect(await state('shared')).toEqual(before)
    expect(await profile('bob')).toEqual([])
    expect(new Set(mistakes())).toEqual(new Set(['other-home']))
    expect(reviewed()).toEqual([])
    await send('And again', { thread_id: 'shared', user_id: 'alice' })
    await homes.settled()
    expect(reviewed()).toEqual(['alice'])
  })

  it('gives its counts back to its owner if the storage has lost them', async () => {
    const checkpointer = new MemorySaver()
    const reviews: unknown[] = []
    for (const turn of [1, 2, 3]) {
      const { homes, send, state, reviewed } = setUp({ memoryInterval: 3, checkpointer })
      await send('Hello', { thread_id: 'chat', user_id: 'alice' })
      await homes.settled()
      expect(await state('chat')).toMatchObject({ _hermesTurns: turn, _hermesOwner: '[null,"alice"]' })
      reviews.push(...reviewed())
    }
    expect(reviews).toEqual(['alice'])
  })

  it('of a time when the agent served one person gives its counts to nobody', async () => {
    const checkpointer = new MemorySaver()
    const alone = setUp({ checkpointer, target: () => createHermes({ storage: inMemoryBackend() }) })
    for (const text of ['Hello', 'And again']) await alone.send(text, { thread_id: 'chat' })
    expect(await alone.state('chat')).toEqual({ _hermesTurns: 2 })
    const { send, state } = setUp({ checkpointer })
    await send('Hello', { thread_id: 'chat', user_id: 'bob' })
    expect(await state('chat')).toMatchObject({ _hermesTurns: 1, _hermesOwner: '[null,"bob"]' })
  })
})

describe('a run inside a tool', () => {
  /** An agent of Alice's whose tool calls a second agent over the same homes. */
  const nested = async (config?: object, around: object = { configurable: { thread_id: 'a1', user_id: 'alice' } }) => {
    const world = setUp({ memoryInterval: 1 })
    for (const [owner, note] of [
      ['alice', 'Grows amaryllis.'],
      ['bob', 'Grows begonia.'],
    ] as const) {
      const store = world.homes.for(owner).memoryStore()
      await store.load()
      await store.apply('user', { action: 'add', content: note })
    }
    const { homes, model, onWarning } = world
    const inner = createAgent({ model, tools: [], systemPrompt: 'Be brief.', middleware: [hermesMiddleware(homes, { onWarning })] })
    const ask = tool(async () => (await inner.invoke({ messages: [new HumanMessage('I live on Mars.')] }, config)).messages.at(-1)?.text, {
      name: 'ask',
      description: 'Asks around.',
      schema: z.object({}),
    })
    const outer = createAgent({ model, tools: [ask], systemPrompt: 'Be kind.', middleware: [hermesMiddleware(homes, { onWarning })] })
    world.answers.push(toolCallAnswer('ask'))
    await outer.invoke({ messages: [new HumanMessage('Ask around')] }, around as object)
    await homes.settled()
    const shown = world.asked.map(({ system }) => ['amaryllis', 'begonia'].filter((word) => system.includes(word)))
    return { ...world, shown }
  }

  it('is its owner’s if it names none', async () => {
    const { shown, reviewed, warnings } = await nested()
    expect(shown).toEqual([['amaryllis'], ['amaryllis'], ['amaryllis']])
    expect([reviewed(), warnings]).toEqual([['alice'], []])
  })

  it('is shown what it names alone, and teaches neither owner the model’s words', async () => {
    const { shown, reviewed, warnings } = await nested({ configurable: { thread_id: 'b1', user_id: 'bob' } })
    expect(shown).toEqual([['amaryllis'], ['begonia'], ['amaryllis']])
    expect([reviewed(), warnings]).toEqual([['alice'], []])
  })

  it('is nobody’s if it names another owner than the context that it inherits', async () => {
    const { shown, reviewed, mistakes } = await nested(
      { configurable: { thread_id: 'b1', user_id: 'bob' } },
      {
        configurable: { thread_id: 'a1' },
        context: { user_id: 'alice' },
      },
    )
    expect(shown).toEqual([['amaryllis'], [], ['amaryllis']])
    expect([reviewed(), mistakes()]).toEqual([['alice'], ['missing-owner']])
  })
})
