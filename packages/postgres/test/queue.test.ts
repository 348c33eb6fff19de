/** What the table of reviews holds, beyond the promises of every queue. */
import type { QueuedReview, ReviewClaim } from '@hermes/core/queue'
import pg from 'pg'
import { afterAll, expect, inject, it, vi } from 'vitest'
import { rounds } from '../../../scripts/support/rounds.ts'
import { postgresReviewQueue } from '../src/postgres-review-queue.ts'
import { codeOf, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 10 })
afterAll(() => pool.end())

const withSchema = async (run: (schema: string) => Promise<void>): Promise<void> => {
  const schema = newSchema()
  await run(schema)
  await pool.query(`drop schema if exists ${schema} cascade`)
}

const KINDS = ['turns', 'end', 'idle'] as const

it('gives no owner two living claims, whatever kinds many claimers ask for at once', () =>
  withSchema(async (schema) => {
    const setUp = postgresReviewQueue(pool, { schema })
    const owners = Array.from({ length: 5 }, (_, index) => ({ user: `user-${index}` }))
    const addAll = async () => {
      for (const owner of owners) for (const kind of KINDS) unwrap(await setUp.add({ owner, kind, dueAt: 1_000 }))
    }
    await addAll()
    const held = new Map<string, number>()
    const together: string[] = []
    let ended = 0
    const work = async (claim: ReviewClaim, queue: typeof setUp) => {
      const name = claim.owner?.user ?? ''
      const others = held.get(name) ?? 0
      if (others > 0) together.push(`${name} ${claim.kind}`)
      held.set(name, others + 1)
      await new Promise((resolve) => setTimeout(resolve, claim.fence % 3))
      // Noted before the server can give the owner to the next one.
      held.set(name, (held.get(name) ?? 0) - 1)
      unwrap(await queue.end(claim, 'done'))
      ended++
      unwrap(await queue.add({ ...claim, dueAt: 1_000 }))
    }
    const claimer = async () => {
      const queue = postgresReviewQueue(pool, { schema })
      while (ended < rounds(600))
        await Promise.all(unwrap(await queue.claim({ limit: 2, leaseMs: 60_000 })).map((claim) => work(claim, queue)))
    }
    await Promise.all(Array.from({ length: 8 }, claimer))
    expect(together).toEqual([])
  }))

it('keeps owners of any script and length, and times that are no whole milliseconds', () =>
  withSchema(async (schema) => {
    const queue = postgresReviewQueue(pool, { schema })
    const reviews: readonly QueuedReview[] = [
      { owner: { tenant: '\u{1f600}'.repeat(256), user: '\u0000\u0001\\"\'$1' }, kind: 'turns', dueAt: -1.25 },
      { owner: { tenant: '漢'.repeat(512), user: '字'.repeat(512) }, kind: 'end', dueAt: 1_700_000_000_000.125 },
      { owner: { user: `${'字'.repeat(511)}x` }, kind: 'idle', dueAt: -1e300 },
    ]
    for (const review of reviews) unwrap(await queue.add(review))
    unwrap(await queue.add({ owner: { user: 'late' }, kind: 'idle', dueAt: 1e300 }))
    const claims = unwrap(await queue.claim({ limit: 10, leaseMs: Number.MAX_SAFE_INTEGER }))
    const found = claims.map(({ owner, kind, dueAt }) => ({ owner, kind, dueAt }))
    expect(found).toEqual([reviews[2], reviews[0], reviews[1]])
    for (const claim of claims) unwrap(await queue.end(claim, 'done'))
    expect(unwrap(await queue.stats())).toEqual({ waiting: 1, claimed: 0, oldestDueAt: 1e300 })
  }))

it('finds what is due behind many entries whose owners are busy', () =>
  withSchema(async (schema) => {
    const queue = postgresReviewQueue(pool, { schema })
    for (let index = 0; index < 150; index++) {
      for (const kind of ['turns', 'end'] as const) unwrap(await queue.add({ owner: { user: `busy-${index}` }, kind, dueAt: index }))
    }
    unwrap(await queue.add({ owner: { user: 'last' }, kind: 'turns', dueAt: 1_000 }))
    expect(unwrap(await queue.claim({ limit: 150, leaseMs: 60_000 }))).toHaveLength(150)
    const claims = unwrap(await queue.claim({ limit: 5, leaseMs: 60_000 }))
    expect(claims.map(({ owner }) => owner?.user)).toEqual(['last'])
  }))

it('counts due times and leases by the clock of the server, not of the process', () =>
  withSchema(async (schema) => {
    const queue = postgresReviewQueue(pool, { schema })
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: now + 3_600_000 })
    try {
      unwrap(await queue.add({ owner: { user: 'ann' }, kind: 'turns', dueAt: now + 1_800_000 }))
      expect(unwrap(await queue.claim({ limit: 1, leaseMs: 60_000 }))).toEqual([])
      unwrap(await queue.add({ owner: { user: 'ann' }, kind: 'turns', dueAt: now - 1 }))
      expect(unwrap(await queue.claim({ limit: 1, leaseMs: 60_000 }))).toHaveLength(1)
      vi.setSystemTime(now + 7_200_000)
      expect(unwrap(await queue.claim({ limit: 1, leaseMs: 60_000 }))).toEqual([])
      expect(unwrap(await queue.stats())).toMatchObject({ waiting: 0, claimed: 1 })
    } finally {
      vi.useRealTimers()
    }
  }))

it('tells a server that cannot be reached, and a schema that is too new', () =>
  withSchema(async (schema) => {
    const nowhere = new pg.Pool({ connectionString: 'postgres://hermes:hunter2@127.0.0.1:1/none' })
    const away = postgresReviewQueue(nowhere, { schema, timeoutMs: 1_500 })
    const outcome = await away.add({ kind: 'turns', dueAt: 0 })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'io', message: expect.stringContaining('takes no connection') } })
    expect(JSON.stringify(outcome)).not.toContain('hunter2')
    await nowhere.end()
    unwrap(await postgresReviewQueue(pool, { schema }).stats())
    await pool.query(`insert into ${schema}.hermes_migrations (number, needs) values (9, 9)`)
    const tooOld = postgresReviewQueue(pool, { schema })
    const refused = await tooOld.claim({ limit: 1, leaseMs: 1_000 })
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('Update the package') } })
    expect(codeOf(await tooOld.add({ kind: 'turns', dueAt: 0 }))).toBe('io')
    expect((await pool.query(`select from ${schema}.hermes_reviews`)).rowCount).toBe(0)
    const text: object = { timeoutMs: 'soon' }
    expect(() => postgresReviewQueue(pool, text)).toThrow(TypeError)
  }))
