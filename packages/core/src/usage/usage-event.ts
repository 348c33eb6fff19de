/** What happens to a skill, and what it does to its record (reference skills-curator 4). */
import { newUsageRecord, type SkillState, toUsageRecord, type UsageRecord } from './usage-record.ts'

export const USAGE_EVENTS = ['use', 'view', 'patch', 'create', 'success', 'correction'] as const

/**
 * `use`: it went into a prompt. `view`: somebody read it. `patch`: its text or files changed. `create`: a new skill took the name. `success`: a turn that loaded
 * it came to its end. `correction`: the user had to correct what it led to, which takes such a success back.
 */
export type UsageEvent = (typeof USAGE_EVENTS)[number]

export interface UsageEventDetails {
  /** Of `create` alone: `'agent'` lets the curator manage the skill. Default `null`. */
  readonly createdBy?: string | null
  /** Of `create` and `patch`: the model that wrote it, as its provider names it. Default `null`: none, or not known. */
  readonly model?: string | null
}

/** `create` starts the whole record anew: the name now belongs to another text. A record that is absent is created on the way. */
export const applyUsageEvent = (
  current: UsageRecord | undefined,
  event: UsageEvent,
  at: number,
  { createdBy = null, model = null }: UsageEventDetails = {},
): UsageRecord => {
  const record = current ?? newUsageRecord(at)
  switch (event) {
    case 'create':
      return newUsageRecord(at, createdBy, model)
    case 'use':
      return toUsageRecord({
        ...record,
        useCount: record.useCount + 1,
        lastUsedAt: at,
        // The first use after creation is no re-use.
        lastReusedPatchGeneration: record.useCount > 0 ? record.patchGeneration : record.lastReusedPatchGeneration,
      })
    case 'view':
      return toUsageRecord({ ...record, viewCount: record.viewCount + 1, lastViewedAt: at })
    case 'patch':
      return toUsageRecord({
        ...record,
        patchCount: record.patchCount + 1,
        lastPatchedAt: at,
        patchGeneration: record.patchGeneration + 1,
        patchedByModel: model,
      })
    case 'success':
      return { ...record, successCount: record.successCount + 1 }
    case 'correction':
      return { ...record, successCount: Math.max(0, record.successCount - 1), correctionCount: record.correctionCount + 1 }
  }
}

/** `archived` is stamped with the time, `active` forgets it. */
export const applyState = (record: UsageRecord, state: SkillState, at: number): UsageRecord => {
  if (state === 'stale') return { ...record, state }
  return { ...record, state, archivedAt: state === 'active' ? 0 : at }
}

/** Back from the archive: its clock starts anew, and that it was put away counts as a mistake (DESIGN 3). */
export const applyRestore = (record: UsageRecord, at: number): UsageRecord => ({
  ...applyState(record, 'active', at),
  restoredAt: at,
  misjudgements: record.misjudgements + 1,
})
