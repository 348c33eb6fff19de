/** The ways in which a real HTTP stream can end, and which of them count as a turn. */

import { recordingSession } from '@hermes/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withHermes } from '../src/index.ts'
import { MAJORS } from './support/majors.ts'
import { type SseServer, sseServer } from './support/sse-server.ts'
import { wireProvider } from './support/wire-providers.ts'

let server: SseServer

beforeEach(async () => {
  server = await sseServer()
})

afterEach(() => server.stop())

describe.each(MAJORS)('$name, a stream over HTTP', ({ ai, specification }) => {
  const begin = (abortSignal?: AbortSignal) => {
    const session = recordingSession()
    const model = withHermes(wireProvider(specification, 'openai chat', server.url).model, session)
    const options = abortSignal === undefined ? {} : { abortSignal }
    const { fullStream } = ai.streamText({ model, prompt: 'Hello', maxRetries: 0, onError: () => undefined, ...options })
    return { session, iterator: fullStream[Symbol.asyncIterator]() }
  }

  const readOn = async (iterator: AsyncIterator<{ readonly type: string }>, until?: string): Promise<readonly string[]> => {
    const types: string[] = []
    try {
      for (;;) {
        const { done, value } = await iterator.next()
        if (done === true) return types
        types.push(value.type)
        if (value.type === until) return types
      }
    } catch {
      return [...types, 'rejected']
    }
  }

  it('counts an answer that ended normally', async () => {
    const { session, iterator } = begin()
    await readOn(iterator, 'text-delta')
    expect(session.ended).toEqual([])
    server.finish()
    expect(await readOn(iterator)).toContain('finish')
    expect(session.ended).toMatchObject([{ turnFinished: true, reply: [{ role: 'assistant', text: 'Half an answer.' }] }])
  })

  it('hands the first piece on while the answer is still in progress', async () => {
    const { iterator } = begin()
    expect(await readOn(iterator, 'text-delta')).toContain('text-delta')
    server.finish()
    await readOn(iterator)
  })

  it('does not count an aborted answer, and hangs up on the provider', async () => {
    const controller = new AbortController()
    const { session, iterator } = begin(controller.signal)
    await readOn(iterator, 'text-delta')
    controller.abort()
    await readOn(iterator)
    await server.hungUp()
    expect(session.begun).toHaveLength(1)
    expect(session.ended).toEqual([])
  })

  it('does not count an answer whose connection is cut, and lets the host see the failure', async () => {
    const { session, iterator } = begin()
    await readOn(iterator, 'text-delta')
    server.cut()
    const types = await readOn(iterator)
    expect(types.some((type) => type === 'error' || type === 'rejected')).toBe(true)
    expect(session.ended).toEqual([])
  })
})
