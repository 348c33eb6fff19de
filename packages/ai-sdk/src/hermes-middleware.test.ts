import type { HermesTarget, HermesWarning } from '@hermes/core/adapter'
import { recordingHermes, recordingSession } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { type HermesMiddlewareOptions, hermesMiddleware } from './hermes-middleware.ts'
import type { CallParams, GenerateResult, StreamResult } from './provider-protocol.ts'
import { withHermes } from './with-hermes.ts'

const user = { role: 'user', content: [{ type: 'text', text: 'Hello' }] }
const params: CallParams = { prompt: [{ role: 'system', content: 'Be kind.' }, user] }
const answered: GenerateResult = { content: [{ type: 'text', text: 'Hi.' }], finishReason: 'stop', usage: {} }

const streamOf = (...parts: readonly unknown[]): StreamResult => ({
  stream: new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  }),
})

const deltas = [
  { type: 'text-delta', id: '0', delta: 'H' },
  { type: 'text-delta', id: '0', delta: 'i.' },
]
const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: {} }

interface Scripted {
  readonly generated?: () => Promise<GenerateResult>
  readonly streamed?: () => Promise<StreamResult>
}

const setUp = (target: HermesTarget, options: HermesMiddlewareOptions = {}, scripted: Scripted = {}) => {
  const received: CallParams[] = []
  const warnings: HermesWarning[] = []
  const model = {
    doGenerate: (call: CallParams) => {
      received.push(call)
      return scripted.generated?.() ?? Promise.resolve(answered)
    },
    doStream: (call: CallParams) => {
      received.push(call)
      return scripted.streamed?.() ?? Promise.resolve(streamOf(...deltas, finish))
    },
  }
  const middleware = hermesMiddleware(target, { onWarning: (warning) => warnings.push(warning), ...options })
  return {
    received,
    warnings,
    generate: (call = params) => middleware.wrapGenerate({ params: call, model }),
    stream: (call = params) => middleware.wrapStream({ params: call, model }),
  }
}

const readAll = async ({ stream }: StreamResult): Promise<readonly unknown[]> => {
  const parts: unknown[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

describe('usage', () => {
  it.each([
    ['V2', { inputTokens: 30, outputTokens: 5, totalTokens: 35, cachedInputTokens: 20 }],
    ['V3 and V4', { inputTokens: { total: 30, cacheRead: 20 }, outputTokens: { total: 5 } }],
  ])('of a stream comes from its last part (%s)', async (_what, usage) => {
    const session = recordingSession()
    const { stream } = setUp(session, {}, { streamed: async () => streamOf(...deltas, { ...finish, usage }) })
    await readAll(await stream())
    expect(session.ended).toMatchObject([{ usage: { inputTokens: 30, cachedInputTokens: 20, outputTokens: 5 } }])
  })

  it('is left out if the provider says nothing', async () => {
    const session = recordingSession()
    await setUp(session).generate()
    expect(session.ended[0]).not.toHaveProperty('usage')
  })
})

describe('hermesMiddleware', () => {
  it('places the block, begins the step without system messages and ends it with the answer', async () => {
    const session = recordingSession()
    const { generate, received } = setUp(session)
    expect(await generate()).toBe(answered)
    expect(received).toEqual([{ prompt: [{ role: 'system', content: 'Be kind.\n\nBLOCK' }, user] }])
    expect(session.begun).toEqual([[{ role: 'user', text: 'Hello' }]])
    expect(session.ended).toMatchObject([
      { prompt: [{ role: 'user', text: 'Hello' }], turnFinished: true, calledTools: false, reply: [{ role: 'assistant', text: 'Hi.' }] },
    ])
  })

  it('does the same for a stream, once the consumer has read it to its end', async () => {
    const session = recordingSession()
    const { stream } = setUp(session)
    const result = await stream()
    expect(session.ended).toEqual([])
    expect(await readAll(result)).toEqual([...deltas, finish])
    expect(session.ended).toMatchObject([{ turnFinished: true, reply: [{ role: 'assistant', text: 'Hi.' }] }])
  })

  it('counts a stream whose consumer stops reading behind the finish part', async () => {
    const session = recordingSession()
    const reader = (await setUp(session).stream()).stream.getReader()
    for (let part = 0; part < 3; part++) await reader.read()
    await reader.cancel()
    expect(session.ended).toHaveLength(1)
  })

  it.each([
    ['ends without a finish part', async () => streamOf(...deltas)],
    ['finishes with an error', async () => streamOf(...deltas, { type: 'error', error: 'x' }, { ...finish, finishReason: 'error' })],
  ])('does not count a stream that %s', async (_what, streamed) => {
    const session = recordingSession()
    await readAll(await setUp(session, {}, { streamed }).stream())
    expect(session.begun).toHaveLength(1)
    expect(session.ended).toEqual([])
  })

  it('does not count a stream that the consumer leaves in the middle', async () => {
    const session = recordingSession()
    const reader = (await setUp(session).stream()).stream.getReader()
    await reader.read()
    await reader.cancel('gone')
    expect(session.ended).toEqual([])
  })

  it('passes a rejected call on unchanged and does not count it', async () => {
    const session = recordingSession()
    const failure = new Error('503')
    const fails = () => Promise.reject(failure)
    const { generate, stream } = setUp(session, {}, { generated: fails, streamed: fails })
    await expect(generate()).rejects.toBe(failure)
    await expect(stream()).rejects.toBe(failure)
    expect(session.ended).toEqual([])
  })

  it('leaves the turn open while tools follow', async () => {
    const session = recordingSession()
    const content = [{ type: 'tool-call', toolCallId: '1', toolName: 'search', input: '{}' }]
    await setUp(session, {}, { generated: async () => ({ content, finishReason: { unified: 'tool-calls' }, usage: {} }) }).generate()
    expect(session.ended).toMatchObject([{ turnFinished: false, calledTools: true }])
  })

  it('touches nothing when the block is empty', async () => {
    const { generate, received } = setUp(recordingSession('chat', ''))
    await generate()
    expect(received[0]).toBe(params)
  })

  it('finds the session of each call of a Hermes', async () => {
    const [a, b] = [recordingSession('a', 'BLOCK A'), recordingSession('b', 'BLOCK B')]
    const { generate, received, warnings } = setUp(recordingHermes(a, b))
    for (const sessionId of ['a', 'b']) await generate({ ...params, providerOptions: { hermes: { sessionId } } })
    expect(received.map((call) => call.prompt[0]?.content)).toEqual(['Be kind.\n\nBLOCK A', 'Be kind.\n\nBLOCK B'])
    expect([a.ended.length, b.ended.length, warnings.length]).toEqual([1, 1, 0])
  })

  it.each([
    ['names no session', undefined, 'missing-session'],
    ['names one of the wrong type', { hermes: { sessionId: 7 } }, 'invalid-option'],
    ['names one that cannot be opened', { hermes: { sessionId: 'unknown' } }, 'invalid-option'],
    ['has a misspelt key', { hermes: { sesionId: 'a' } }, 'invalid-option'],
    ['has an unknown key beside the session', { hermes: { sessionId: 'a', session: 'a' } }, 'invalid-option'],
  ])('lets a call that %s pass untouched, and warns', async (_what, providerOptions, code) => {
    const session = recordingSession('a')
    const hermes = recordingHermes(session)
    const { generate, stream, received, warnings } = setUp(hermes)
    const call = { ...params, providerOptions }
    expect(await generate(call)).toBe(answered)
    expect(await readAll(await stream(call))).toHaveLength(3)
    expect(received).toEqual([call, call])
    expect(session.begun).toEqual([])
    expect(warnings.map((warning) => warning.code)).toEqual([code, code])
    expect(hermes.wiring.map(({ mistake }) => mistake)).toEqual([code, code])
  })

  it('lets a side call pass untouched and uncounted, without a warning', async () => {
    const session = recordingSession()
    const { generate, received, warnings } = setUp(session)
    const call = { ...params, providerOptions: { hermes: { skip: true } } }
    await generate(call)
    expect(received[0]).toBe(call)
    expect([session.begun.length, warnings.length]).toEqual([0, 0])
  })

  it.each([
    ['names another session', { sessionId: 'b' }, 'other-session', 'wrap the model with the Hermes object'],
    ['has an option that cannot be read', { skip: 'yes' }, 'invalid-option', 'skip is not a boolean'],
    ['has a misspelt key', { sesionId: 'a' }, 'invalid-option', "unknown key 'sesionId'; the keys are user, tenant, sessionId"],
  ])('shows nothing of its session to a call that %s, and says what to write', async (_what, options, code, words) => {
    const session = recordingSession('a')
    const { generate, stream, received, warnings } = setUp(session)
    const call = { ...params, providerOptions: { hermes: options } }
    expect(await generate(call)).toBe(answered)
    await readAll(await stream(call))
    expect(received).toEqual([call, call])
    expect([session.begun.length, session.ended.length]).toEqual([0, 0])
    expect(warnings[0]).toMatchObject({ code, message: expect.stringContaining(words) })
    expect(session.wiring.map(({ mistake }) => mistake)).toEqual([code, code])
    expect(session.wiring[0]?.message).toBe(warnings[0]?.message)
  })

  it('reports a tool call before the host can run the tool, with the turn it belongs to', async () => {
    const session = recordingSession()
    const { signal } = new AbortController()
    const call = { ...params, abortSignal: signal }
    const toolCall = { type: 'tool-call', toolCallId: '1', toolName: 'search', input: '{"q":"tabs"}' }
    const own = { ...toolCall, toolCallId: '2', providerExecuted: true }
    const content = [toolCall, own]
    const seen: number[] = []
    const generated = async () => ({ content, finishReason: { unified: 'tool-calls' }, usage: {} })
    const streamed = async () => streamOf(toolCall, own, { ...finish, finishReason: 'tool-calls' })
    await setUp(session, {}, { generated }).generate(call)
    for await (const part of (await setUp(session, {}, { streamed }).stream(call)).stream)
      if (part === toolCall) seen.push(session.toolCalls.length)
    const noted = { id: '1', name: 'search', input: '{"q":"tabs"}', signal }
    expect(session.toolCalls).toEqual([
      { ...noted, prompt: session.begun[0] },
      { ...noted, prompt: session.begun[1] },
    ])
    expect(session.toolCalls[0]?.prompt).toBe(session.begun[0])
    expect(seen).toEqual([2])
  })

  it('does not count an answer that arrives after the turn was aborted', async () => {
    const session = recordingSession()
    const turn = new AbortController()
    const { generate, stream } = setUp(session)
    const call = { ...params, abortSignal: turn.signal }
    const result = await stream(call)
    const reader = result.stream.getReader()
    await reader.read()
    turn.abort()
    while (!(await reader.read()).done);
    expect(await generate(call)).toBe(answered)
    expect(session.begun).toHaveLength(2)
    expect(session.ended).toEqual([])
  })

  it.each([
    ['systemBlock', { systemBlock: () => Promise.reject(new Error('broken')) }],
    [
      'beginStep',
      {
        beginStep: () => {
          throw new Error('broken')
        },
      },
    ],
    [
      'endStep',
      {
        endStep: () => {
          throw new Error('broken')
        },
      },
    ],
  ])('continues without Hermes when %s breaks its promise', async (_what, broken) => {
    const { generate, stream, warnings } = setUp(recordingSession('chat', 'BLOCK', broken))
    expect(await generate()).toBe(answered)
    expect(await readAll(await stream())).toEqual([...deltas, finish])
    expect(warnings.map((warning) => warning.code)).toEqual(['unexpected', 'unexpected'])
  })

  it('survives a warning listener that throws', async () => {
    const onWarning = () => {
      throw new Error('listener')
    }
    expect(await setUp(recordingHermes(), { onWarning }).generate()).toBe(answered)
  })

  it('gives the review the inner model, marked as a review', async () => {
    const session = recordingSession()
    const { generate, received } = setUp(session, { reviewProviderOptions: { openai: { store: false } } })
    await generate()
    const signal = new AbortController().signal
    const messages = [{ role: 'user', content: 'Anything?' }] as const
    const request = { purpose: 'review', mode: 'replay', system: '', messages, schema: {}, maxOutputTokens: 9, signal } as const
    expect(await session.ended[0]?.model?.(request)).toEqual({ text: 'Hi.' })
    expect(received[1]?.prompt.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(received[1]?.prompt.slice(0, 2)).toEqual(received[0]?.prompt)
    expect(received[1]?.providerOptions).toEqual({ openai: { store: false }, hermes: { purpose: 'review' } })
    expect(session.begun).toHaveLength(1)
  })
})

describe('withHermes', () => {
  const model = {
    specificationVersion: 'v3' as const,
    provider: 'scripted',
    modelId: 'scripted-1',
    get supportedUrls(): Promise<Record<string, RegExp[]>> {
      return Promise.resolve({ 'image/*': [] })
    },
    doGenerate: async (_params: CallParams) => answered,
    doStream: async (_params: CallParams) => streamOf(...deltas, finish),
  }

  it('keeps what the model says about itself', async () => {
    const wrapped = withHermes(model, recordingSession())
    expect(wrapped).toMatchObject({ specificationVersion: 'v3', provider: 'scripted', modelId: 'scripted-1' })
    expect(await wrapped.supportedUrls).toEqual({ 'image/*': [] })
  })

  it('counts both ways of calling it', async () => {
    const session = recordingSession()
    const wrapped = withHermes(model, session)
    await wrapped.doGenerate(params)
    await readAll(await wrapped.doStream(params))
    expect(session.ended).toHaveLength(2)
  })

  it('tells a programmer that a model id is not a model', () => {
    // The types forbid this call, but plain JavaScript allows it.
    expect(() => withHermes('openai/gpt-5' as never, recordingSession())).toThrow('model object')
  })
})
