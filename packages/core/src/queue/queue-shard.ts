/** One document of a queue over a storage: the entries of some owners, and the operations on them. Pure. */
import * as z from 'zod/mini'
import { type OwnerId, ownerKey } from '../homes/owner.ts'
import type { ClaimEnd, QueuedReview, QueuedReviewKind, ReviewClaim } from './review-queue.ts'

export const QUEUED_REVIEW_KINDS = ['turns', 'end', 'idle'] as const satisfies readonly QueuedReviewKind[]

const count = /* @__PURE__ */ z.lazy(() => z.int().check(z.nonnegative()))

const claimSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    fence: count,
    /** Epoch milliseconds by the clock of the claimer; changes with every renewal. */
    until: z.number(),
    leaseMs: z.number(),
    /** Earliest due time of the additions since the claim. */
    addedAt: z.exactOptional(z.number()),
  }),
)

const entrySchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    owner: z.exactOptional(z.object({ tenant: z.exactOptional(z.string()), user: z.string() })),
    kind: z.enum(QUEUED_REVIEW_KINDS),
    dueAt: z.number(),
    /** See `ReviewClaim.attempts`; 0 before the first claim. */
    attempts: count,
    claim: z.exactOptional(claimSchema),
  }),
)

export const queueShardSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    version: z.literal(1),
    /** The newest fence of the shard. The document stays when its last entry goes, so that no fence is used again. */
    fence: count,
    entries: z.readonly(z.array(entrySchema)),
  }),
)

export type QueueShard = z.infer<typeof queueShardSchema>
export type QueueEntry = z.infer<typeof entrySchema>

export const EMPTY_SHARD: QueueShard = { version: 1, fence: 0, entries: [] }

/** Equal for equal owners only; undefined is the owner of a storage with a single home. */
export const queueOwnerKey = (owner: OwnerId | undefined): string => (owner === undefined ? '' : ownerKey(owner))

type EntryName = Pick<QueuedReview, 'owner' | 'kind'>

export const entryKey = ({ owner, kind }: EntryName): string => `${kind} ${queueOwnerKey(owner)}`

const replaced = (shard: QueueShard, entry: QueueEntry): QueueShard => {
  const key = entryKey(entry)
  return { ...shard, entries: shard.entries.map((each) => (entryKey(each) === key ? entry : each)) }
}

const find = ({ entries }: QueueShard, name: EntryName): QueueEntry | undefined => {
  const key = entryKey(name)
  return entries.find((each) => entryKey(each) === key)
}

/** Milliseconds. A review waits at most until the next day, so a time later than this comes from a clock that was set back since. */
const LONGEST_WAIT_MS = 2 * 86_400_000

/** Undefined if the addition changes nothing. */
export const addEntry = (shard: QueueShard, { owner, kind, dueAt }: QueuedReview): QueueShard | undefined => {
  const known = find(shard, { owner, kind })
  if (!known) return { ...shard, entries: [...shard.entries, { ...(owner ? { owner } : {}), kind, dueAt, attempts: 0 }] }
  if (known.claim) {
    const { addedAt = Number.POSITIVE_INFINITY } = known.claim
    return dueAt < addedAt ? replaced(shard, { ...known, claim: { ...known.claim, addedAt: dueAt } }) : undefined
  }
  // After a failure the time of the next attempt stays.
  const isEarlier = dueAt < known.dueAt && (known.attempts === 0 || known.dueAt - dueAt > LONGEST_WAIT_MS)
  return isEarlier ? replaced(shard, { ...known, dueAt }) : undefined
}

export interface ClaimQuestion {
  /** Maximum number of entries. */
  readonly count: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly leaseMs: number
  /** Whether the claim of an entry has passed its lease. */
  readonly isLost: (entry: QueueEntry) => boolean
}

/** Entries that can be claimed now, the one due longest first: one of each owner who has no living claim. */
export const claimableEntries = ({ entries }: QueueShard, { at, isLost }: Pick<ClaimQuestion, 'at' | 'isLost'>): readonly QueueEntry[] => {
  const isLiving = (entry: QueueEntry) => entry.claim !== undefined && !isLost(entry)
  const busy = new Set(entries.filter(isLiving).map(({ owner }) => queueOwnerKey(owner)))
  const due = entries.filter(({ dueAt }) => dueAt <= at).toSorted((a, b) => a.dueAt - b.dueAt)
  return due.filter(({ owner }) => {
    const key = queueOwnerKey(owner)
    const isFirst = !busy.has(key)
    busy.add(key)
    return isFirst
  })
}

export const claimEntries = (
  shard: QueueShard,
  question: ClaimQuestion,
): { readonly shard: QueueShard; readonly claims: readonly ReviewClaim[] } => {
  const { at, leaseMs } = question
  let next = shard
  const claims = claimableEntries(shard, question)
    .slice(0, question.count)
    .map(({ claim: _, ...entry }): ReviewClaim => {
      const fence = next.fence + 1
      const attempts = entry.attempts + 1
      next = { ...replaced(next, { ...entry, attempts, claim: { fence, until: at + leaseMs, leaseMs } }), fence }
      return { ...entry, attempts, fence }
    })
  return { shard: next, claims }
}

const findClaimed = (shard: QueueShard, { owner, kind, fence }: ReviewClaim) => {
  const entry = find(shard, { owner, kind })
  return entry?.claim?.fence === fence ? { entry, claim: entry.claim } : undefined
}

/** Undefined if the claim was lost. */
export const renewClaim = (shard: QueueShard, claim: ReviewClaim, at: number, leaseMs: number): QueueShard | undefined => {
  const found = findClaimed(shard, claim)
  return found && replaced(shard, { ...found.entry, claim: { ...found.claim, until: at + leaseMs, leaseMs } })
}

const withoutEntry = (shard: QueueShard, name: EntryName): QueueShard => {
  const key = entryKey(name)
  return { ...shard, entries: shard.entries.filter((each) => entryKey(each) !== key) }
}

/** Undefined if the claim was lost. */
export const endClaim = (shard: QueueShard, claim: ReviewClaim, end: ClaimEnd): QueueShard | undefined => {
  const found = findClaimed(shard, claim)
  if (!found) return undefined
  const { claim: held, ...entry } = found.entry
  const { addedAt } = held ?? {}
  if (end === 'done') return addedAt === undefined ? withoutEntry(shard, entry) : replaced(shard, { ...entry, dueAt: addedAt, attempts: 0 })
  if (end.failed) return replaced(shard, { ...entry, dueAt: end.againAt })
  return replaced(shard, { ...entry, dueAt: Math.min(end.againAt, addedAt ?? end.againAt), attempts: 0 })
}

/** Undefined if the owner has no entry. */
export const withoutOwner = (shard: QueueShard, owner: OwnerId | undefined): QueueShard | undefined => {
  const key = queueOwnerKey(owner)
  const entries = shard.entries.filter((each) => queueOwnerKey(each.owner) !== key)
  return entries.length === shard.entries.length ? undefined : { ...shard, entries }
}
