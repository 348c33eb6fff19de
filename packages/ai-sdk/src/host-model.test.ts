import type { HostModelRequest } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import { hostModel } from './host-model.ts'
import type { CallParams, GenerateResult } from './provider-protocol.ts'
import type { ReviewUsage } from './token-usage.ts'

const request = (mode: 'digest' | 'replay'): HostModelRequest => ({
  purpose: 'review',
  mode,
  system: mode === 'digest' ? 'Review.' : '',
  messages: [{ role: 'user', content: 'What is worth keeping?' }],
  schema: { type: 'object' },
  maxOutputTokens: 500,
  signal: new AbortController().signal,
})

const recordingModel = (result: Partial<GenerateResult> = {}) => {
  const calls: CallParams[] = []
  const doGenerate = async (params: CallParams): Promise<GenerateResult> => {
    calls.push(params)
    return { content: [{ type: 'text', text: '{}' }], finishReason: 'stop', usage: {}, ...result }
  }
  return { calls, model: { doGenerate } }
}

const userMessage = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })

describe('hostModel, digest', () => {
  it('sends a prompt of its own with the schema as a hint, the review’s signal and the host’s headers', async () => {
    const { calls, model } = recordingModel()
    const asked = request('digest')
    await hostModel(model, { headers: { authorization: 'Bearer x' }, providerOptions: { openai: { store: false } } })(asked)
    expect(calls).toEqual([
      {
        prompt: [{ role: 'system', content: 'Review.' }, userMessage('What is worth keeping?')],
        maxOutputTokens: 500,
        responseFormat: { type: 'json', name: 'review', schema: { type: 'object' } },
        abortSignal: asked.signal,
        headers: { authorization: 'Bearer x' },
        providerOptions: { openai: { store: false }, hermes: { purpose: 'review' } },
      },
    ])
  })

  it('joins the text of the answer and leaves reasoning and tool calls out', async () => {
    const content = [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: '{"a"' },
      { type: 'tool-call' },
      { type: 'text', text: ':1}' },
    ]
    expect(await hostModel(recordingModel({ content }).model)(request('digest'))).toEqual({ text: '{"a":1}' })
  })

  it('prefers the structured output that a provider gives apart', async () => {
    const { model } = recordingModel({ structuredOutputText: '{"b":2}' })
    expect(await hostModel(model)(request('digest'))).toEqual({ text: '{"b":2}' })
  })

  it('rejects as the model does', async () => {
    const failure = new Error('no credit')
    await expect(hostModel({ doGenerate: () => Promise.reject(failure) })(request('digest'))).rejects.toBe(failure)
  })

  it.each([
    ['V2', { inputTokens: 30, outputTokens: 5, totalTokens: 35, cachedInputTokens: 20 }],
    ['V3 and V4', { inputTokens: { total: 30, cacheRead: 20 }, outputTokens: { total: 5 } }],
  ])('tells what the review cost (%s)', async (_what, usage) => {
    const told: ReviewUsage[] = []
    const answer = await hostModel(recordingModel({ usage }).model, { onUsage: (cost) => told.push(cost) })(request('digest'))
    expect(told).toEqual([{ inputTokens: 30, cachedInputTokens: 20, outputTokens: 5 }])
    expect(answer).toEqual({ text: '{}', usage: { inputTokens: 30, cachedInputTokens: 20, outputTokens: 5 } })
  })

  it('counts what Anthropic’s V2 counts beside the input as a part of it', async () => {
    const usage = { inputTokens: 4, outputTokens: 5, totalTokens: 9, cachedInputTokens: 20 }
    const { model } = recordingModel({ usage, providerMetadata: { anthropic: { cacheCreationInputTokens: 6 } } })
    expect(await hostModel(model)(request('digest'))).toMatchObject({ usage: { inputTokens: 30, cachedInputTokens: 20, outputTokens: 5 } })
  })

  it('names the model that answered, or the one that was asked', async () => {
    const { model } = recordingModel({ response: { modelId: 'gpt-5.4-2026-03-01' } })
    expect(await hostModel({ ...model, modelId: 'gpt-5.4' })(request('digest'))).toMatchObject({ model: 'gpt-5.4-2026-03-01' })
    expect(await hostModel({ ...recordingModel().model, modelId: 'gpt-5.4' })(request('digest'))).toMatchObject({ model: 'gpt-5.4' })
  })

  it('is not disturbed by a host that fails to count', async () => {
    const onUsage = () => {
      throw new Error('counter')
    }
    expect(await hostModel(recordingModel().model, { onUsage })(request('digest'))).toEqual({ text: '{}' })
  })
})

describe('hostModel, replay', () => {
  const host = {
    prompt: [{ role: 'system', content: 'Be kind.\n\nBLOCK' }, userMessage('I like tabs.')],
    temperature: 0.3,
    maxOutputTokens: 9_000,
    tools: [{ type: 'function', name: 'search' }],
    toolChoice: { type: 'auto' },
    stopSequences: ['END'],
    responseFormat: { type: 'json', schema: { title: 'the host’s' } },
    abortSignal: AbortSignal.abort(),
    headers: { 'x-user': 'ada' },
    providerOptions: { openai: { store: false }, hermes: { sessionId: 's' } },
  }

  it('sends the host’s own call again with the reply and the request after it', async () => {
    const { calls, model } = recordingModel()
    const asked = request('replay')
    await hostModel(model, {}, { params: host, reply: 'Noted.' })(asked)
    expect(calls).toEqual([
      {
        prompt: [...host.prompt, { role: 'assistant', content: [{ type: 'text', text: 'Noted.' }] }, userMessage('What is worth keeping?')],
        temperature: 0.3,
        maxOutputTokens: 500,
        tools: host.tools,
        toolChoice: { type: 'auto' },
        abortSignal: asked.signal,
        headers: { 'x-user': 'ada' },
        providerOptions: { openai: { store: false }, hermes: { sessionId: 's', purpose: 'review' } },
      },
    ])
  })

  it.each(['required', 'tool'])('lets go of a tool choice (%s) that would keep the model from answering', async (type) => {
    const { calls, model } = recordingModel()
    await hostModel(model, {}, { params: { ...host, toolChoice: { type } }, reply: '' })(request('replay'))
    expect(calls[0]?.toolChoice).toEqual({ type: 'auto' })
    expect(calls[0]?.prompt.map((message) => message.role)).toEqual(['system', 'user', 'user'])
  })

  it('leaves the host’s call as it was', async () => {
    const before = structuredClone({ ...host, abortSignal: undefined })
    await hostModel(recordingModel().model, {}, { params: host, reply: 'Noted.' })(request('replay'))
    expect({ ...host, abortSignal: undefined }).toEqual(before)
  })
})
