/** Concurrent use: no addition is lost, and no entry has two living claims, whatever process asks or dies. */

import { describe, expect, it } from 'vitest'
import { requireOpenInChild, startChild } from '../child-process.ts'
import { unwrap } from '../suite.ts'
import type { ClaimerLine, ClaimerTask } from './claimer-main.ts'
import { type CreateReviewQueueHarness, claimAll, endClaim, namesOf, type ReviewQueueCapabilities, withQueue } from './queue-test.ts'

const ENTRIES_FOR_EACH = 12

export const concurrencyCases = (
  create: CreateReviewQueueHarness,
  { processes, extent, claimers }: Required<ReviewQueueCapabilities>,
): void => {
  const names = Array.from({ length: claimers * ENTRIES_FOR_EACH }, (_, index) => `user-${index}`)
  const allTurns = names.map((name) => `${name} turns`).sort()
  const addAll = async (test: { readonly addDue: (user: string, agoMs: number) => Promise<void> }) => {
    await Promise.all(names.map((name, index) => test.addDue(name, 100_000 - index)))
  }

  describe('concurrency', () => {
    it(`keeps every entry that ${claimers} handles add at once`, { timeout: 60_000 }, () =>
      withQueue(create, async ({ harness, queue, open }) => {
        const handles = await Promise.all(Array.from({ length: claimers }, () => open()))
        const dueAt = harness.now() - 1_000
        // Each entry is added by two handles.
        const adding = names.flatMap((user, index) =>
          [0, 3].map((step) => handles[(index + step) % claimers]?.add({ owner: { user }, kind: 'turns', dueAt })),
        )
        for (const added of await Promise.all(adding)) if (added) unwrap(added)
        expect(unwrap(await queue.stats())).toEqual({ waiting: names.length, claimed: 0, oldestDueAt: dueAt })
      }),
    )

    if (extent === 'wiring') return

    it(`gives each of ${names.length} entries to exactly one of ${claimers} claimers`, { timeout: 60_000 }, () =>
      withQueue(create, async ({ queue, open, addDue }) => {
        await addAll({ addDue })
        const drain = async () => {
          const handle = await open()
          const taken: string[] = []
          for (let limit = 1; ; limit = (limit % 7) + 1) {
            const claims = await claimAll(handle, limit, 60_000)
            if (claims.length === 0 && unwrap(await handle.stats()).waiting === 0) return taken
            taken.push(...namesOf(claims))
            for (const claim of claims) await endClaim(handle, claim)
          }
        }
        const taken = await Promise.all(Array.from({ length: claimers }, drain))
        expect(taken.flat().sort()).toEqual(allTurns)
        expect(unwrap(await queue.stats())).toMatchObject({ waiting: 0, claimed: 0 })
      }),
    )

    if (!processes) return
    it(`finishes each entry once while half of ${claimers} processes are killed`, { timeout: 120_000 }, () =>
      withQueue(create, async ({ harness, queue, addDue }) => {
        await addAll({ addDue })
        const child = requireOpenInChild(harness.openInChild)
        const start = (holdMs: number) =>
          startChild<ClaimerTask>('review-queue-conformance/claimer-main', { ...child, holdMs, leaseMs: 1_500 })
        const victims = Array.from({ length: Math.floor(claimers / 2) }, () => start(20))
        const others = Array.from({ length: claimers - victims.length }, () => start(1))
        const all = [...victims, ...others]
        await Promise.all(all.map(({ ready }) => ready))
        for (const { go } of all) go()
        await Promise.all(
          victims.map(async (victim, index) => {
            await victim.printed(2 + index, /"claimed"/)
            victim.kill()
          }),
        )
        const printed = (await Promise.all(all.map(({ finished }) => finished))).flat()
        const logs = printed.map((line): ClaimerLine => JSON.parse(line))
        // A process may die between the end of a claim and saying so.
        const done = logs.filter(({ what }) => what === 'done').map(({ name }) => name)
        expect(new Set(done).size).toBe(done.length)
        const claims = logs.filter(({ what }) => what === 'claimed').map(({ name, fence }) => `${name} ${fence}`)
        expect(new Set(claims).size).toBe(claims.length)
        expect([...new Set(logs.map(({ name }) => name))].sort()).toEqual(allTurns)
        expect(unwrap(await queue.stats())).toMatchObject({ waiting: 0, claimed: 0 })
        const overlapping = logs.filter(
          (one) =>
            one.what === 'done' && logs.some((other) => other.what === 'claimed' && other.name === one.name && other.fence > one.fence),
        )
        expect(overlapping).toEqual([])
      }),
    )
  })
}
