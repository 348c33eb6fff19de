import { createHermes, createHermesHomes, inMemoryBackend, type Session } from '@hermes/core'
import type { HermesWarning } from '@hermes/core/adapter'
import { recordingSession, textAnswer } from '@hermes/testing'
import { AgentExecutor, createToolCallingAgent } from '@langchain/classic/agents'
import { ConversationChain, LLMChain } from '@langchain/classic/chains'
import { BufferMemory, CombinedMemory, ConversationSummaryMemory } from '@langchain/classic/memory'
import type { BaseMemory } from '@langchain/core/memory'
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatPromptTemplate, MessagesPlaceholder, PromptTemplate } from '@langchain/core/prompts'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ScriptedChatModel } from '../test/support/scripted-chat-model.ts'
import { HermesMemory } from './hermes-memory.ts'
import type { HermesMemoryOptions } from './hermes-memory-options.ts'

class PromptRecorder extends FakeListChatModel {
  readonly prompts: string[] = []

  override async _generate(...[messages, ...rest]: Parameters<FakeListChatModel['_generate']>) {
    this.prompts.push(messages.map((message: BaseMessage) => String(message.content)).join('\n'))
    return super._generate(messages, ...rest)
  }
}

const fakeModel = () => new PromptRecorder({ responses: ['Fine.'] })

const setUp = (options: Partial<HermesMemoryOptions> = {}) => {
  const session = recordingSession()
  const warnings: HermesWarning[] = []
  const memory = new HermesMemory({ session, onWarning: (warning) => warnings.push(warning), ...options })
  return { session, memory, warnings }
}

const failing = (what: 'load' | 'save', more: object = {}): BaseMemory =>
  Object.assign(new BufferMemory(), more, {
    [what === 'load' ? 'loadMemoryVariables' : 'saveContext']: () => Promise.reject(new Error('redis is down')),
  })

describe('HermesMemory in a ConversationChain', () => {
  it('comes before the history, the default prompt unchanged', async () => {
    const llm = fakeModel()
    const chain = new ConversationChain({ llm })
    chain.memory = setUp({ memory: chain.memory }).memory
    await chain.invoke({ input: 'Hello' })
    await chain.invoke({ input: 'Again' })
    expect(llm.prompts[0]).toContain('Current conversation:\nBLOCK\n\nHuman: Hello\nAI:')
    expect(llm.prompts[1]).toContain('Current conversation:\nBLOCK\n\nHuman: Hello\nAI: Fine.\nHuman: Again\nAI:')
  })

  it('passes braces in what is remembered through unread', async () => {
    const llm = fakeModel()
    const chain = new ConversationChain({ llm })
    const session = recordingSession('chat', 'Uses {curly} {{braces}} and {history}')
    chain.memory = new HermesMemory({ session, memory: chain.memory })
    await chain.invoke({ input: 'Hello {you}' })
    expect(llm.prompts[0]).toContain('Uses {curly} {{braces}} and {history}\n\nHuman: Hello {you}')
  })

  it('records each call as one turn, with invoke, stream and batch', async () => {
    const chain = new ConversationChain({ llm: fakeModel() })
    const { memory, session } = setUp({ memory: chain.memory })
    chain.memory = memory
    await chain.invoke({ input: 'One' })
    for await (const _ of await chain.stream({ input: 'Two' }));
    await chain.batch([{ input: 'Same' }, { input: 'Same' }, { input: 'Other' }])
    expect(session.turns.map((turn) => turn.messages.map((message) => message.text))).toEqual(
      ['One', 'Two', 'Same', 'Same', 'Other'].map((text) => [text, 'Fine.']),
    )
  })

  it('leaves the prompt as it was when nothing is remembered', async () => {
    const llm = fakeModel()
    const chain = new ConversationChain({ llm })
    chain.memory = new HermesMemory({ session: recordingSession('chat', ''), memory: chain.memory })
    await chain.invoke({ input: 'Hello' })
    expect(llm.prompts[0]).toContain('Current conversation:\n\nHuman: Hello')
  })

  it('decorates a memory that summarises, and the summary never sees the block', async () => {
    const llm = fakeModel()
    const chain = new ConversationChain({ llm })
    chain.memory = setUp({ memory: new ConversationSummaryMemory({ llm }) }).memory
    await chain.invoke({ input: 'Hello' })
    await chain.invoke({ input: 'Again' })
    const summaries = llm.prompts.filter((prompt) => prompt.includes('Progressively summarize'))
    expect(summaries).toHaveLength(2)
    for (const prompt of summaries) expect(prompt).not.toContain('BLOCK')
    expect(llm.prompts.filter((prompt) => prompt.includes('BLOCK'))).toHaveLength(2)
  })

  it('does not count another answer to the same question', async () => {
    const chain = new ConversationChain({ llm: fakeModel() })
    const { memory, session } = setUp({ memory: chain.memory })
    chain.memory = memory
    await chain.invoke({ input: 'yes' })
    await chain.invoke({ input: 'yes' })
    expect(session.turns).toHaveLength(2)
    await memory.clear()
    expect((await memory.loadMemoryVariables({ input: '?' }))['history']).toBe('BLOCK\n')
    await chain.invoke({ input: 'Hello' })
    await memory.clear()
    await chain.invoke({ input: 'Hello' })
    expect(session.turns).toHaveLength(3)
  })
})

describe('clearing the memory', () => {
  const ending = (end: () => ReturnType<Session['end']>) => {
    const warnings: HermesWarning[] = []
    const session = recordingSession('chat', 'BLOCK', { end })
    const inner = new BufferMemory()
    return { inner, warnings, memory: new HermesMemory({ session, memory: inner, onWarning: (warning) => warnings.push(warning) }) }
  }

  it('ends the session, and does not wait for what is learned from it', async () => {
    const { inner, memory } = ending(() => new Promise(() => {}))
    await memory.saveContext({ input: 'Hello' }, { response: 'Fine.' })
    await memory.clear()
    expect(await inner.loadMemoryVariables({})).toEqual({ history: '' })
  })

  it('never fails because the session does', async () => {
    const rejecting = ending(() => Promise.reject(new Error('a defect')))
    const throwing = ending(() => {
      throw new Error('a defect')
    })
    for (const { memory } of [rejecting, throwing]) await memory.clear()
    await Promise.resolve()
    for (const { warnings } of [rejecting, throwing]) expect(warnings).toMatchObject([{ code: 'unexpected' }])
  })

  it('reviews a short conversation, so that the next one knows what was said', async () => {
    const hermes = createHermes({ storage: inMemoryBackend(), nudge: { minTurns: 1 } })
    const proposal = { target: 'user', op: { action: 'add', content: 'Lives in Lisbon' }, rationale: 'said', score: 0.9, evidence: [] }
    const llm = new FakeListChatModel({ responses: ['Fine.', JSON.stringify({ proposals: [proposal] })] })
    const chain = new ConversationChain({ llm })
    const memory = new HermesMemory({ session: hermes.session('chat'), memory: chain.memory, model: llm })
    chain.memory = memory
    await chain.invoke({ input: 'I live in Lisbon' })
    await memory.clear()
    await hermes.settled()
    expect(await hermes.session('next').systemBlock()).toContain('Lives in Lisbon')
  })
})

describe('HermesMemory in an LLMChain', () => {
  it('is a memory of its own if the chain had none', async () => {
    const llm = fakeModel()
    const { memory, session } = setUp()
    const chain = new LLMChain({ llm, prompt: PromptTemplate.fromTemplate('{hermes_memory}\n\n{question}'), memory })
    expect(await chain.invoke({ question: 'Who am I?' })).toMatchObject({ text: 'Fine.' })
    await chain.invoke({ question: 'Who am I?' })
    expect(llm.prompts[0]).toBe('BLOCK\n\nWho am I?')
    // Without a history, repeated text is a new turn.
    expect(session.turns).toHaveLength(2)
  })

  it('counts documents among the inputs and outputs as text from outside', async () => {
    const { memory, session, warnings } = setUp({ inputKey: 'question', outputKey: 'answer' })
    await memory.saveContext(
      { question: 'When?', context: 'The page says: obey.' },
      { answer: 'Now.', sourceDocuments: [{ pageContent: 'Obey.' }] },
    )
    expect(session.turns[0]?.messages).toEqual([
      { role: 'user', text: 'When?' },
      { role: 'user', text: 'context: The page says: obey.', outside: true },
      { role: 'tool', text: 'sourceDocuments: [{"pageContent":"Obey."}]' },
      { role: 'assistant', text: 'Now.' },
    ])
    expect(warnings).toEqual([])
  })

  it('takes only the speaker’s own words out of messages, as the user’s and as the answer', async () => {
    const { memory, session } = setUp()
    const file = { type: 'file', filename: 'plan.md', mimeType: 'text/plain', text: 'Obey the plan.' }
    const input = [
      new HumanMessage({ content: [{ type: 'text', text: 'When?' }, file] }),
      new AIMessage('Perhaps now.'),
      new ToolMessage({ content: 'Obey the tool.', tool_call_id: 'call-1', name: 'search' }),
    ]
    const found = { type: 'web_search_tool_result', content: 'Obey the page.' }
    await memory.saveContext({ input }, { response: new AIMessage({ content: [found, { type: 'text', text: 'Now.' }] }) })
    expect(session.turns[0]?.messages).toEqual([
      { role: 'user', text: 'When?' },
      { role: 'user', text: '[file: plan.md, text/plain]\nObey the plan.', outside: true },
      { role: 'user', text: 'Perhaps now.', outside: true },
      { role: 'user', text: 'Obey the tool.', outside: true },
      { role: 'tool', text: 'Obey the page.' },
      { role: 'assistant', text: 'Now.' },
    ])
  })

  it('takes the keys of the memory it decorates, messages included', async () => {
    const { memory, session } = setUp({ memory: new BufferMemory({ inputKey: 'question', outputKey: 'answer' }) })
    await memory.saveContext({ question: 'When?', language: 'en' }, { answer: new AIMessage('Now.'), cost: 3 })
    expect(session.turns[0]?.messages.map((message) => message.text)).toEqual(['When?', 'language: en', 'cost: 3', 'Now.'])
  })

  it('counts the steps in which an agent’s executor ran tools', async () => {
    const { session, memory } = setUp({ outputKey: 'output' })
    const step = { action: { tool: 'search', toolInput: 'x', log: '' }, observation: 'Nothing.' }
    await memory.saveContext({ input: 'When?' }, { output: 'Now.', intermediateSteps: [step, step] })
    await memory.saveContext({ input: 'And then?' }, { output: 'Later.', intermediateSteps: ['a query', 'its result'] })
    await memory.saveContext({ input: 'Thanks' }, { output: 'Bye.' })
    expect(session.turns.map((turn) => turn.toolIterations)).toEqual([2, 0, 0])
  })

  it('takes nobody’s words for the user’s when it cannot tell them apart, and says so', async () => {
    const { memory, session, warnings } = setUp()
    await memory.saveContext({ question: 'When?', context: 'Obey.' }, { answer: 'Now.', score: '1' })
    expect(session.turns[0]?.messages).toEqual([
      { role: 'user', text: '' },
      { role: 'user', text: 'question: When?', outside: true },
      { role: 'user', text: 'context: Obey.', outside: true },
      { role: 'tool', text: 'answer: Now.' },
      { role: 'tool', text: 'score: 1' },
      { role: 'assistant', text: '' },
    ])
    expect(warnings.map(({ code, message }) => [code, /inputKey|outputKey/.exec(message)?.[0]])).toEqual([
      ['ambiguous-values', 'inputKey'],
      ['ambiguous-values', 'outputKey'],
    ])
  })

  it('counts each turn when it cannot tell the user’s words, and when the history does not grow because it was not saved', async () => {
    const prompt = PromptTemplate.fromTemplate('{history} {a} {b}')
    const { memory, session } = setUp({ memory: new BufferMemory() })
    const chain = new LLMChain({ llm: fakeModel(), prompt, memory })
    for (const a of ['One', 'Two', 'Three', 'Three']) await chain.invoke({ a, b: 'x' })
    expect(session.turns).toHaveLength(4)
  })

  it('does not take settings of the call or variables of its own for inputs', async () => {
    const { memory, session } = setUp()
    await memory.saveContext({ question: 'When?', hermes_memory: 'x', stop: ['.'], signal: new AbortController().signal }, { text: 'Now.' })
    expect(session.turns[0]?.messages.map((message) => message.text)).toEqual(['When?', 'Now.'])
  })
})

describe('HermesMemory in an agent’s executor', () => {
  const search = new DynamicStructuredTool({
    name: 'search',
    description: 'Searches.',
    schema: z.object({}),
    func: async () => 'Port 4711.',
  })

  const template = ChatPromptTemplate.fromMessages([
    ['system', 'Be kind.\n\n{hermes_memory}'],
    new MessagesPlaceholder('chat_history'),
    ['human', '{input}'],
    new MessagesPlaceholder('agent_scratchpad'),
  ])

  it('records the question, the steps and the answer, and nothing that the executor hands back of its inputs', async () => {
    const llm = new ScriptedChatModel({
      answer: async ({ messages }) =>
        messages.at(-1)?.text === 'What port?' ? { type: 'tool-call', toolName: 'search', input: {} } : textAnswer('Fine.'),
    })
    const inner = new BufferMemory({ memoryKey: 'chat_history', returnMessages: true, inputKey: 'input', outputKey: 'output' })
    const { memory, session, warnings } = setUp({ inject: 'variable', memory: inner })
    const agent = createToolCallingAgent({ llm, tools: [search], prompt: template })
    const executor = new AgentExecutor({ agent, tools: [search], memory, returnIntermediateSteps: true })
    await executor.invoke({ input: 'Hello' })
    await executor.invoke({ input: 'What port?' })
    expect(session.turns.map((turn) => turn.messages)).toEqual([
      [
        { role: 'user', text: 'Hello' },
        { role: 'assistant', text: 'Fine.' },
      ],
      [
        { role: 'user', text: 'What port?' },
        { role: 'assistant', text: '', toolNames: ['search'] },
        { role: 'tool', text: 'Port 4711.', toolNames: ['search'] },
        { role: 'assistant', text: 'Fine.' },
      ],
    ])
    expect(session.turns.map((turn) => turn.toolIterations)).toEqual([0, 1])
    expect(warnings).toEqual([])
  })

  it('keeps an output of an input’s name that says something else, and an only output whatever it is called', async () => {
    const { memory, session } = setUp({ inputKey: 'question', outputKey: 'answer' })
    await memory.saveContext({ question: 'When?', context: 'Page 1' }, { answer: 'Now.', question: 'When?', context: 'Page 2' })
    expect(session.turns[0]?.messages.slice(2)).toEqual([
      { role: 'tool', text: 'context: Page 2' },
      { role: 'assistant', text: 'Now.' },
    ])
    const other = setUp()
    await other.memory.saveContext({ text: 'Echo' }, { text: 'Echo' })
    expect(other.session.turns[0]?.messages).toEqual([
      { role: 'user', text: 'Echo' },
      { role: 'assistant', text: 'Echo' },
    ])
  })

  it('reads the words of messages deep inside an output, and no serialised objects', async () => {
    const { memory, session } = setUp({ outputKey: 'output' })
    const trace = [{ message: new ToolMessage({ content: 'Obey the tool.', tool_call_id: 'call-1' }), model: fakeModel() }]
    await memory.saveContext({ input: 'When?' }, { output: 'Now.', trace })
    expect(session.turns[0]?.messages[1]?.text).toBe('trace: [{"message":"Obey the tool.","model":"[PromptRecorder]"}]')
  })
})

describe('HermesMemory, when something fails', () => {
  it.each([
    ['text', failing('load'), ''],
    ['messages', failing('load', { returnMessages: true }), []],
  ])('continues without the history of %s that cannot be read, and says so', async (_what, inner, empty) => {
    const { memory, warnings } = setUp({ memory: inner, inject: 'variable' })
    expect(await memory.loadMemoryVariables({ input: 'Hello' })).toEqual({ history: empty, hermes_memory: 'BLOCK' })
    expect(warnings).toMatchObject([{ code: 'inner-memory', message: expect.stringContaining('redis is down') }])
  })

  it('answers, though the chain’s own memory neither reads nor saves', async () => {
    const chain = new ConversationChain({ llm: fakeModel() })
    const { memory, session, warnings } = setUp({ memory: failing('save') })
    chain.memory = memory
    expect(await chain.invoke({ input: 'Hello' })).toMatchObject({ response: 'Fine.' })
    expect(warnings.map((warning) => warning.code)).toEqual(['inner-memory'])
    expect(session.turns).toHaveLength(1)
  })

  it('answers, though the chain has two inputs and its own memory refuses them', async () => {
    const prompt = PromptTemplate.fromTemplate('{history} {question} {context}')
    const { memory, warnings } = setUp({ memory: new BufferMemory() })
    const chain = new LLMChain({ llm: fakeModel(), prompt, memory })
    expect(await chain.invoke({ question: 'When?', context: 'x' })).toMatchObject({ text: 'Fine.' })
    expect(warnings.map((warning) => warning.code)).toEqual(['inner-memory', 'ambiguous-values'])
  })

  it.each([
    ['systemBlock', { systemBlock: () => Promise.reject(new Error('broken')) }],
    [
      'recordTurn',
      {
        recordTurn: () => {
          throw new Error('broken')
        },
      },
    ],
  ])('continues without Hermes when %s breaks its promise', async (_what, broken) => {
    const chain = new ConversationChain({ llm: fakeModel() })
    const { memory, warnings } = setUp({ session: recordingSession('chat', 'BLOCK', broken), memory: chain.memory })
    chain.memory = memory
    expect(await chain.invoke({ input: 'Hello' })).toMatchObject({ response: 'Fine.' })
    expect(warnings.map((warning) => warning.code)).toEqual(['unexpected'])
  })

  it('survives a listener that throws', async () => {
    const onWarning = () => {
      throw new Error('listener')
    }
    await new HermesMemory({ session: recordingSession(), memory: failing('save'), onWarning }).saveContext({ input: 'a' }, { output: 'b' })
  })

  it('survives a listener that fails later', async () => {
    const unhandled: unknown[] = []
    const listen = (cause: unknown) => unhandled.push(cause)
    process.on('unhandledRejection', listen)
    const { memory } = setUp({ onWarning: () => Promise.reject(new Error('the log is down')) })
    await memory.saveContext({ a: '1', b: '2' }, { response: 'Fine.' })
    // Waits until all microtasks have run, since the warning comes later.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', listen)
    expect(unhandled).toEqual([])
  })

  it('tells a review without a model as an event, not to the chain', async () => {
    const failures: string[] = []
    const onEvent = (event: { readonly type: string }) => failures.push(event.type)
    const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1 }, onEvent })
    const chain = new ConversationChain({ llm: fakeModel() })
    chain.memory = new HermesMemory({ session: hermes.session('chat'), memory: chain.memory })
    expect(await chain.invoke({ input: 'Hello' })).toMatchObject({ response: 'Fine.' })
    await hermes.settled()
    expect(failures).toContain('review-failed')
  })

  it('leaves a history alone that nothing can be folded into, and says so', async () => {
    const inner = Object.assign(new BufferMemory(), { loadMemoryVariables: async () => ({ history: { odd: true } }) })
    const { memory, warnings } = setUp({ memory: inner })
    expect(await memory.loadMemoryVariables({ input: 'a' })).toEqual({ history: { odd: true } })
    expect(warnings).toMatchObject([{ code: 'invalid-option' }])
  })
})

describe('HermesMemory, wiring that cannot work', () => {
  const messages = new BufferMemory({ returnMessages: true })
  const two = new CombinedMemory({
    memories: [new BufferMemory({ memoryKey: 'a', inputKey: 'i' }), new BufferMemory({ memoryKey: 'b', inputKey: 'i' })],
  })

  it.each<[string, object, RegExp]>([
    ['no session', { session: undefined }, /hermes\.session\('chat-42'\)/],
    ['the Hermes object', { session: createHermes({ storage: inMemoryBackend() }) }, /one session/],
    ['homes', { session: createHermesHomes({ storage: inMemoryBackend() }) }, /homes\.for\(userId\)\.session\(chatId\)/],
    ['a function', { session: () => recordingSession() }, /create the memory, and its chain, for each conversation/],
    ['a memory that is none', { memory: {} }, /chain\.memory/],
    ['a model’s name', { model: 'gpt-5' }, /model object/],
    ['an unknown way', { inject: 'append' }, /'fold' or 'variable'/],
    ['a fold without a memory', { inject: 'fold' }, /use 'variable'/],
    ['a history of messages and no choice', { memory: messages }, /second system message/],
    ['a variable that the memory fills', { memory: new BufferMemory(), inject: 'variable', memoryKey: 'history' }, /fills the variable/],
    ['a variable to fold into that is not there', { memory: two, memoryKey: 'c' }, /it has 'a', 'b'/],
    ['a variable that is the input', { memoryKey: 'input', inputKey: 'input' }, /at once/],
    ['the input of the memory', { memory: new BufferMemory({ inputKey: 'q' }), inject: 'variable', memoryKey: 'q' }, /at once/],
    ['an empty variable', { memoryKey: '' }, /empty/],
  ])('refuses %s at construction', (_what, options, reason) => {
    expect(() => new HermesMemory({ session: recordingSession(), ...options } as HermesMemoryOptions)).toThrow(TypeError)
    expect(() => new HermesMemory({ session: recordingSession(), ...options } as HermesMemoryOptions)).toThrow(reason)
  })

  it('takes a history of messages once the way is named', async () => {
    const folded = await setUp({ memory: messages, inject: 'fold' }).memory.loadMemoryVariables({ input: 'a' })
    expect(folded['history']).toMatchObject([{ content: 'BLOCK' }])
    expect(setUp({ memory: two, memoryKey: 'b' }).memory.memoryKeys).toEqual(['a', 'b'])
    expect(setUp({ memory: messages, inject: 'variable' }).memory.memoryKeys).toEqual(['history', 'hermes_memory'])
  })
})
