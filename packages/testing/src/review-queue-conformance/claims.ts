/** Claims: a lease that is renewed or passes, a fence that only grows, and the ways a claim ends. */

import { describe, expect, it } from 'vitest'
import { unwrap } from '../suite.ts'
import {
  type CreateReviewQueueHarness,
  claimAll,
  claimOne,
  endClaim,
  expectCode,
  LEASE_MS,
  MARGIN_MS,
  type ReviewQueueCapabilities,
  withQueue,
} from './queue-test.ts'

const HALF_HOUR_MS = 1_800_000
const YEAR_MS = 31_536_000_000

export const claimCases = (create: CreateReviewQueueHarness, { extent }: Required<ReviewQueueCapabilities>): void => {
  describe('claims', () => {
    it('lets nobody claim an entry whose claim is renewed', () =>
      withQueue(create, async ({ harness, queue, open, addDue }) => {
        await addDue('ann')
        const claim = await claimOne(queue)
        const other = await open()
        for (let step = 0; step < 6; step++) {
          expect(await claimAll(other)).toEqual([])
          await harness.pass(LEASE_MS / 3)
          unwrap(await queue.renew(claim, LEASE_MS))
        }
        await endClaim(queue, claim)
        expect(unwrap(await other.stats())).toMatchObject({ waiting: 0, claimed: 0 })
      }))

    it('takes over a claim whose lease has passed, and the old claim then changes nothing', () =>
      withQueue(create, async ({ harness, queue, open, addDue }) => {
        await addDue('ann')
        const dead = await claimOne(queue)
        const other = await open()
        expect(await claimAll(other)).toEqual([])
        await harness.pass(LEASE_MS + MARGIN_MS)
        const claim = await claimOne(other, 60_000)
        expect(claim.fence).toBeGreaterThan(dead.fence)
        expect(claim.attempts).toBe(2)
        expectCode(await queue.renew(dead, LEASE_MS), 'superseded')
        expectCode(await queue.end(dead, 'done'), 'superseded')
        expectCode(await queue.end(dead, { againAt: 0 }), 'superseded')
        expect(unwrap(await other.stats())).toMatchObject({ waiting: 0, claimed: 1 })
        await endClaim(other, claim)
      }))

    if (extent === 'wiring') return

    it('renews and ends a claim whose lease has passed if nobody took it', () =>
      withQueue(create, async ({ harness, queue, addDue }) => {
        await addDue('ann')
        const claim = await claimOne(queue)
        await harness.pass(LEASE_MS + MARGIN_MS)
        unwrap(await queue.renew(claim, LEASE_MS))
        await harness.pass(LEASE_MS + MARGIN_MS)
        await endClaim(queue, claim)
        expect(await claimAll(queue)).toEqual([])
      }))

    it('ends a claim once', () =>
      withQueue(create, async ({ queue, addDue }) => {
        await addDue('ann')
        const claim = await claimOne(queue)
        await endClaim(queue, claim)
        expectCode(await queue.end(claim, 'done'), 'superseded')
        expectCode(await queue.renew(claim, LEASE_MS), 'superseded')
      }))

    it('never uses a fence twice, also after the entry was done', () =>
      withQueue(create, async ({ queue, addDue }) => {
        await addDue('ann')
        const first = await claimOne(queue)
        await endClaim(queue, first)
        await addDue('ann')
        const second = await claimOne(queue)
        expect(second.fence).toBeGreaterThan(first.fence)
        expectCode(await queue.end(first, 'done'), 'superseded')
      }))

    it('gives an entry back for later, and counts as attempts only what failed', () =>
      withQueue(create, async ({ harness, queue, addDue }) => {
        await addDue('ann')
        const tooEarly = await claimOne(queue)
        await endClaim(queue, tooEarly, { againAt: harness.now() + LEASE_MS })
        expect(await claimAll(queue)).toEqual([])
        await harness.pass(LEASE_MS + MARGIN_MS)
        const failing = await claimOne(queue)
        expect(failing.attempts).toBe(1)
        await endClaim(queue, failing, { againAt: harness.now() - 1, failed: true })
        const again = await claimOne(queue)
        expect(again.attempts).toBe(2)
        await endClaim(queue, again, { againAt: harness.now() - 1, failed: true })
        const third = await claimOne(queue)
        expect(third.attempts).toBe(3)
        await endClaim(queue, third, { againAt: harness.now() - 1 })
        expect((await claimOne(queue)).attempts).toBe(1)
      }))

    it('keeps what is added during a claim: it is due again afterwards', () =>
      withQueue(create, async ({ harness, queue, open, addDue }) => {
        await addDue('ann', 9_000)
        const claim = await claimOne(queue)
        const dueAt = harness.now() - 500
        const other = await open()
        for (const each of [dueAt + 300, dueAt]) unwrap(await other.add({ owner: { user: 'ann' }, kind: 'turns', dueAt: each }))
        expect(await claimAll(other)).toEqual([])
        await endClaim(queue, claim)
        const next = await claimOne(other)
        expect(next).toMatchObject({ dueAt, attempts: 1 })
        await endClaim(other, next)
        expect(await claimAll(queue)).toEqual([])
      }))

    it('lets the earlier of a later time and an addition win', () =>
      withQueue(create, async ({ harness, queue, addDue }) => {
        await addDue('ann')
        const claim = await claimOne(queue)
        await addDue('ann', 200)
        await endClaim(queue, claim, { againAt: harness.now() + HALF_HOUR_MS })
        await endClaim(queue, await claimOne(queue))
      }))

    it('shortens no pause after a failure, whenever something is added', () =>
      withQueue(create, async ({ harness, queue, addDue }) => {
        await addDue('ann')
        const claim = await claimOne(queue)
        await addDue('ann', 200)
        await endClaim(queue, claim, { againAt: harness.now() + LEASE_MS, failed: true })
        await addDue('ann', 100)
        expect(await claimAll(queue)).toEqual([])
        await harness.pass(LEASE_MS + MARGIN_MS)
        await endClaim(queue, await claimOne(queue))
        expect(await claimAll(queue)).toEqual([])
      }))

    it('does not let a retry wait for a time that only a wrong clock gave', () =>
      withQueue(create, async ({ harness, queue, addDue }) => {
        await addDue('ann')
        await endClaim(queue, await claimOne(queue), { againAt: harness.now() + YEAR_MS, failed: true })
        expect(await claimAll(queue)).toEqual([])
        await addDue('ann')
        expect(await claimOne(queue)).toMatchObject({ attempts: 2 })
      }))
  })
}
