/** Recalled text in `withHermes`, and the parts that place and scrub it, on every major of `@langchain/core`. */

import { createHermes, inMemoryBackend, type TurnMessage } from '@hermes/core'
import { fenceContext, type RecalledText } from '@hermes/core/adapter'
import type { MemoryProvider } from '@hermes/core/provider'
import { type RecordingSession, recordingSession } from '@hermes/testing'
import { ConversationChain, LLMChain } from '@langchain/classic/chains'
import { BufferMemory } from '@langchain/classic/memory'
import { BaseCallbackHandler } from '@langchain/core/callbacks/base'
import { AIMessage, AIMessageChunk, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { ChatPromptTemplate, MessagesPlaceholder, PromptTemplate } from '@langchain/core/prompts'
import { concat } from '@langchain/core/utils/stream'
import { FakeListChatModel, FakeStreamingChatModel, FakeStreamingLLM } from '@langchain/core/utils/testing'
import { describe, expect, it } from 'vitest'
import { HermesMemory } from './hermes-memory.ts'
import { originalReasonings } from './original-reasoning.ts'
import { placeRecalled } from './place-recalled.ts'
import { chunkScrubber, scrubAnswer } from './scrub-message.ts'
import { withHermes } from './with-hermes.ts'

const FENCE = fenceContext('The user likes tea.')
const ANSWER = `Sure: <memo\n- ${FENCE}\nYou like tea <`
const SHOWN = 'Sure: <memo\n- \nYou like tea <'
const scrubbing = { fences: [FENCE], onReasoning: (): void => undefined }
const marked = { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } } as const
const image = { type: 'image_url', image_url: 'data:image/png;base64,AA==' } as const

const cut = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []

describe('placeRecalled', () => {
  it.each([
    ['a text', 'Hi', `Hi\n\n${FENCE}`],
    ['the last text part, before an image', [{ type: 'text', text: 'Hi' }, image], [{ type: 'text', text: `Hi\n\n${FENCE}` }, image]],
    ['a part with a cache breakpoint', [marked, image], [marked, { type: 'text', text: `\n\n${FENCE}` }, image]],
    ['an image alone', [image], [image, { type: 'text', text: FENCE }]],
    ['a text that has it', `Hi\n\n${FENCE}`, `Hi\n\n${FENCE}`],
  ])('appends to %s, in a copy', (_, content, expected) => {
    const host = new HumanMessage({ content: content as never, id: 'm1' })
    const [placed] = placeRecalled([host], new Map([[0, FENCE]]))
    expect(placed?.content).toEqual(expected)
    expect(placed).toBeInstanceOf(HumanMessage)
    expect(placed).toMatchObject({ id: 'm1' })
    expect(host.content).toEqual(content)
    expect(JSON.stringify(placed?.toJSON())).toContain('memory-context')
  })

  it('finds its message among several of the user’s, and skips what a middleware made up', () => {
    const summary = new HumanMessage({ content: 'Summary', additional_kwargs: { lc_source: 'summarization' } })
    const messages = [new SystemMessage('Be kind.'), summary, new HumanMessage('one'), new HumanMessage('two')]
    const placed = placeRecalled(messages, new Map([[1, FENCE]]))
    expect(placed.map(({ content }) => content)).toEqual(['Be kind.', 'Summary', 'one', `two\n\n${FENCE}`])
  })

  it('gives the same array if nothing was recalled', () => {
    const messages = [new HumanMessage('Hi')]
    expect(placeRecalled(messages, new Map())).toBe(messages)
  })
})

describe('scrubAnswer', () => {
  it.each([
    ['a text', ANSWER, SHOWN],
    ['text parts', [{ type: 'text', text: ANSWER }, image], [{ type: 'text', text: SHOWN }, image]],
    ['thinking', [{ type: 'thinking', thinking: ANSWER, signature: 's' }], [{ type: 'thinking', thinking: SHOWN, signature: 's' }]],
    ['reasoning', [{ type: 'reasoning', reasoning: ANSWER }], [{ type: 'reasoning', reasoning: SHOWN }]],
  ])('scrubs %s of a message, in a copy', (_, content, expected) => {
    const message = new AIMessage({ content: content as never, tool_calls: [{ id: '1', name: 'look', args: { q: FENCE } }] })
    const shown = scrubAnswer(message, scrubbing)
    expect(shown.content).toEqual(expected)
    expect(shown).toBeInstanceOf(AIMessage)
    expect(shown.tool_calls).toEqual(message.tool_calls)
    expect(message.content).toEqual(content)
  })

  it('scrubs reasoning beside the content, and the text of a text model', () => {
    const extras = { reasoning_content: ANSWER, reasoning: { id: 'r', summary: [{ type: 'summary_text', text: ANSWER }] }, other: FENCE }
    const shown = scrubAnswer(new AIMessage({ content: '', additional_kwargs: extras }), scrubbing)
    expect(shown.additional_kwargs).toEqual({
      reasoning_content: SHOWN,
      reasoning: { id: 'r', summary: [{ type: 'summary_text', text: SHOWN }] },
      other: FENCE,
    })
    expect(scrubAnswer(ANSWER, scrubbing)).toBe(SHOWN)
  })

  it('gives the same object if nothing is repeated', () => {
    const message = new AIMessage('Fine.')
    expect(scrubAnswer(message, scrubbing)).toBe(message)
  })
})

describe('chunkScrubber', () => {
  it('shows the same however the answer is cut, and passes usage as it is', () => {
    const usage = new AIMessageChunk({ content: '', usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } } as {
      content: string
    })
    for (let size = 1; size <= ANSWER.length; size++) {
      const scrubber = chunkScrubber(scrubbing)
      const shown = cut(ANSWER, size).map((text) => scrubber.chunk(new AIMessageChunk({ content: text, id: 'a' })))
      expect(scrubber.chunk(usage)).toBe(usage)
      const whole = [...shown, usage, ...(scrubber.end() as AIMessageChunk[])].reduce((all, each) => concat(all, each))
      expect(whole.content).toBe(SHOWN)
      expect(whole.usage_metadata).toMatchObject({ input_tokens: 1, output_tokens: 2, total_tokens: 3 })
    }
  })

  it('scrubs the parts of an answer apart', () => {
    const scrubber = chunkScrubber(scrubbing)
    const chunks = cut(ANSWER, 3).map((text) =>
      scrubber.chunk(
        new AIMessageChunk({
          content: [
            { type: 'thinking', thinking: text, index: 0 },
            { type: 'text', text, index: 1 },
          ] as never,
        }),
      ),
    )
    const whole = [...chunks, ...(scrubber.end() as AIMessageChunk[])].reduce((all, each) => concat(all, each))
    expect(whole.content).toEqual([
      { type: 'thinking', thinking: SHOWN, index: 0 },
      { type: 'text', text: SHOWN, index: 1 },
    ])
  })
})

describe('originalReasonings', () => {
  it('sends reasoning back as its model wrote it, since providers sign it', () => {
    const reasoningOf = originalReasonings()
    const { note, restore } = reasoningOf(recordingSession())
    const messages = [new HumanMessage('Hm.'), new AIMessage({ content: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }] as never })]
    expect(restore(messages)).toBe(messages)
    note('Hm.', ANSWER)
    expect(restore(messages).map(({ content }) => content)).toEqual(['Hm.', [{ type: 'thinking', thinking: ANSWER, signature: 's' }]])
    expect(reasoningOf(recordingSession('of another owner')).restore(messages)).toBe(messages)
    expect(messages[1]?.content).toEqual([{ type: 'thinking', thinking: 'Hm.', signature: 's' }])
  })
})

describe('withHermes with recalled text', () => {
  const recall = async (): Promise<readonly RecalledText[]> => [{ index: 0, text: FENCE }]
  const sessionOf = () => recordingSession('chat', 'BLOCK', { recall })

  class Seen extends FakeListChatModel {
    readonly prompts: BaseMessage[][] = []

    override async _generate(...given: Parameters<FakeListChatModel['_generate']>) {
      this.prompts.push(given[0])
      return super._generate(...given)
    }
  }

  it('shows it to the model on the user’s message only, and to the host not at all', async () => {
    const session = sessionOf()
    const model = new Seen({ responses: [ANSWER] })
    const input = [new SystemMessage('Be kind.'), new HumanMessage('Hello')]
    const answer = await withHermes(model, session).invoke(input)
    expect(answer.content).toBe(SHOWN)
    expect(model.prompts[0]?.map(({ content }) => content)).toEqual(['Be kind.\n\nBLOCK', `Hello\n\n${FENCE}`])
    expect(input.map(({ content }) => content)).toEqual(['Be kind.', 'Hello'])
    expect(session.ended[0]?.reply).toEqual([{ role: 'assistant', text: SHOWN }])
  })

  it('scrubs a stream, the tokens that listeners receive, and what they receive at the end', async () => {
    const heard = { tokens: '', chunks: '', end: '' }
    class Listener extends BaseCallbackHandler {
      readonly name = 'listener'
      override handleLLMNewToken(...[token, , , , , fields]: Parameters<NonNullable<BaseCallbackHandler['handleLLMNewToken']>>): void {
        heard.tokens += token
        const chunk = fields?.chunk
        if (chunk !== undefined && 'message' in chunk) heard.chunks += String((chunk.message as BaseMessage).content)
      }
      override handleLLMEnd(...[output]: Parameters<NonNullable<BaseCallbackHandler['handleLLMEnd']>>): void {
        heard.end += output.generations[0]?.[0]?.text
      }
    }
    const session = sessionOf()
    const chunks = cut(ANSWER, 5).map((text) => new AIMessageChunk(text))
    const model = withHermes(new FakeStreamingChatModel({ chunks, sleep: 0 }), session)
    let streamed = ''
    const stream = await model.stream('Hello', { callbacks: [new Listener()] })
    for await (const chunk of stream) streamed += String(chunk.content)
    expect(streamed).toBe(SHOWN)
    expect(heard).toEqual({ tokens: SHOWN, chunks: SHOWN, end: SHOWN })
    expect(session.ended[0]?.reply).toEqual([{ role: 'assistant', text: SHOWN }])
  })

  it('shows what it held back before it passes a failure on', async () => {
    const failure = new Error('cut off')
    class Broken extends FakeListChatModel {
      override async *_streamResponseChunks() {
        yield new ChatGenerationChunk({ text: 'a <mem', message: new AIMessageChunk('a <mem') })
        throw failure
      }
    }
    const session = sessionOf()
    let streamed = ''
    const read = async (): Promise<void> => {
      for await (const chunk of await withHermes(new Broken({ responses: [] }), session).stream('Hello')) streamed += String(chunk.content)
    }
    await expect(read()).rejects.toBe(failure)
    expect(streamed).toBe('a <mem')
    expect(session.ended).toEqual([])
  })

  it('scrubs what a text model answers and streams', async () => {
    const model = withHermes(new FakeStreamingLLM({ responses: [ANSWER, ANSWER], sleep: 0 }), sessionOf())
    expect(await model.invoke('Hello')).toBe(SHOWN)
    let streamed = ''
    for await (const chunk of await model.stream('Hello')) streamed += chunk
    expect(streamed).toBe(SHOWN)
  })

  it('passes the same objects if nothing was recalled', async () => {
    const answer = await withHermes(new FakeListChatModel({ responses: [ANSWER] }), recordingSession()).invoke('Hello')
    expect(answer.content).toBe(ANSWER)
  })
})

class PromptRecorder extends FakeListChatModel {
  readonly prompts: string[] = []

  override async _generate(...[messages, ...rest]: Parameters<FakeListChatModel['_generate']>) {
    this.prompts.push(messages.map((message: BaseMessage) => String(message.content)).join('\n'))
    return super._generate(messages, ...rest)
  }
}

const setUp = () => {
  const asked: (readonly TurnMessage[])[] = []
  const recall = async (prompt: readonly TurnMessage[]): Promise<readonly RecalledText[]> => {
    asked.push(prompt)
    return [{ index: prompt.length - 1, text: FENCE }]
  }
  const session: RecordingSession = recordingSession('chat', 'BLOCK', { recall })
  return { asked, session }
}

describe('HermesMemory with recallKey', () => {
  it('puts recalled text into a variable of its own, which the history never shows', async () => {
    const { asked, session } = setUp()
    const llm = new PromptRecorder({ responses: [`${FENCE}\nTea?`, 'Fine.'] })
    const memory = new HermesMemory({ session, memory: new BufferMemory(), recallKey: 'hermes_recall' })
    const prompt = PromptTemplate.fromTemplate('{history}\nHuman: {input}\n\n{hermes_recall}\nAI:')
    const chain = new ConversationChain({ llm, prompt, memory })
    await chain.invoke({ input: 'Hello' })
    await chain.invoke({ input: 'Again' })
    expect(llm.prompts[0]).toBe(`BLOCK\n\nHuman: Hello\n\n${FENCE}\nAI:`)
    expect(llm.prompts[1]).toBe(`BLOCK\n\nHuman: Hello\nAI: \nTea?\nHuman: Again\n\n${FENCE}\nAI:`)
    expect(asked).toEqual([[{ role: 'user', text: 'Hello' }], [{ role: 'user', text: 'Again' }]])
    expect(session.turns[0]?.messages).toEqual([
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: '\nTea?' },
    ])
  })

  it('asks with the history if the chain keeps messages', async () => {
    const { asked, session } = setUp()
    const llm = new PromptRecorder({ responses: ['Fine.'] })
    const memory = new HermesMemory({
      session,
      memory: new BufferMemory({ returnMessages: true }),
      inject: 'variable',
      recallKey: 'hermes_recall',
    })
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', '{hermes_memory}'],
      new MessagesPlaceholder('history'),
      ['human', '{input}\n\n{hermes_recall}'],
    ])
    const chain = new LLMChain({ llm, prompt, memory })
    await chain.invoke({ input: 'Hello' })
    await chain.invoke({ input: 'Again' })
    expect(llm.prompts[1]).toBe(`BLOCK\nHello\nFine.\nAgain\n\n${FENCE}`)
    expect(asked[1]).toEqual([
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Fine.' },
      { role: 'user', text: 'Again' },
    ])
  })

  it('learns nothing from what was recalled, which counts as text from outside', async () => {
    const provider: MemoryProvider = { name: 'test', initialize: () => ({ prefetch: async () => 'The user likes tea.' }) }
    const requests: string[] = []
    const hermes = createHermes({
      storage: inMemoryBackend(),
      memory: { provider },
      nudge: { memoryInterval: 1 },
      review: {
        model: async ({ messages }) => {
          requests.push(JSON.stringify(messages))
          return '{"proposals":[]}'
        },
      },
    })
    const memory = new HermesMemory({ session: hermes.session('chat'), memory: new BufferMemory(), recallKey: 'hermes_recall' })
    const prompt = PromptTemplate.fromTemplate('{history}\nHuman: {input}\n\n{hermes_recall}\nAI:')
    const llm = new PromptRecorder({ responses: [`${FENCE}\nTea, as always?`] })
    const chain = new ConversationChain({ llm, prompt, memory })
    await chain.invoke({ input: 'Hello' })
    await hermes.settled()
    expect(llm.prompts[0]).toContain(FENCE)
    expect(requests).not.toEqual([])
    // The first pass reads the user's own words; an answer that recalled text was in sight of is none of them.
    expect(requests[0]).not.toMatch(/Tea, as always/)
    for (const request of requests) expect(request).not.toMatch(/likes tea|memory-context/)
  })

  it('fills the variable with nothing if nothing is recalled, or if Hermes fails', async () => {
    const quiet = new HermesMemory({ session: recordingSession(), recallKey: 'hermes_recall' })
    expect(await quiet.loadMemoryVariables({ input: 'Hello' })).toEqual({ hermes_memory: 'BLOCK', hermes_recall: '' })
    const recall = () => Promise.reject(new Error('broken'))
    const broken = new HermesMemory({
      session: recordingSession('chat', 'BLOCK', { recall }),
      recallKey: 'hermes_recall',
      onWarning: () => {},
    })
    expect(await broken.loadMemoryVariables({ input: 'Hello' })).toEqual({ hermes_memory: '', hermes_recall: '' })
  })

  it('asks for nothing without the option', async () => {
    const { asked, session } = setUp()
    await new HermesMemory({ session }).loadMemoryVariables({ input: 'Hello' })
    expect(asked).toEqual([])
  })

  it.each(['', 'history', 'hermes_memory', 'input'])('refuses a variable that is in use: %j', (recallKey) => {
    const memory = new BufferMemory({ inputKey: 'input', memoryKey: 'history' })
    expect(() => new HermesMemory({ session: recordingSession(), memory, inject: 'variable', recallKey })).toThrow(/recallKey/)
  })
})
