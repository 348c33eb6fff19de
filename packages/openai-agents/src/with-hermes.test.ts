/** Recalled text in one call, and answers that are not whole. The whole of it through the SDK: test/conformance. */
import { fenceContext, type RecalledText } from '@hermes/core/adapter'
import { type RecordingSessionOptions, recordingSession } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from './agents-protocol.ts'
import { withHermes } from './with-hermes.ts'

const FENCE = fenceContext('The user likes tea.')
const recall: RecordingSessionOptions['recall'] = async (messages) =>
  messages.flatMap(({ role, outside }, index): RecalledText[] => (role === 'user' && !outside ? [{ index, text: FENCE }] : []))

const deltas = (...texts: readonly string[]) => texts.map((delta) => ({ type: 'output_text_delta', delta }))
const DONE = { type: 'response_done', response: { id: 'r', output: [] } }

/** Reads a stream of these events; `failure` ends it. */
const read = async (events: readonly object[], more: RecordingSessionOptions, failure?: Error) => {
  const asked: ModelRequest[] = []
  const session = recordingSession('chat', '', more)
  const model = {
    getResponse: async () => ({ output: [], responseId: 'first' }),
    async *getStreamedResponse(request: ModelRequest) {
      asked.push(request)
      yield* events
      if (failure) throw failure
    },
  }
  const wrapped = withHermes(model, session)
  const seen: unknown[] = []
  const stream = async (request: ModelRequest) => {
    for await (const event of wrapped.getStreamedResponse(request)) seen.push(event)
  }
  return { asked, seen, stream }
}

const textIn = (events: readonly unknown[]): string => events.map((event) => String(Object(event).delta ?? '')).join('')

describe('a stream', () => {
  it('shows at its end, and before a failure, what may have become a fence', async () => {
    const whole = await read([...deltas('Tea <', 'mem'), DONE], { recall })
    await whole.stream({ input: 'Hello' })
    expect([textIn(whole.seen), Object(whole.seen.at(-1)).type]).toEqual(['Tea <mem', 'response_done'])
    const cut = await read(deltas('Tea <', 'mem'), { recall }, new Error('connection cut'))
    await expect(cut.stream({ input: 'Hello' })).rejects.toThrow('connection cut')
    expect(textIn(cut.seen)).toBe('Tea <mem')
  })

  it('passes a fence on that the model makes up, if nothing was recalled, and takes it out otherwise', async () => {
    const events = [...deltas('So: ', FENCE, ' Tea.'), DONE]
    const plain = await read(events, {})
    await plain.stream({ input: 'Hello' })
    expect(textIn(plain.seen)).toBe(`So: ${FENCE} Tea.`)
    const recalled = await read(events, { recall })
    await recalled.stream({ input: 'Hello' })
    expect(textIn(recalled.seen)).toBe('So:  Tea.')
  })

  it('that breaks off tells the session what was said', async () => {
    const told: unknown[] = []
    const noteInterrupted: RecordingSessionOptions['noteInterrupted'] = (_, reply) => void told.push(...reply)
    const { stream } = await read(deltas('Half ', 'an'), { noteInterrupted }, new Error('connection cut'))
    await expect(stream({ input: 'Hello' })).rejects.toThrow('connection cut')
    expect(told).toEqual([{ role: 'assistant', text: 'Half an' }])
  })
})

it('text that is recalled in a stored conversation goes behind its new message', async () => {
  const { asked, stream } = await read([DONE], { recall })
  for (const input of ['One', 'Two']) await stream({ input, conversationId: 'conv' })
  expect(asked.map(({ input }) => input)).toEqual(
    ['One', 'Two'].map((text) => [{ type: 'message', role: 'user', content: `${text}\n\n${FENCE}` }]),
  )
})
