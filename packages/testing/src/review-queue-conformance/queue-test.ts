/** What the suite needs of a queue, and the queue that each of its tests gets. */

import type { Result } from '@hermes/core'
import type { OwnerId } from '@hermes/core/portability'
import type { ClaimEnd, QueuedReview, QueuedReviewKind, ReviewClaim, ReviewQueue } from '@hermes/core/queue'
import { expect } from 'vitest'
import type { OpenInChild } from '../child-process.ts'
import { codeOf, type SuiteExtent, unwrap } from '../suite.ts'

export interface ReviewQueueHarness {
  /** Opens another handle on the same queue, as another process would. The suite closes the handle. */
  open(): Promise<ReviewQueue>
  /** The time that counts, in epoch milliseconds. */
  now(): number
  /** Lets time pass: moves the clock that the handles share, or waits for it. */
  pass(ms: number): Promise<void>
  /** Removes the queue. Called after all handles are closed. */
  dispose(): Promise<void>
  /** Opens a handle on the same queue, by the system clock, in a child process. Required unless the capability `processes` is false. */
  readonly openInChild?: OpenInChild
}

/** What a queue supports, and how much of the suite runs. Each capability is expected unless it is set to false. */
export interface ReviewQueueCapabilities {
  /** Several processes can share the queue. */
  readonly processes?: boolean
  readonly extent?: SuiteExtent
  /** How many handles or processes claim at once (default 8). Half of the processes are killed. */
  readonly claimers?: number
}

export type CreateReviewQueueHarness = () => Promise<ReviewQueueHarness>

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

const ownerName = (owner: OwnerId | undefined): string =>
  owner === undefined ? '(single)' : owner.tenant === undefined ? owner.user : `${owner.tenant}/${owner.user}`

export const namesOf = (claims: readonly QueuedReview[]): readonly string[] =>
  claims.map(({ owner, kind }) => `${ownerName(owner)} ${kind}`)

export const expectCode = (result: Result<unknown>, code: string): void => {
  expect(codeOf(result)).toBe(code)
}
