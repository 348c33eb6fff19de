/** Decides the state of one skill by age: active → stale → archived, and back to active (seed 000, reference skills-curator 10). Pure. */
import type { SkillState, UsageRecord } from '../../usage/usage-record.ts'

/**
 * `exempt`: a skill that was never used does not age (seed 000). `from-creation`: its age counts from its creation, as in Python Hermes.
 */
export type NeverActive = 'exempt' | 'from-creation'

/** The input of the decision; a `UsageRecord` fits. */
export interface AgeingRecord
  extends Pick<UsageRecord, 'state' | 'lastActivityAt'>,
    Partial<Pick<UsageRecord, 'createdAt' | 'restoredAt' | 'useCount'>> {}

export interface NextStateOptions {
  /** Default `exempt`. */
  readonly neverActive?: NeverActive
  /** Epoch milliseconds: the age counts from this time at the earliest, such as the time of a person's grant. */
  readonly notBefore?: number
}

const newest = (times: readonly number[]): number | undefined => (times.length === 0 ? undefined : Math.max(...times))

/**
 * The time that the age counts from, in epoch milliseconds: the later of the last activity and the restore from the archive. Infinity,
 * newer than any cutoff, for a skill that was never active.
 */
export const ageingAnchor = (record: AgeingRecord, { neverActive = 'exempt', notBefore = 0 }: NextStateOptions = {}): number => {
  const { lastActivityAt, restoredAt = 0, createdAt = 0 } = record
  // The seed has no activity before 1970; Python Hermes does.
  const wasActive = neverActive === 'exempt' ? lastActivityAt > 0 : lastActivityAt !== 0
  const known = newest([...(wasActive ? [lastActivityAt] : []), ...(restoredAt === 0 ? [] : [restoredAt])])
  const fallback = neverActive === 'from-creation' && createdAt !== 0 ? createdAt : Number.POSITIVE_INFINITY
  return Math.max(known ?? fallback, notBefore === 0 ? Number.NEGATIVE_INFINITY : notBefore)
}

/**
 * Cutoffs in epoch milliseconds, inclusive. The archive cutoff is checked first, so an old skill skips stale; a skill never leaves the
 * archive by itself.
 */
export const nextState = (record: AgeingRecord, staleCutoff: number, archiveCutoff: number, options: NextStateOptions = {}): SkillState => {
  const { state, useCount = Number.NaN } = record
  const anchor = ageingAnchor(record, options)
  // As in Python Hermes, a skill that was never used is not archived before it could be stale. Matters only if the archive cutoff comes
  // before the stale one.
  const isSpared = options.neverActive === 'from-creation' && useCount === 0 && anchor > staleCutoff
  if (anchor <= archiveCutoff && state !== 'archived' && !isSpared) return 'archived'
  if (anchor <= staleCutoff && state === 'active') return 'stale'
  if (anchor > staleCutoff && state === 'stale') return 'active'
  return state
}
