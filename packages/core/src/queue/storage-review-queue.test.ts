import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { shardPath, storageReviewQueue } from './storage-review-queue.ts'

const LEASE_MS = 60_000

describe('a queue over a storage', () => {
  it('cannot be made without one', () => {
    const options: object = {}
    expect(() => storageReviewQueue(options as never)).toThrow(/^storageReviewQueue: 'storage' must be a storage back end/)
  })

  it('claims from the other documents if one is broken, tells it, and changes nothing there', async () => {
    const storage = inMemoryBackend()
    const problems: string[] = []
    const queue = storageReviewQueue({ storage, onProblem: ({ code }) => problems.push(code) })
    const broken = new TextEncoder().encode('{ half')
    await updateDocument(storage, shardPath({ user: 'ann' }), () => broken)
    expect(await queue.add({ owner: { user: 'ann' }, kind: 'turns', dueAt: 0 })).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    await queue.add({ owner: { user: 'bob' }, kind: 'turns', dueAt: 0 })
    expect(await queue.claim({ limit: 5, leaseMs: LEASE_MS })).toMatchObject({ ok: true, value: [{ owner: { user: 'bob' } }] })
    expect(problems).toContain('unreadable')
    expect(await readDocument(storage, shardPath({ user: 'ann' }))).toMatchObject({ ok: true, value: { bytes: broken } })
  })

  it('takes over a dead claim that it has never seen an hour after its lease, and not before', async () => {
    const storage = inMemoryBackend()
    const clock = manualClock()
    await storageReviewQueue({ storage, clock }).add({ kind: 'turns', dueAt: 0 })
    const claim = () => storageReviewQueue({ storage, clock }).claim({ limit: 1, leaseMs: LEASE_MS })
    expect(await claim()).toMatchObject({ ok: true, value: [{ attempts: 1 }] })
    clock.advance(LEASE_MS + 60 * 60_000)
    expect(await claim()).toEqual({ ok: true, value: [] })
    clock.advance(1)
    expect(await claim()).toMatchObject({ ok: true, value: [{ attempts: 2 }] })
  })

  it('reads only the documents that have changed', async () => {
    const inner = inMemoryBackend()
    let reads = 0
    const storage: typeof inner = {
      ...inner,
      read(paths) {
        reads++
        return inner.read(paths)
      },
    }
    const queue = storageReviewQueue({ storage })
    for (let user = 0; user < 100; user++) await queue.add({ owner: { user: `user-${user}` }, kind: 'turns', dueAt: user })
    await queue.stats()
    reads = 0
    await queue.claim({ limit: 1, leaseMs: LEASE_MS })
    expect(reads).toBe(0)
    await queue.claim({ limit: 1, leaseMs: LEASE_MS })
    expect(reads).toBe(1)
  })
})
