/** Rows of claimed entries as claims. */
import type { QueuedReview, QueuedReviewKind, ReviewClaim } from '@hermes/core/queue'
import { textIn } from '../calls/document-rows.ts'
import type { Row } from '../drivers/driver.ts'

export type ReviewOwner = QueuedReview['owner']

/** As JSON, since an id may hold characters that a column of PostgreSQL cannot. */
export const ownerText = (owner: ReviewOwner): string | null => (owner ? JSON.stringify([owner.tenant ?? null, owner.user]) : null)

const ownerOf = (text: string): NonNullable<ReviewOwner> => {
  const [tenant, user]: readonly [string | null, string] = JSON.parse(text)
  return tenant === null ? { user } : { tenant, user }
}

const isKind = (text: string): text is QueuedReviewKind => ['turns', 'end', 'idle'].includes(text)

export const toReviewClaim = (row: Row): ReviewClaim => {
  const kind = textIn(row, 'kind')
  if (!isKind(kind)) throw new TypeError(`The queue holds a review of the unknown kind '${kind}'. Update @hermes/postgres.`)
  return {
    ...(row['owner'] === null ? {} : { owner: ownerOf(textIn(row, 'owner')) }),
    kind,
    dueAt: Number(textIn(row, 'due')),
    attempts: Number(textIn(row, 'attempts')),
    fence: Number(textIn(row, 'fence')),
  }
}
