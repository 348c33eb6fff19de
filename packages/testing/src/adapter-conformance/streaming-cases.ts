/** Streaming: each piece reaches the caller, in order, before the model produces the next one. */
import { expect, it } from 'vitest'
import type { CreateAdapterHost } from './adapter-host.ts'
import { createWorld } from './world.ts'

const PIECES = ['One ', 'two ', 'three ', 'four ', 'five.'] as const

export const streamingCases = (createHost: CreateAdapterHost): void => {
  it('neither buffers nor reorders what the model streams', async () => {
    const world = await createWorld(createHost)
    const received: string[] = []
    let seen = (): void => undefined

    // The model continues only after the caller has received the previous piece, so an adapter that buffers never finishes.
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
