import type { HostModelRequest } from '@hermes/core'
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { FakeListChatModel, FakeLLM } from '@langchain/core/utils/testing'
import { describe, expect, it } from 'vitest'
import { hostModel } from './host-model.ts'
import type { QuietConfig } from './quiet-config.ts'

const request = (mode: 'digest' | 'replay'): HostModelRequest => ({
  purpose: 'review',
  mode,
  system: mode === 'digest' ? 'Review.' : '',
  messages: [
    { role: 'user', content: 'Anything?' },
    { role: 'assistant', content: 'Hm.' },
    { role: 'user', content: 'JSON, please.' },
  ],
  schema: {},
  maxOutputTokens: 500,
  signal: new AbortController().signal,
})

const recordingModel = (answer: unknown = new AIMessage('{}')) => {
  const calls: { messages: BaseMessage[]; config: QuietConfig }[] = []
  const invoke = async (messages: BaseMessage[], config: QuietConfig): Promise<unknown> => {
    calls.push({ messages, config })
    return answer
  }
  return { calls, model: { invoke } }
}

const said = (messages: readonly BaseMessage[] | undefined) => messages?.map((message) => [message.getType(), message.content])

describe('hostModel', () => {
  it('asks in words, with the review’s own signal', async () => {
    const { calls, model } = recordingModel()
    const asked = request('digest')
    expect(await hostModel(model)(asked)).toEqual({ text: '{}' })
    expect(said(calls[0]?.messages)).toEqual([
      ['system', 'Review.'],
      ['human', 'Anything?'],
      ['ai', 'Hm.'],
      ['human', 'JSON, please.'],
    ])
    expect(calls[0]?.config.signal).toBe(asked.signal)
  })

  it('keeps the review out of the host’s streams and traces: the nostream tags, and no handler but a silent one', async () => {
    const { calls, model } = recordingModel()
    await hostModel(model, { configurable: { model: 'cheap' } })(request('digest'))
    const { tags, callbacks, runName, configurable } = calls[0]?.config ?? {}
    expect(tags).toEqual(['nostream', 'langsmith:nostream', 'hermes:review'])
    expect(callbacks?.map((handler) => handler.name)).toEqual(['langchain_tracer'])
    expect([runName, configurable]).toEqual(['hermes-review', { model: 'cheap' }])
  })

  it.each([
    [
      'the words of parts, reasoning left out',
      new AIMessage({
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: '{"a":1}' },
        ],
      }),
      { text: '{"a":1}' },
    ],
    ['the string of a text model', '{"a":1}', '{"a":1}'],
  ])('gives back %s', async (_what, answer, expected) => {
    expect(await hostModel(recordingModel(answer).model)(request('digest'))).toEqual(expected)
  })

  it('tells what the call used, and which model answered', async () => {
    const answer = Object.assign(new AIMessage('{}'), {
      usage_metadata: { input_tokens: 30, output_tokens: 5, total_tokens: 35, input_token_details: { cache_read: 20 } },
      response_metadata: { model_name: 'gpt-4o-mini-2024-07-18' },
    })
    expect(await hostModel(recordingModel(answer).model)(request('digest'))).toEqual({
      text: '{}',
      usage: { inputTokens: 30, cachedInputTokens: 20, outputTokens: 5 },
      model: 'gpt-4o-mini-2024-07-18',
    })
  })

  it('works with models that know no structured output', async () => {
    expect(await hostModel(new FakeListChatModel({ responses: ['{"chat":1}'] }))(request('digest'))).toEqual({ text: '{"chat":1}' })
    expect(await hostModel(new FakeLLM({ response: '{"text":1}' }))(request('digest'))).toBe('{"text":1}')
  })

  it('repeats the host’s own call as the prefix of a replay', async () => {
    const { calls, model } = recordingModel()
    const bound = recordingModel()
    const messages = [new SystemMessage('Be kind.'), new HumanMessage('Hello')]
    await hostModel(model, { last: { messages, reply: 'Hi.', model: bound.model } })(request('replay'))
    expect(calls).toEqual([])
    expect(said(bound.calls[0]?.messages)?.slice(0, 4)).toEqual([
      ['system', 'Be kind.'],
      ['human', 'Hello'],
      ['ai', 'Hi.'],
      ['human', 'Anything?'],
    ])
  })

  it('says what to do if there is no call to replay', async () => {
    await expect(hostModel(recordingModel().model)(request('replay'))).rejects.toThrow("mode: 'digest'")
  })

  it('rejects as the model does', async () => {
    const failure = new Error('429')
    await expect(hostModel({ invoke: () => Promise.reject(failure) })(request('digest'))).rejects.toBe(failure)
  })
})
