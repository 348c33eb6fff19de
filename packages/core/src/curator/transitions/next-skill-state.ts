/** The decision about one skill: active → stale → archived, and back to active (seed 000, reference skills-curator 10). Pure. */
import type { SkillState, UsageRecord } from '../../usage/usage-record.ts'

/** `exempt`: what was never used is never old (seed 000). `from-creation`: its age counts from its creation, as in Python Hermes. */
export type NeverActive = 'exempt' | 'from-creation'

/** What the decision looks at. A `UsageRecord` is one. */
export interface AgeingRecord
  extends Pick<UsageRecord, 'state' | 'lastActivityAt'>,
    Partial<Pick<UsageRecord, 'createdAt' | 'restoredAt' | 'useCount'>> {}

export interface NextStateOptions {
  /** Default `exempt`. */
  readonly neverActive?: NeverActive
  /** Epoch milliseconds: the skill is no older than this, whatever its record says; a person handed it over then. */
  readonly notBefore?: number
}

const newest = (times: readonly number[]): number | undefined => (times.length === 0 ? undefined : Math.max(...times))

/**
 * What the age counts from, in epoch milliseconds: the newest of its activity and its return from the archive. Infinity, which is newer
 * than any cutoff, for a skill that was never active.
 */
export const ageingAnchor = (record: AgeingRecord, { neverActive = 'exempt', notBefore = 0 }: NextStateOptions = {}): number => {
  const { lastActivityAt, restoredAt = 0, createdAt = 0 } = record
  // The seed knows no activity before 1970; Python does.
  const wasActive = neverActive === 'exempt' ? lastActivityAt > 0 : lastActivityAt !== 0
  const known = newest([...(wasActive ? [lastActivityAt] : []), ...(restoredAt === 0 ? [] : [restoredAt])])
  const fallback = neverActive === 'from-creation' && createdAt !== 0 ? createdAt : Number.POSITIVE_INFINITY
  return Math.max(known ?? fallback, notBefore === 0 ? Number.NEGATIVE_INFINITY : notBefore)
}

/**
 * Cutoffs in epoch milliseconds, inclusive: at the very cutoff a skill has aged. Archive is asked before stale, so that what is old enough
 * skips stale; nothing comes back from archived by itself.
 */
export const nextState = (record: AgeingRecord, staleCutoff: number, archiveCutoff: number, options: NextStateOptions = {}): SkillState => {
  const { state, useCount = Number.NaN } = record
  const anchor = ageingAnchor(record, options)
  // Python's floor for what was never used: no archive before it could be stale. It only shows where archive comes before stale.
  const isSpared = options.neverActive === 'from-creation' && useCount === 0 && anchor > staleCutoff
  if (anchor <= archiveCutoff && state !== 'archived' && !isSpared) return 'archived'
  if (anchor <= staleCutoff && state === 'active') return 'stale'
  if (anchor > staleCutoff && state === 'stale') return 'active'
  return state
}
