// Sets up the async storage through which a run's configuration reaches the calls inside it.
import '@langchain/core/context'
import { createHermes, inMemoryBackend, type Session } from '@hermes/core'
import type { HermesWarning } from '@hermes/core/adapter'
import { recordingHermes, recordingSession, textAnswer } from '@hermes/testing'
import { AgentExecutor, createToolCallingAgent } from '@langchain/classic/agents'
import { ConversationChain } from '@langchain/classic/chains'
import { InMemoryChatMessageHistory } from '@langchain/core/chat_history'
import { AIMessage, AIMessageChunk, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { StringPromptValue } from '@langchain/core/prompt_values'
import { ChatPromptTemplate, MessagesPlaceholder, PromptTemplate } from '@langchain/core/prompts'
import { RunnableLambda, RunnableWithMessageHistory } from '@langchain/core/runnables'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { FakeListChatModel, FakeLLM } from '@langchain/core/utils/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ScriptedChatModel } from '../test/support/scripted-chat-model.ts'
import { type WithHermesOptions, withHermes } from './with-hermes.ts'

class ChatRecorder extends FakeListChatModel {
  readonly calls: BaseMessage[][] = []

  override async _generate(...[messages, ...rest]: Parameters<FakeListChatModel['_generate']>) {
    this.calls.push(messages)
    return super._generate(messages, ...rest)
  }

  override async *_streamResponseChunks(...[messages, ...rest]: Parameters<FakeListChatModel['_streamResponseChunks']>) {
    this.calls.push(messages)
    yield* super._streamResponseChunks(messages, ...rest)
  }
}

const chat = () => new ChatRecorder({ responses: ['Fine.'] })

const contents = (messages: readonly BaseMessage[] | undefined) => messages?.map((message) => [message.getType(), message.content])

const prompt = ChatPromptTemplate.fromMessages([
  ['system', 'Be kind.'],
  ['human', '{input}'],
])

const listening = (options: WithHermesOptions = {}) => {
  const warnings: HermesWarning[] = []
  return { warnings, options: { ...options, onWarning: (warning: HermesWarning) => warnings.push(warning) } }
}

const ask = {
  purpose: 'review',
  mode: 'digest',
  system: '',
  messages: [{ role: 'user', content: 'Anything?' }],
  schema: {},
  maxOutputTokens: 9,
  signal: new AbortController().signal,
} as const

describe('withHermes', () => {
  it('puts one system message in front, and tells the turn and its answer', async () => {
    const [model, session] = [chat(), recordingSession()]
    const chain = prompt.pipe(withHermes(model, session)).pipe(new StringOutputParser())
    expect(await chain.invoke({ input: 'Hello' })).toBe('Fine.')
    expect(contents(model.calls[0])).toEqual([
      ['system', 'Be kind.\n\nBLOCK'],
      ['human', 'Hello'],
    ])
    expect(session.begun).toEqual([[{ role: 'user', text: 'Hello' }]])
    expect(session.ended).toMatchObject([{ turnFinished: true, calledTools: false, reply: [{ role: 'assistant', text: 'Fine.' }] }])
  })

  it('streams piece by piece, and counts the turn once it was read to its end', async () => {
    const session = recordingSession()
    const chain = prompt.pipe(withHermes(chat(), session)).pipe(new StringOutputParser())
    const pieces: string[] = []
    for await (const piece of await chain.stream({ input: 'Hello' })) {
      expect(session.ended).toEqual([])
      pieces.push(piece)
    }
    expect(pieces.filter((piece) => piece !== '')).toEqual([...'Fine.'])
    expect(session.ended).toMatchObject([{ turnFinished: true, reply: [{ role: 'assistant', text: 'Fine.' }] }])
  })

  it('does not count a stream that nobody read to its end', async () => {
    const session = recordingSession()
    for await (const _ of await withHermes(chat(), session).stream('Hello')) break
    expect(session.begun).toHaveLength(1)
    expect(session.ended).toEqual([])
  })

  it.each<[string, object | string, readonly unknown[]]>([
    [
      'a text',
      'Hello',
      [
        ['system', 'BLOCK'],
        ['human', 'Hello'],
      ],
    ],
    [
      'pairs of role and text',
      [
        ['system', 'Be kind.'],
        ['human', 'Hello'],
      ],
      [
        ['system', 'Be kind.\n\nBLOCK'],
        ['human', 'Hello'],
      ],
    ],
    [
      'a text prompt',
      new StringPromptValue('Hello'),
      [
        ['system', 'BLOCK'],
        ['human', 'Hello'],
      ],
    ],
  ])('takes %s', async (_what, input, sent) => {
    const [model, session] = [chat(), recordingSession()]
    await withHermes(model, session, listening().options).invoke(input as string)
    expect(contents(model.calls[0])).toEqual(sent)
    const text = input instanceof StringPromptValue ? expect.stringContaining('Hello') : 'Hello'
    expect(session.begun).toEqual([[{ role: 'user', text }]])
  })

  it('takes no document for the user’s words in a prompt that is one text: it counts the turns, and says so', async () => {
    const fact = 'The build runs on port 4711.'
    const proposals = [{ target: 'memory', op: { action: 'add', content: fact }, rationale: 'x', score: 0.9, evidence: [{ quote: fact }] }]
    const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 2 } })
    const { warnings, options } = listening({ reviewModel: new FakeListChatModel({ responses: [JSON.stringify({ proposals })] }) })
    const template = PromptTemplate.fromTemplate('Answer from {context}: {question}')
    const chain = template.pipe(withHermes(chat(), hermes.session('chat'), options))
    await chain.invoke({ context: fact, question: 'Which port?' })
    await chain.invoke({ context: fact, question: 'Are you sure?' })
    await hermes.settled()
    const records = await hermes.journal.list()
    expect(records.ok && records.value).toMatchObject([{ origin: 'tool' }, { kind: 'review-finished' }])
    expect(new Set(warnings.map((warning) => warning.code))).toEqual(new Set(['ambiguous-values']))
  })

  it('comes before the text of a text model, and takes its text for the answer', async () => {
    const session = recordingSession()
    const model = new FakeLLM({})
    expect(await withHermes(model, session).invoke('Hello')).toBe('BLOCK\n\nHello')
    expect(session.ended).toMatchObject([{ reply: [{ role: 'assistant', text: 'BLOCK\n\nHello' }] }])
  })

  it('works in the model’s place of a legacy chain', async () => {
    const model = chat()
    const chain = new ConversationChain({ llm: withHermes(model, recordingSession()) as never })
    await chain.invoke({ input: 'Hello' })
    expect(contents(model.calls[0])?.[0]).toEqual(['system', 'BLOCK'])
  })

  it('touches nothing when the block is empty', async () => {
    const inputs: unknown[] = []
    const model = RunnableLambda.from((input: string) => {
      inputs.push(input)
      return new AIMessage('Fine.')
    })
    await withHermes(model as never, recordingSession('chat', '')).invoke('Hello')
    expect(inputs).toEqual(['Hello'])
  })

  it('leaves the turn open while tools follow', async () => {
    const session = recordingSession()
    const call = { id: '1', name: 'search', args: {}, type: 'tool_call' as const }
    const model = RunnableLambda.from(() => new AIMessage({ content: '', tool_calls: [call] }))
    await withHermes(model as never, session).invoke('Hello')
    expect(session.ended).toMatchObject([{ turnFinished: false, calledTools: true, reply: [{ toolNames: ['search'] }] }])
  })

  it.each<[string, ConstructorParameters<typeof AIMessage>[0]]>([
    ['Anthropic’s', { content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }] }],
    ['OpenAI’s', { content: 'So it is.', additional_kwargs: { tool_outputs: [{ type: 'web_search_call', id: 'w' }] } }],
    ['a standard block', { content: [{ type: 'server_tool_call', id: 's', name: 'web_search', args: {} }] }],
  ])('counts a tool that the provider ran (%s), and waits for nothing', async (_whose, answer) => {
    const session = recordingSession()
    await withHermes(RunnableLambda.from(() => new AIMessage(answer)) as never, session).invoke('Hello')
    expect(session.ended).toMatchObject([{ turnFinished: true, calledTools: true }])
  })

  it('gathers a call of a tool from the chunks of a stream', async () => {
    const session = recordingSession()
    const chunks = ['{"q":', '"x"}'].map((args, index) => {
      const part = index === 0 ? { id: '1', name: 'search' } : {}
      return new AIMessageChunk({ content: '', tool_call_chunks: [{ ...part, args, index: 0, type: 'tool_call_chunk' }] })
    })
    const model = RunnableLambda.from(async function* () {
      yield* chunks
    })
    for await (const _ of await withHermes(model as never, session).stream('Hello'));
    expect(session.ended).toMatchObject([{ turnFinished: false, calledTools: true, reply: [{ toolNames: ['search'] }] }])
  })

  it('passes a failure of the model on unchanged and does not count it', async () => {
    const session = recordingSession()
    const failure = new Error('503')
    const model = RunnableLambda.from(() => Promise.reject(failure))
    await expect(withHermes(model as never, session).invoke('Hello')).rejects.toBe(failure)
    expect(session.ended).toEqual([])
  })

  it('finds the session of a history that LangChain keeps by the same name, and counts its turns', async () => {
    const session = recordingSession('a')
    const history = new InMemoryChatMessageHistory()
    const withPlaceholder = ChatPromptTemplate.fromMessages([new MessagesPlaceholder('history'), ['human', '{input}']])
    const chain = new RunnableWithMessageHistory({
      runnable: withPlaceholder.pipe(withHermes(chat(), recordingHermes(session))),
      getMessageHistory: () => history,
      inputMessagesKey: 'input',
      historyMessagesKey: 'history',
    })
    for (const input of ['One', 'Two']) await chain.invoke({ input }, { configurable: { sessionId: 'a' } })
    expect(session.begun.map((prompt) => prompt.map((message) => message.text))).toEqual([['One'], ['One', 'Fine.', 'Two']])
    expect(session.ended).toHaveLength(2)
  })

  it.each([{ sessionId: 'a' }, { thread_id: 'a' }])('finds the session in %o', async (configurable) => {
    const session = recordingSession('a', 'BLOCK A')
    const model = chat()
    await prompt.pipe(withHermes(model, recordingHermes(session))).invoke({ input: 'Hello' }, { configurable })
    expect(contents(model.calls[0])?.[0]).toEqual(['system', 'Be kind.\n\nBLOCK A'])
    expect(session.ended).toHaveLength(1)
  })

  it('finds the session of the run around it, if a call inside that run passes no configuration on', async () => {
    const { warnings, options } = listening()
    const session = recordingSession('a', 'BLOCK A')
    const model = chat()
    const wrapped = withHermes(model, recordingHermes(session), options)
    const node = RunnableLambda.from(async (input: string) => {
      await wrapped.invoke(input)
      for await (const _ of await wrapped.stream('Again'));
      return 'done'
    })
    await node.invoke('Hello', { configurable: { thread_id: 'a' } })
    expect(model.calls.map((call) => contents(call)?.[0])).toEqual([
      ['system', 'BLOCK A'],
      ['system', 'BLOCK A'],
    ])
    expect([session.ended.length, warnings]).toEqual([2, []])
  })

  it.each([
    ['names none', {}, 'missing-session'],
    ['names one that cannot be opened', { sessionId: 'unknown' }, 'invalid-option'],
  ])('lets a call that %s pass untouched, and warns', async (_what, configurable, code) => {
    const { warnings, options } = listening()
    const model = chat()
    await prompt.pipe(withHermes(model, recordingHermes(recordingSession('a')), options)).invoke({ input: 'Hello' }, { configurable })
    expect(contents(model.calls[0])?.[0]).toEqual(['system', 'Be kind.'])
    expect(warnings.map((warning) => warning.code)).toEqual([code])
  })

  it.each([{ sessionId: 'b' }, { thread_id: 'b' }])(
    'shows nothing of its session to a call that names another, %o',
    async (configurable) => {
      const { warnings, options } = listening()
      const session = recordingSession('a')
      const model = chat()
      const pipe = prompt.pipe(withHermes(model, session, options))
      await pipe.invoke({ input: 'Hello' }, { configurable })
      for await (const _ of await pipe.stream({ input: 'Hello' }, { configurable }));
      expect(model.calls.map((call) => contents(call)?.[0])).toEqual([
        ['system', 'Be kind.'],
        ['system', 'Be kind.'],
      ])
      expect([session.begun.length, session.ended.length]).toEqual([0, 0])
      expect(warnings[0]).toMatchObject({ code: 'other-session', message: expect.stringContaining('withHermes(model, hermes)') })
      expect(session.wiring.map(({ mistake }) => mistake)).toEqual(['other-session', 'other-session'])
    },
  )

  it.each<[string, Partial<Session>]>([
    ['systemBlock', { systemBlock: () => Promise.reject(new Error('broken')) }],
    [
      'endStep',
      {
        endStep: () => {
          throw new Error('broken')
        },
      },
    ],
  ])('goes on without Hermes when %s breaks its promise', async (_what, broken) => {
    const { warnings, options } = listening()
    const model = withHermes(chat(), recordingSession('chat', 'BLOCK', broken), options)
    expect((await model.invoke('Hello')).content).toBe('Fine.')
    for await (const _ of await model.stream('Hello'));
    expect(warnings.map((warning) => warning.code)).toEqual(['unexpected', 'unexpected'])
  })

  it('reviews with the model under what is bound to it, and never reviews a review', async () => {
    const session = recordingSession()
    const model = chat()
    const bound = model.withConfig({ tags: ['mine'] }).withRetry({ stopAfterAttempt: 2 })
    await withHermes(bound, session).invoke([new SystemMessage('Be kind.'), new HumanMessage('Hello')])
    expect(await session.ended[0]?.model?.({ ...ask, mode: 'replay' })).toEqual({ text: 'Fine.' })
    expect(contents(model.calls[1])).toEqual([...(contents(model.calls[0]) ?? []), ['ai', 'Fine.'], ['human', 'Anything?']])
    expect(session.begun).toHaveLength(1)
  })

  it('reviews with another model if one is named, and with none if none can be found', async () => {
    const [session, other] = [recordingSession(), chat()]
    await withHermes(chat(), session, { reviewModel: other }).invoke('Hello')
    await withHermes(RunnableLambda.from(() => new AIMessage('Fine.')) as never, session).invoke('Hello')
    expect(session.ended.map((step) => step.model !== undefined)).toEqual([true, false])
  })

  it('takes a structured answer for what it is', async () => {
    const session = recordingSession()
    const model = RunnableLambda.from(() => ({ name: 'Ada' }))
    await withHermes(model as never, session).invoke('Hello')
    expect(session.ended[0]?.reply).toEqual([{ role: 'assistant', text: '{"name":"Ada"}' }])
  })

  it('tells a programmer what it needs', () => {
    expect(() => withHermes('gpt-5' as never, recordingSession())).toThrow('model')
    expect(() => withHermes(chat(), {} as never)).toThrow("hermes.session('chat-42')")
  })
})

describe('what withHermes returns, in the place of a chat model', () => {
  const search = new DynamicStructuredTool({
    name: 'search',
    description: 'Searches.',
    schema: z.object({ query: z.string() }),
    func: async () => 'Port 4711.',
  })

  class Binding extends ScriptedChatModel {
    readonly bound: unknown[] = []

    override bindTools(tools: unknown[]) {
      this.bound.push(...tools)
      return super.bindTools(tools)
    }
  }

  it('binds tools to the model inside it, and continues remembering', async () => {
    const session = recordingSession()
    const model = new Binding({ answer: async () => ({ type: 'tool-call', toolName: 'search', input: { query: 'port' } }) })
    const { tool_calls: calls } = await withHermes(model, session).bindTools([search]).invoke('What port?')
    expect(model.bound).toEqual([search])
    expect(calls).toMatchObject([{ name: 'search', args: { query: 'port' } }])
    expect(session.ended).toMatchObject([{ calledTools: true, reply: [{ toolNames: ['search'] }] }])
    expect(await session.ended[0]?.model?.({ ...ask, messages: [{ role: 'user', content: 'Anything?' }] })).toEqual({ text: '' })
    expect(session.begun).toHaveLength(1)
  })

  it('gives a structured answer of the model inside it, and continues remembering', async () => {
    const session = recordingSession()
    const model = new FakeListChatModel({ responses: ['{"port":4711}'] })
    const structured = withHermes(model, session).withStructuredOutput(z.object({ port: z.number() }), { method: 'jsonMode' })
    expect(await structured.invoke('What port?')).toEqual({ port: 4711 })
    expect(session.ended[0]?.reply).toEqual([{ role: 'assistant', text: '{"port":4711}' }])
  })

  it('says what kind of model it is, and has no more methods than the model inside it', () => {
    const session = recordingSession()
    const wrapped = withHermes(new ScriptedChatModel({ answer: () => Promise.reject(new Error('not asked')) }), session)
    expect([wrapped._modelType(), wrapped._llmType()]).toEqual(['base_chat_model', 'scripted'])
    const text = withHermes(new FakeLLM({}), session)
    expect([text._modelType(), 'bindTools' in text]).toEqual(['base_llm', false])
    expect('_modelType' in withHermes(RunnableLambda.from(() => new AIMessage('Fine.')) as never, session)).toBe(false)
  })

  it('works in an agent’s executor, one turn for each question', async () => {
    const session = recordingSession('chat')
    const model = new Binding({
      answer: async ({ messages }) =>
        messages.at(-1)?.role === 'user'
          ? { type: 'tool-call', toolName: 'search', input: { query: 'port' } }
          : textAnswer(`It is: ${messages.at(-1)?.text}`),
    })
    const template = ChatPromptTemplate.fromMessages([
      ['system', 'Be kind.'],
      ['human', '{input}'],
      new MessagesPlaceholder('agent_scratchpad'),
    ])
    const agent = createToolCallingAgent({ llm: withHermes(model, session) as never, tools: [search], prompt: template })
    const { output } = await new AgentExecutor({ agent, tools: [search] }).invoke({ input: 'What port?' })
    expect([output, model.bound]).toEqual(['It is: Port 4711.', [search]])
    expect(session.ended.map((step) => step.turnFinished)).toEqual([false, true])
  })

  it('never reviews a review, wrapped twice or not', async () => {
    const [inner, outer] = [recordingSession('chat'), recordingSession('chat')]
    const model = chat()
    await withHermes(withHermes(model, inner), outer).invoke('Hello')
    expect(await outer.ended[0]?.model?.(ask)).toEqual({ text: 'Fine.' })
    expect([inner.begun.length, outer.begun.length, model.calls.length]).toEqual([1, 1, 2])
  })
})
