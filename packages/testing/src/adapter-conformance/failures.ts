/** What the caller receives: each piece of a stream in order, the host’s own failures, and none of Hermes. */

import { expect, it } from 'vitest'
import type { AdapterCapabilities, CreateAdapterHost, ModelCall } from './adapter-host.ts'
import { breaksOff, fails, proposes, says, userFact } from './model.ts'
import { createWorld, INSTRUCTIONS, STORAGE_FAULTS } from './world.ts'

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

const everyTurn = { nudge: { memoryInterval: 1 } } as const

/** Starts an answer, aborts the turn, and throws as a provider does. */
async function* untilAborted(call: ModelCall, abort: () => void): AsyncIterable<string> {
  yield 'Half an '
  const { signal } = call
  const gone = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
  abort()
  if (signal?.aborted === false) await gone
  throw signal?.reason ?? new Error('aborted')
}

const reasonsOf = (error: unknown): string =>
  error instanceof Error
    ? [error.message, reasonsOf(error.cause), reasonsOf('lastError' in error ? error.lastError : undefined)].join(' ')
    : String(error)

export const failureCases = (createHost: CreateAdapterHost, { abort, extent }: Required<AdapterCapabilities>): void => {
  it('passes the model’s own failure on and does not review the turn', async () => {
    const world = await createWorld(createHost, everyTurn)
    world.answerTurns(() => fails(new Error('out of credit')))
    const failure = await world.turn('chat', 'Hello').catch((error: unknown) => error)
    expect(reasonsOf(failure)).toContain('out of credit')
    await world.settled()
    expect(world.reviewCalls).toHaveLength(0)
    expect(await world.turn('chat', 'Again')).toBe('Fine.')
    expect(world.reviewCalls).toHaveLength(1)
  })

  it.each(STORAGE_FAULTS)('continues without memory when storage fails from the start (it %s)', async (how) => {
    const world = await createWorld(createHost, everyTurn)
    world.storage.fail(how)
    expect(await world.turn('chat', 'Hello')).toBe('Fine.')
    expect(await world.turn('chat', 'Still there?')).toBe('Fine.')
    expect(world.turnCalls.map((call) => call.system)).toEqual([INSTRUCTIONS, INSTRUCTIONS])
    expect(world.events.some((event) => event.type === 'storage-failed')).toBe(true)
  })

  if (extent === 'wiring') return

  it.each([
    ['rejects', () => fails(new Error('no credit for reviews'))],
    ['breaks off', () => breaksOff(new Error('cut'), '{"prop')],
    ['answers with prose', () => says('I would rather not.')],
    ['answers with something else', () => says('{"proposals": [{"target": "everyone"}, 7]}')],
  ])('keeps a reviewer that %s away from the caller', async (_what, answer) => {
    const world = await createWorld(createHost, everyTurn)
    world.answerReviews(answer)
    expect(await world.turn('chat', 'Hello')).toBe('Fine.')
    expect(await world.turn('chat', 'Still there?')).toBe('Fine.')
    expect(world.reviewCalls.length).toBeGreaterThanOrEqual(2)
    expect(await world.stored('user')).toBe('')
    expect(
      world.events.some(
        (event) => event.type === 'review-failed' || (event.type === 'review-finished' && event.outcome.rejected.length > 0),
      ),
    ).toBe(true)
  })

  it.each(STORAGE_FAULTS)('keeps the snapshot when storage fails in mid-session (it %s)', async (how) => {
    const world = await createWorld(createHost, everyTurn)
    await world.remember('before', 'The repo builds with pnpm 12.')
    await world.turn('chat', 'Hello')
    world.storage.fail(how)
    expect(await world.turn('chat', 'Still there?')).toBe('Fine.')
    expect(world.turnCalls[1]?.system).toBe(world.turnCalls[0]?.system)
    expect(world.turnCalls[1]?.system).toContain('pnpm 12')
    expect(world.events.some((event) => event.type === 'storage-failed')).toBe(true)
  })

  it.each(STORAGE_FAULTS)('keeps a review that storage fails under away from the caller (it %s)', async (how) => {
    const world = await createWorld(createHost, everyTurn)
    world.answerReviews(() => {
      world.storage.fail(how)
      return proposes(userFact('Prefers tabs over spaces.', 'I prefer tabs over spaces.'))
    })
    expect(await world.turn('chat', 'I prefer tabs over spaces.')).toBe('Fine.')
    expect(await world.turn('chat', 'Still there?')).toBe('Fine.')
    expect(world.events.some((event) => event.type === 'storage-failed')).toBe(true)
    expect(world.events.some((event) => event.type === 'review-finished' && event.outcome.applied.length > 0)).toBe(false)
  })

  it('passes a broken answer on and does not review the turn', async () => {
    const world = await createWorld(createHost, everyTurn)
    world.answerTurns(() => breaksOff(new Error('connection cut'), 'Half an '))
    const failure = await world.turn('chat', 'Hello').catch((error: unknown) => error)
    expect(reasonsOf(failure)).toContain('connection cut')
    await world.settled()
    expect(world.reviewCalls).toHaveLength(0)
    expect(await world.turn('chat', 'Again')).toBe('Fine.')
    expect(world.reviewCalls).toHaveLength(1)
  })

  if (abort) {
    it('lets the caller abort, does not review the turn, and continues', async () => {
      const world = await createWorld(createHost, everyTurn)
      const controller = new AbortController()
      world.answerTurns((call) => ({ type: 'text', chunks: untilAborted(call, () => controller.abort()) }))
      await world.turn('chat', 'Hello', { signal: controller.signal }).catch(() => undefined)
      await world.settled()
      expect(world.reviewCalls).toHaveLength(0)
      expect(await world.turn('chat', 'Again')).toBe('Fine.')
      expect(world.reviewCalls).toHaveLength(1)
    })

    it('does not abort a review with the turn after which it runs', async () => {
      const world = await createWorld(createHost, everyTurn)
      const controller = new AbortController()
      const signals: boolean[] = []
      let leave = (): void => undefined
      const left = new Promise<void>((resolve) => {
        leave = resolve
      })
      world.answerReviews(async (call) => {
        await left
        signals.push(call.signal?.aborted ?? false)
        return says('{"proposals":[]}')
      })
      await world.send('chat', 'Hello', { signal: controller.signal })
      controller.abort()
      leave()
      await world.settled()
      expect(signals).toEqual([false])
      expect(world.events.some((event) => event.type === 'review-finished')).toBe(true)
    })
  }
}
