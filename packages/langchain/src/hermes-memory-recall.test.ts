/** `HermesMemory` with recalled text, on every major of `@langchain/core`. */

import { createHermes, inMemoryBackend, type TurnMessage } from '@hermes/core'
import { fenceContext, type RecalledText } from '@hermes/core/adapter'
import type { MemoryProvider } from '@hermes/core/provider'
import { type RecordingSession, recordingSession } from '@hermes/testing'
import { ConversationChain, LLMChain } from '@langchain/classic/chains'
import { BufferMemory } from '@langchain/classic/memory'
import type { BaseMessage } from '@langchain/core/messages'
import { ChatPromptTemplate, MessagesPlaceholder, PromptTemplate } from '@langchain/core/prompts'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { describe, expect, it } from 'vitest'
import { HermesMemory } from './hermes-memory.ts'

const FENCE = fenceContext('The user likes tea.')

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
