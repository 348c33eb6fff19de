import { inMemoryReviewQueue } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { checkWorkerOptions, runWorker } from './run-worker.ts'

const openQueue = async (...users: readonly string[]) => {
  const queue = inMemoryReviewQueue()
  for (const [index, user] of users.entries()) await queue.add({ owner: { user }, kind: 'turns', dueAt: 1_000 + index })
  const problems: string[] = []
  const failed = ({ message }: Error, operation: string) => problems.push(`${operation}: ${message}`)
  return { queue, problems, failed }
}

describe('a worker', () => {
  it('goes on after work that throws, and leaves its entry to be taken over', async () => {
    const { queue, problems, failed } = await openQueue('ann', 'bob')
    const done: string[] = []
    const ran = await runWorker<string>(
      { once: true },
      {
        queue,
        work: async ({ owner }) => {
          if (owner?.user === 'ann') throw new Error('a defect')
          return { end: 'done', work: 'read' }
        },
        onDone: ({ owner }, work) => done.push(`${owner?.user} ${work}`),
        failed,
      },
    )
    expect(ran.ok).toBe(true)
    expect(done).toEqual(['bob read'])
    expect(problems).toEqual([expect.stringContaining('a defect')])
    expect(await queue.stats()).toMatchObject({ ok: true, value: { waiting: 0, claimed: 1 } })
  })

  it('cancels work whose entry was removed, as by an erasure in another process', async () => {
    const { queue, problems, failed } = await openQueue('ann')
    const work = async (_claim: unknown, signal: AbortSignal) => {
      await queue.remove({ user: 'ann' })
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { end: 'done' as const, work: 'cancelled' }
    }
    const done: string[] = []
    await runWorker<string>({ once: true, leaseMs: 1_000 }, { queue, work, onDone: (_claim, how) => done.push(how), failed })
    expect([done, problems]).toEqual([['cancelled'], []])
  })

  it('stops when it is told to, and cancels its work, while the queue does not answer', async () => {
    const { queue, failed } = await openQueue('ann')
    const stopping = new AbortController()
    let claims = 0
    const silent = {
      ...queue,
      claim: (asked: Parameters<typeof queue.claim>[0]) => (claims++ === 0 ? queue.claim(asked) : new Promise<never>(() => {})),
    }
    const work = async (_claim: unknown, signal: AbortSignal) => {
      setTimeout(() => stopping.abort(), 50)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { end: { againAt: 5_000 }, work: 'cancelled' }
    }
    const done: string[] = []
    const options = { signal: stopping.signal, stopWithinMs: 100, pollMs: 10 }
    await runWorker<string>(options, { queue: silent, work, onDone: (_claim, how) => done.push(how), failed })
    expect(done).toEqual(['cancelled'])
    expect(await queue.stats()).toMatchObject({ ok: true, value: { waiting: 1, claimed: 0 } })
  })

  it('renews its claims while it works', async () => {
    const { queue, failed } = await openQueue('ann')
    const renewed: number[] = []
    const work = async () => {
      while (renewed.length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
      return { end: 'done' as const, work: 'read' }
    }
    const renewing = {
      ...queue,
      renew: (...args: Parameters<typeof queue.renew>) => queue.renew(...args).finally(() => renewed.push(args[1])),
    }
    await runWorker<string>({ once: true, leaseMs: 1_000 }, { queue: renewing, work, onDone: () => {}, failed })
    expect(new Set(renewed)).toEqual(new Set([1_000]))
  })
})

describe('the options of a worker', () => {
  it('are refused if one does not exist', () => {
    const options: object = { onc: true }
    expect(checkWorkerOptions(options)).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringMatching(/'onc'.*once/) },
    })
    expect(checkWorkerOptions({ once: true, concurrency: 2, pollMs: 5 })).toMatchObject({ ok: true })
  })

  it.each([
    ['concurrency', 0],
    ['concurrency', 1.5],
    ['leaseMs', 999],
    ['pollMs', 0],
    ['stopWithinMs', -1],
  ])('refuse %s %d', (name, value) => {
    expect(checkWorkerOptions({ [name]: value })).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringContaining(name) },
    })
  })
})
