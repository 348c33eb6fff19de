import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, get } from './api.ts'

afterEach(() => vi.unstubAllGlobals())

/** The inspector answers with the beginning of a JSON text, and goes on when told. */
const answerSlowly = () => {
  let answer: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      answer = controller
      controller.enqueue(new TextEncoder().encode('{"total":'))
    },
  })
  vi.stubGlobal('fetch', async () => new Response(body, { status: 200 }))
  return {
    breakOff: (cause: Error) => answer?.error(cause),
    finish: () => {
      answer?.enqueue(new TextEncoder().encode('2}'))
      answer?.close()
    },
  }
}

describe('an answer of the inspector', () => {
  it('is what it sent', async () => {
    const { finish } = answerSlowly()
    const reading = get('inbox')
    finish()
    expect(await reading).toEqual({ total: 2 })
  })

  it.each([
    ['breaks off', new TypeError('network error')],
    ['is given up', new DOMException('The user aborted a request.', 'AbortError')],
  ])('is no answer if it %s', async (_, cause) => {
    const { breakOff } = answerSlowly()
    const reading = get('inbox')
    breakOff(cause)
    await expect(reading).rejects.toThrow(ApiError)
  })

  it('is told in its own words if it refuses', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ error: { code: 'locked', message: 'Try again.' } }, { status: 409 }))
    await expect(get('inbox')).rejects.toMatchObject({ code: 'locked', message: 'Try again.' })
  })
})
