/** The statements on the table of queued reviews. Everything is synchronous, throws SQLite's errors, and runs within a transaction of the caller. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { ClaimEnd, ClaimOptions, QueuedReview, QueueStats, ReviewClaim } from '@hermes/core/queue'

/** Milliseconds. A later time of a next attempt comes from a wrong clock. */
const LONGEST_WAIT_MS = 2 * 86_400_000

type Owner = QueuedReview['owner']

const ownerText = (owner: Owner): string => (owner ? JSON.stringify([owner.tenant ?? null, owner.user]) : '')

const ownerOf = (text: string): { readonly owner?: NonNullable<Owner> } => {
  if (text === '') return {}
  const [tenant, user]: readonly [string | null, string] = JSON.parse(text)
  return { owner: tenant === null ? { user } : { tenant, user } }
}

const toClaim = (row: Record<string, SQLOutputValue>): ReviewClaim => ({
  ...ownerOf(String(row['owner'])),
  kind: String(row['kind']) as ReviewClaim['kind'],
  dueAt: Number(row['due_at']),
  attempts: Number(row['attempts']),
  fence: Number(row['fence']),
})

const ENTRY = 'owner = $owner and kind = $kind'
const CLAIM = `${ENTRY} and fence = $fence`
const FREE = '(fence is null or lease_until <= $now)'

const keyOf = ({ owner, kind }: QueuedReview) => ({ owner: ownerText(owner), kind })

export class Reviews {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  #change(statement: string, values: Record<string, string | number>): boolean {
    return Number(this.#db.prepare(statement).run(values).changes) > 0
  }

  add(review: QueuedReview): void {
    const statement = `
insert into hermes_reviews (owner, kind, due_at) values ($owner, $kind, $due)
on conflict (owner, kind) do update set
  due_at = iif(fence is null, excluded.due_at, due_at),
  added_due_at = iif(fence is null, null, excluded.due_at)
where iif(fence is null,
  excluded.due_at < due_at and (attempts = 0 or due_at - excluded.due_at > ${LONGEST_WAIT_MS}),
  added_due_at is null or excluded.due_at < added_due_at)`
    this.#change(statement, { ...keyOf(review), due: review.dueAt })
  }

  claim({ limit, leaseMs }: ClaimOptions, now: number): readonly ReviewClaim[] {
    const next = this.#db.prepare(`
select owner, kind from hermes_reviews as entry where due_at <= $now and ${FREE}
  and not exists (select 1 from hermes_reviews as other where other.owner = entry.owner and fence is not null and lease_until > $now)
  order by due_at, owner, kind limit 1`)
    const fences = this.#db.prepare('insert into hermes_fences default values returning newest')
    const take = this.#db.prepare(`
update hermes_reviews set fence = $fence, lease_until = $until, attempts = attempts + 1, added_due_at = null where ${ENTRY} returning *`)
    const claims: ReviewClaim[] = []
    while (claims.length < limit) {
      const found = next.get({ now })
      if (!found) break
      const fence = Number(fences.get()?.['newest'])
      const row = take.get({ owner: String(found['owner']), kind: String(found['kind']), fence, until: now + leaseMs })
      if (row) claims.push(toClaim(row))
    }
    // The newest fence is remembered without its row.
    this.#db.exec('delete from hermes_fences')
    return claims
  }

  /** False if the claim was lost. */
  renew(claim: ReviewClaim, until: number): boolean {
    return this.#change(`update hermes_reviews set lease_until = $until where ${CLAIM}`, { ...keyOf(claim), fence: claim.fence, until })
  }

  /** False if the claim was lost. */
  end(claim: ReviewClaim, end: ClaimEnd): boolean {
    const key = { ...keyOf(claim), fence: claim.fence }
    const freed = 'fence = null, lease_until = null, added_due_at = null'
    if (end !== 'done' && end.failed)
      return this.#change(`update hermes_reviews set due_at = $again, ${freed} where ${CLAIM}`, { ...key, again: end.againAt })
    if (end !== 'done') {
      const earliest = 'min($again, coalesce(added_due_at, $again))'
      return this.#change(`update hermes_reviews set due_at = ${earliest}, attempts = 0, ${freed} where ${CLAIM}`, {
        ...key,
        again: end.againAt,
      })
    }
    const again = `update hermes_reviews set due_at = added_due_at, attempts = 0, ${freed} where ${CLAIM} and added_due_at is not null`
    return this.#change(again, key) || this.#change(`delete from hermes_reviews where ${CLAIM}`, key)
  }

  remove(owner: Owner): void {
    this.#change('delete from hermes_reviews where owner = $owner', { owner: ownerText(owner) })
  }

  stats(now: number): QueueStats {
    const statement = `
select count(*) filter (where ${FREE}) as waiting, count(*) filter (where not ${FREE}) as claimed, min(due_at) filter (where ${FREE}) as due
from hermes_reviews`
    const row = this.#db.prepare(statement).get({ now })
    const due = row?.['due']
    return { waiting: Number(row?.['waiting']), claimed: Number(row?.['claimed']), oldestDueAt: typeof due === 'number' ? due : undefined }
  }
}
