/** Entries: one of each owner and kind, due at the earliest time that was added, taken oldest first. */

import type { OwnerId } from '@hermes/core/portability'
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
  namesOf,
  type ReviewQueueCapabilities,
  withQueue,
} from './queue-test.ts'

const OWNERS: readonly (OwnerId | undefined)[] = [
  undefined,
  { user: 'ann' },
  { user: 'Ann' },
  { tenant: 'acme', user: 'ann' },
  { tenant: 'acme/ann', user: 'x' },
  { tenant: 'acme', user: 'ann/x' },
  { user: "o'hara; -- \u{1f600} \u05d0" },
  { user: 'u'.repeat(512) },
]

export const entryCases = (create: CreateReviewQueueHarness, { extent }: Required<ReviewQueueCapabilities>): void => {
  describe('entries', () => {
    it('claims what is due, with everything that was added, on any handle', () =>
      withQueue(create, async ({ harness, queue, open }) => {
        const dueAt = harness.now() - 5_000
        unwrap(await queue.add({ owner: { tenant: 'acme', user: 'ann' }, kind: 'end', dueAt }))
        const claim = await claimOne(await open())
        expect(claim).toMatchObject({ owner: { tenant: 'acme', user: 'ann' }, kind: 'end', dueAt, attempts: 1 })
      }))

    if (extent === 'wiring') return

    it('claims nothing before it is due', () =>
      withQueue(create, async ({ harness, queue }) => {
        unwrap(await queue.add({ owner: { user: 'ann' }, kind: 'idle', dueAt: harness.now() + LEASE_MS }))
        expect(await claimAll(queue)).toEqual([])
        await harness.pass(LEASE_MS + MARGIN_MS)
        expect(namesOf(await claimAll(queue))).toEqual(['ann idle'])
      }))

    it('keeps every owner apart, also one without a name', () =>
      withQueue(create, async ({ harness, queue }) => {
        for (const owner of OWNERS) unwrap(await queue.add({ owner, kind: 'turns', dueAt: harness.now() - 1_000 }))
        const claims = await claimAll(queue)
        const order = (owners: readonly (OwnerId | undefined)[]) => owners.map((owner) => JSON.stringify(owner ?? null)).sort()
        expect(order(claims.map(({ owner }) => owner))).toEqual(order(OWNERS))
      }))

    it('has one entry of an owner and kind, due at the earliest time added', () =>
      withQueue(create, async ({ harness, queue }) => {
        const first = harness.now() - 10_000
        for (const dueAt of [first + 2_000, first, first + 5_000]) unwrap(await queue.add({ owner: { user: 'ann' }, kind: 'turns', dueAt }))
        expect(unwrap(await queue.stats())).toEqual({ waiting: 1, claimed: 0, oldestDueAt: first })
        const claim = await claimOne(queue)
        expect(claim.dueAt).toBe(first)
        await endClaim(queue, claim)
        expect(await claimAll(queue)).toEqual([])
      }))

    it('brings an entry forward that is not due yet', () =>
      withQueue(create, async ({ harness, queue }) => {
        for (const dueAt of [harness.now() + 3_600_000, harness.now() - 1_000])
          unwrap(await queue.add({ owner: { user: 'ann' }, kind: 'idle', dueAt }))
        expect(namesOf(await claimAll(queue))).toEqual(['ann idle'])
      }))

    it('takes what is due longest first, up to the limit', () =>
      withQueue(create, async ({ queue, addDue }) => {
        for (const [user, ago] of Object.entries({ carl: 3_000, ann: 9_000, dora: 1_000, bob: 6_000 })) await addDue(user, ago)
        expect(namesOf(await claimAll(queue, 3))).toEqual(['ann turns', 'bob turns', 'carl turns'])
        expect(namesOf(await claimAll(queue, 3))).toEqual(['dora turns'])
      }))

    it('gives no owner two places in one call, and forgets none of their entries', () =>
      withQueue(create, async ({ queue, addDue }) => {
        await addDue('ann', 9_000, 'turns')
        await addDue('ann', 8_000, 'end')
        await addDue('ann', 7_000, 'idle')
        await addDue('bob', 1_000)
        const taken: string[] = []
        for (let call = 0; call < 3; call++) {
          const claims = await claimAll(queue, 2)
          taken.push(...namesOf(claims))
          if (call === 0) expect(namesOf(claims)).toEqual(['ann turns', 'bob turns'])
          for (const claim of claims) await endClaim(queue, claim)
        }
        expect(taken).toEqual(['ann turns', 'bob turns', 'ann end', 'ann idle'])
      }))

    it('removes everything of an owner and nothing of another', () =>
      withQueue(create, async ({ queue, addDue }) => {
        for (const kind of ['turns', 'end'] as const) await addDue('ann', 5_000, kind)
        await addDue('bob')
        const [claim] = await claimAll(queue, 1)
        unwrap(await queue.remove({ user: 'ann' }))
        unwrap(await queue.remove({ user: 'nobody' }))
        expect(namesOf(await claimAll(queue))).toEqual(['bob turns'])
        if (!claim) throw new Error('nothing was claimed')
        expectCode(await queue.renew(claim, LEASE_MS), 'superseded')
        expectCode(await queue.end(claim, 'done'), 'superseded')
        await addDue('ann', 5_000)
        const again = await claimOne(queue)
        expect(again.fence).toBeGreaterThan(claim.fence)
        expect(again.attempts).toBe(1)
        expectCode(await queue.end(claim, 'done'), 'superseded')
        await endClaim(queue, again)
      }))

    it('counts what waits and what is claimed', () =>
      withQueue(create, async ({ harness, queue, addDue }) => {
        expect(unwrap(await queue.stats())).toEqual({ waiting: 0, claimed: 0, oldestDueAt: undefined })
        const later = harness.now() + 3_600_000
        unwrap(await queue.add({ owner: { user: 'ann' }, kind: 'idle', dueAt: later }))
        await addDue('bob')
        await claimOne(queue)
        expect(unwrap(await queue.stats())).toEqual({ waiting: 1, claimed: 1, oldestDueAt: later })
      }))

    it('refuses what is out of range and changes nothing', () =>
      withQueue(create, async ({ harness, queue, addDue }) => {
        const dueAt = harness.now() - 1_000
        expectCode(await queue.add({ owner: { user: '' }, kind: 'turns', dueAt }), 'invalid')
        // @ts-expect-error JavaScript callers may pass any kind.
        expectCode(await queue.add({ owner: { user: 'ann' }, kind: 'soon', dueAt }), 'invalid')
        expectCode(await queue.add({ owner: { user: 'ann' }, kind: 'turns', dueAt: Number.NaN }), 'invalid')
        expectCode(await queue.claim({ limit: 0, leaseMs: LEASE_MS }), 'invalid')
        expectCode(await queue.claim({ limit: 1, leaseMs: 0 }), 'invalid')
        expect(unwrap(await queue.stats())).toEqual({ waiting: 0, claimed: 0, oldestDueAt: undefined })
        await addDue('ann')
        const claim = await claimOne(queue)
        expectCode(await queue.renew(claim, -1), 'invalid')
        expectCode(await queue.end(claim, { againAt: Number.NaN }), 'invalid')
        await endClaim(queue, claim)
      }))

    it('fails with closed after close, and closes twice', () =>
      withQueue(create, async ({ harness, open }) => {
        const queue = await open()
        await queue.close()
        await queue.close()
        expectCode(await queue.add({ kind: 'turns', dueAt: harness.now() }), 'closed')
        expectCode(await queue.claim({ limit: 1, leaseMs: LEASE_MS }), 'closed')
        expectCode(await queue.stats(), 'closed')
        expectCode(await queue.remove(undefined), 'closed')
      }))
  })
}
