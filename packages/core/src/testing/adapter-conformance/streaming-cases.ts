/** Streaming: each piece reaches the caller before the model has produced the next one, in order. */
import { expect, it } from 'vitest'
import type { CreateAdapterHost } from './adapter-host.ts'
import { createWorld } from './world.ts'

const PIECES = ['One ', 'two ', 'three ', 'four ', 'five.'] as const

export const streamingCases = (createHost: CreateAdapterHost): void => {
  it('neither buffers nor reorders what the model streams', async () => {
    const world = await createWorld(createHost)
    const received: string[] = []
    let seen = (): void => undefined

    // The model goes on only when the caller has seen the piece before: an adapter that buffers never gets to the end.
    async function* pieces(): AsyncIterable<string> {
      for (const piece of PIECES) {
        const arrived = new Promise<void>((resolve) => {
          seen = resolve
        })
        yield piece
        await arrived
      }
    }

    world.answerTurns(() => ({ type: 'text', chunks: pieces() }))
    const onChunk = (chunk: string): void => {
      received.push(chunk)
      seen()
    }
    expect(await world.turn('chat', 'Count to five', { onChunk })).toBe(PIECES.join(''))
    expect(received).toEqual(PIECES)
  })
}
