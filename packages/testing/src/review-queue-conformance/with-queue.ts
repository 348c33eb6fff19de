/** Gives each test a new queue and always cleans up after it, and defines the helpers of the tests. */
import type { Result } from '@hermes/core'
import type { OwnerId } from '@hermes/core/portability'
import type { ClaimEnd, QueuedReview, QueuedReviewKind, ReviewClaim, ReviewQueue } from '@hermes/core/queue'
import { expect } from 'vitest'
import { unwrap } from '../storage-conformance/entry-log.ts'
import type { CreateReviewQueueHarness, ReviewQueueHarness } from './queue-harness.ts'

/** Milliseconds: long enough for the calls of a test on a busy machine, short enough to wait for. */
export const LEASE_MS = 2_000
/** Milliseconds by which tests overshoot a time. */
export const MARGIN_MS = 60

export interface QueueTest {
  readonly harness: ReviewQueueHarness
  readonly queue: ReviewQueue
  /** Opens another handle on the same queue. */
  readonly open: () => Promise<ReviewQueue>
  /** Adds an entry of kind `turns` that is due since `agoMs`. */
  readonly addDue: (user: string, agoMs?: number, kind?: QueuedReviewKind) => Promise<void>
}

export const withQueue = async (create: CreateReviewQueueHarness, run: (test: QueueTest) => Promise<void>): Promise<void> => {
  const harness = await create()
  const handles: ReviewQueue[] = []
  const open = async () => {
    const handle = await harness.open()
    handles.push(handle)
    return handle
  }
  try {
    const queue = await open()
    const addDue = async (user: string, agoMs = 1_000, kind: QueuedReviewKind = 'turns') =>
      unwrap(await queue.add({ owner: { user }, kind, dueAt: harness.now() - agoMs }))
    await run({ harness, queue, open, addDue })
  } finally {
    for (const handle of handles) await handle.close()
    await harness.dispose()
  }
}

/** How child processes open the queue. Throws if the harness does not say so. */
export const processesOf = ({ processes }: ReviewQueueHarness): NonNullable<ReviewQueueHarness['processes']> => {
  if (processes) return processes
  throw new Error(
    "The harness has no 'processes'. Add it so that child processes can open the queue, or pass { processes: false } to the suite.",
  )
}

export const claimAll = async (queue: ReviewQueue, limit = 100, leaseMs = LEASE_MS): Promise<readonly ReviewClaim[]> =>
  unwrap(await queue.claim({ limit, leaseMs }))

/** The only claim there is. */
export const claimOne = async (queue: ReviewQueue, leaseMs = LEASE_MS): Promise<ReviewClaim> => {
  const claims = await claimAll(queue, 100, leaseMs)
  expect(claims).toHaveLength(1)
  return claims[0] as ReviewClaim
}

export const endClaim = async (queue: ReviewQueue, claim: ReviewClaim, end: ClaimEnd = 'done'): Promise<void> => {
  unwrap(await queue.end(claim, end))
}

export const ownerName = (owner: OwnerId | undefined): string =>
  owner === undefined ? '(single)' : owner.tenant === undefined ? owner.user : `${owner.tenant}/${owner.user}`

export const namesOf = (claims: readonly QueuedReview[]): readonly string[] =>
  claims.map(({ owner, kind }) => `${ownerName(owner)} ${kind}`)

export const expectCode = (result: Result<unknown>, code: string): void => {
  expect(result.ok ? 'ok' : result.error.code).toBe(code)
}
