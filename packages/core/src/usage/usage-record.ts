/** What is known about the use of one skill (seed 000, reference skills-curator 4). */

export const SKILL_STATES = ['active', 'stale', 'archived'] as const

export type SkillState = (typeof SKILL_STATES)[number]

export interface UsageRecord {
  /** `agent`: the curator may manage it. `null`: nobody said. Other words of other programs are kept. */
  readonly createdBy: string | null
  /** The model that wrote the skill, as its provider names it; null where that is not known. */
  readonly createdByModel: string | null
  /** The model that changed it last; null where that is not known, or it was no model. */
  readonly patchedByModel: string | null
  readonly state: SkillState
  readonly pinned: boolean
  readonly useCount: number
  readonly viewCount: number
  readonly patchCount: number
  /** Epoch milliseconds, 0 = never. A fraction carries the microseconds of a stamp that Python wrote; so for every `…At`. */
  readonly lastUsedAt: number
  readonly lastViewedAt: number
  readonly lastPatchedAt: number
  /** 0 = not known. */
  readonly createdAt: number
  /** 0 = not archived. */
  readonly archivedAt: number
  /** Goes up with each patch. */
  readonly patchGeneration: number
  /** The generation that was current when a used skill was used again: below `patchGeneration`, the last patch is unproven. */
  readonly lastReusedPatchGeneration: number
  /** When it last came back from the archive, where its clock starts anew; 0 = never. */
  readonly restoredAt: number
  /** How often it came back from the archive: each time, putting it away was a mistake. */
  readonly misjudgements: number
  /** Turns that loaded it and came to their end, less those of a later correction. */
  readonly successCount: number
  /** Changes by a review that cites the user, after the session had loaded it. */
  readonly correctionCount: number
  /** Derived, never stored: the newest of use, view and patch; 0 = never. Creation is not activity. */
  readonly lastActivityAt: number
}

/** A record as it is written: without what is derived from the rest. */
export type UsageRecordInput = Omit<UsageRecord, 'lastActivityAt'>

/** Times before 1970 count too, so the newest is not simply the greatest beside the zeros. */
const newestOf = (times: readonly number[]): number => {
  const known = times.filter((time) => time !== 0)
  return known.length === 0 ? 0 : Math.max(...known)
}

export const toUsageRecord = (input: UsageRecordInput): UsageRecord => ({
  ...input,
  lastActivityAt: newestOf([input.lastUsedAt, input.lastViewedAt, input.lastPatchedAt]),
})

export const newUsageRecord = (createdAt: number, createdBy: string | null = null, createdByModel: string | null = null): UsageRecord =>
  toUsageRecord({
    createdBy,
    createdByModel,
    patchedByModel: null,
    state: 'active',
    pinned: false,
    useCount: 0,
    viewCount: 0,
    patchCount: 0,
    lastUsedAt: 0,
    lastViewedAt: 0,
    lastPatchedAt: 0,
    createdAt,
    archivedAt: 0,
    patchGeneration: 0,
    lastReusedPatchGeneration: 0,
    restoredAt: 0,
    misjudgements: 0,
    successCount: 0,
    correctionCount: 0,
  })
