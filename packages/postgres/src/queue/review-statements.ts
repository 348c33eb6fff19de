/** The statements of a queue of reviews, one round trip each. */
import type { ClaimEnd, ClaimOptions, QueueStats, ReviewClaim } from '@hermes/core/queue'
import type { Query } from '../drivers/driver.ts'
import { SERVER_TIME } from '../schema/review-queue-step.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { toReviewClaim } from './review-rows.ts'

/** An entry by its key. */
export interface EntryKey {
  /** Folder of the owner, '' for a storage with a single home. */
  readonly home: string
  readonly kind: string
}

interface NewEntry extends EntryKey {
  /** The owner as JSON; null for a storage with a single home. */
  readonly owner: string | null
  readonly dueAt: number
}

export interface ReviewStatements {
  readonly add: (entry: NewEntry) => Promise<void>
  readonly claim: (options: ClaimOptions) => Promise<readonly ReviewClaim[]>
  /** False if the claim was lost. */
  readonly renew: (key: EntryKey, fence: number, leaseMs: number) => Promise<boolean>
  /** False if the claim was lost. */
  readonly end: (key: EntryKey, fence: number, end: ClaimEnd) => Promise<boolean>
  readonly remove: (home: string) => Promise<void>
  readonly stats: () => Promise<QueueStats>
}

/** Milliseconds. A later time of a next attempt comes from a wrong clock. */
const LONGEST_WAIT_MS = 2 * 86_400_000

/** A claimed entry notes the time for after the claim; one that failed keeps the time of its next attempt. */
const addition = (reviews: string): string => `
insert into ${reviews} as entry (home, kind, owner, due_at) values ($1::text, $2::text, $3::text, $4::float8)
on conflict (home, kind) do update set
  due_at = case when entry.fence is null then excluded.due_at else entry.due_at end,
  added_due_at = case when entry.fence is null then null else excluded.due_at end
where case when entry.fence is null
  then excluded.due_at < entry.due_at and (entry.attempts = 0 or entry.due_at - excluded.due_at > ${LONGEST_WAIT_MS})
  else excluded.due_at < coalesce(entry.added_due_at, 'infinity') end`

const CLAIMED = `fence is not null and lease_until > ${SERVER_TIME}`

export const createReviewStatements = (query: Query, { reviews, claimReviews, endReview }: SchemaNames): ReviewStatements => ({
  add: async ({ home, kind, owner, dueAt }) => {
    await query(addition(reviews), [home, kind, owner, dueAt])
  },
  claim: async ({ limit, leaseMs }) => {
    const columns =
      'claimed_owner as owner, claimed_kind as kind, claimed_due_at::text as due, claimed_attempts::text as attempts, claimed_fence::text as fence'
    const rows = await query(`select ${columns} from ${claimReviews}($1::bigint, $2::float8)`, [limit, leaseMs])
    return rows.map(toReviewClaim)
  },
  renew: async ({ home, kind }, fence, leaseMs) => {
    const statement = `update ${reviews} set lease_until = ${SERVER_TIME} + $4::float8 where home = $1::text and kind = $2::text and fence = $3::bigint returning kind`
    return (await query(statement, [home, kind, fence, leaseMs])).length > 0
  },
  end: async ({ home, kind }, fence, end) => {
    const againAt = end === 'done' ? null : end.againAt
    const failed = end !== 'done' && end.failed === true
    const values = [home, kind, fence, againAt, failed]
    const [row] = await query(`select ${endReview}($1::text, $2::text, $3::bigint, $4::float8, $5::boolean)::text as ended`, values)
    return row?.['ended'] === 'true'
  },
  remove: async (home) => {
    await query(`delete from ${reviews} where home = $1::text`, [home])
  },
  stats: async () => {
    const columns =
      'count(*) filter (where not claimed)::text as waiting, count(*) filter (where claimed)::text as claimed, (min(due_at) filter (where not claimed))::text as due'
    const [row] = await query(`select ${columns} from (select due_at, ${CLAIMED} as claimed from ${reviews}) as entry`)
    const due = row?.['due']
    return {
      waiting: Number(row?.['waiting']),
      claimed: Number(row?.['claimed']),
      oldestDueAt: typeof due === 'string' ? Number(due) : undefined,
    }
  },
})
