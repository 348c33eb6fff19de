import { type EndOptions, ok, type Result, type ReviewRun, type Session } from '@hermes/core'
import { expect, it } from 'vitest'
import { endSession } from './end-session.ts'

/** A review that never ends by itself, and stops where it is called off. */
const hanging = (asked: EndOptions[]): Pick<Session, 'end'> => ({
  end: (options = {}) => {
    asked.push(options)
    return new Promise<Result<ReviewRun>>((resolve) => {
      options.signal?.addEventListener('abort', () => resolve(ok({ kind: 'stopped' })))
    })
  },
})

it('asks for a review of one turn and more, and tells what came of it', async () => {
  const asked: EndOptions[] = []
  const session: Pick<Session, 'end'> = {
    end: async (options = {}) => {
      asked.push(options)
      return ok({ kind: 'nothing-due', unreadTurns: 0 })
    },
  }
  const signal = new AbortController().signal
  expect(await endSession(session, { signal, limitMs: 1_000 })).toEqual({ kind: 'nothing-due', unreadTurns: 0 })
  expect(asked).toMatchObject([{ minTurns: 1 }])
})

it('calls the review off when the person skips it, and when its time is up', async () => {
  const skip = new AbortController()
  const skipped = endSession(hanging([]), { signal: skip.signal, limitMs: Number.POSITIVE_INFINITY })
  skip.abort()
  expect(await skipped).toEqual({ kind: 'stopped' })
  expect(await endSession(hanging([]), { signal: new AbortController().signal, limitMs: 10 })).toEqual({ kind: 'stopped' })
})

it('does not wait for a review that cannot be cancelled', async () => {
  const session: Pick<Session, 'end'> = { end: () => new Promise(() => {}) }
  expect(await endSession(session, { signal: AbortSignal.abort(), limitMs: 1_000 })).toBeUndefined()
})
