/** The usage record of one skill (seed 000, reference skills-curator 4). */

export const SKILL_STATES = ['active', 'stale', 'archived'] as const

export type SkillState = (typeof SKILL_STATES)[number]

export interface UsageRecord {
  /** `agent`: the curator may manage it. `null`: unknown. Other programs' values are kept. */
  readonly createdBy: string | null
  /** The model that wrote the skill, as its provider names it; null if unknown. */
  readonly createdByModel: string | null
  /** The model that changed it last; null if unknown or not a model. */
  readonly patchedByModel: string | null
  readonly state: SkillState
  readonly pinned: boolean
  readonly useCount: number
  readonly viewCount: number
  readonly patchCount: number
  /** Epoch milliseconds, 0 = never. A fraction holds the microseconds of a stamp written by Python. The same for every `…At`. */
  readonly lastUsedAt: number
  readonly lastViewedAt: number
  readonly lastPatchedAt: number
  /** 0 = unknown. */
  readonly createdAt: number
  /** 0 = not archived. */
  readonly archivedAt: number
  /** Incremented by each patch. */
  readonly patchGeneration: number
  /** The patch generation at the last reuse: below `patchGeneration`, the last patch has not been tried yet. */
  readonly lastReusedPatchGeneration: number
  /** When it was last restored from the archive, from which its age counts; 0 = never. */
  readonly restoredAt: number
  /** How often it was restored from the archive: each time, archiving it was a mistake. */
  readonly misjudgements: number
  /** Completed turns that loaded it, minus later corrections. */
  readonly successCount: number
  /** Changes by a review that cites the user, after the session had loaded the skill. */
  readonly correctionCount: number
  /**
   * SHA-256 of each file's text as it was when last written out of own words alone, by its path in the skill's folder: only a file that still has this text is
   * not from outside (DESIGN 5).
   */
  readonly ownTexts: Readonly<Record<string, string>>
  /** Uses by UTC day, for `readUsesByDay`; absent if none was counted. A record that is written without it leaves what is stored. */
  readonly usesByDay?: string
  /** Derived, never stored: the latest use, view or patch; 0 = never. Creation is not activity. */
  readonly lastActivityAt: number
}

/** A record without its derived fields, as it is written. */
export type UsageRecordInput = Omit<UsageRecord, 'lastActivityAt'>

export const NO_TEXTS: UsageRecord['ownTexts'] = {}

/** Times before 1970 are negative, so the latest is not simply the maximum with the zeros. */
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
    ownTexts: NO_TEXTS,
  })
