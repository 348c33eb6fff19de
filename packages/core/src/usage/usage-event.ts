/** Events of a skill and their effect on its record (reference skills-curator 4). */

import { NO_TEXTS, newUsageRecord, type SkillState, toUsageRecord, type UsageRecord } from './usage-record.ts'
import { addUse } from './uses-by-day.ts'

export const USAGE_EVENTS = ['use', 'view', 'patch', 'create', 'success', 'correction'] as const

/**
 * `use`: it was put into a prompt. `view`: somebody read it. `patch`: its text or files changed. `create`: a new skill with this name.
 * `success`: a turn that loaded it was completed. `correction`: the user had to correct its result; takes back one success.
 */
export type UsageEvent = (typeof USAGE_EVENTS)[number]

export interface UsageEventDetails {
  /** For `create` only: `'agent'` lets the curator manage the skill. Default `null`. */
  readonly createdBy?: string | null
  /** For `create` and `patch`: the model that wrote it, as its provider names it. Default `null`: none, or unknown. */
  readonly model?: string | null
  /** For `create` and `patch`: a file that was written out of own words alone, with the SHA-256 of its text. */
  readonly own?: { readonly filePath: string; readonly digest: string } | undefined
}

const countUse = ({ usesByDay }: UsageRecord, at: number): Pick<UsageRecord, 'usesByDay'> => {
  const next = addUse(usesByDay, at)
  return next === undefined ? {} : { usesByDay: next }
}

/** `create` resets the whole record, since the name now belongs to another text. A missing record is created. */
export const applyUsageEvent = (
  current: UsageRecord | undefined,
  event: UsageEvent,
  at: number,
  { createdBy = null, model = null, own }: UsageEventDetails = {},
): UsageRecord => {
  const record = current ?? newUsageRecord(at)
  const written = own ? { [own.filePath]: own.digest } : NO_TEXTS
  switch (event) {
    case 'create':
      return { ...newUsageRecord(at, createdBy, model), ownTexts: written }
    case 'use':
      return toUsageRecord({
        ...record,
        ...countUse(record, at),
        useCount: record.useCount + 1,
        lastUsedAt: at,
        // The first use after creation does not count as a reuse.
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
        ...(own ? { ownTexts: { ...record.ownTexts, ...written } } : {}),
      })
    case 'success':
      return { ...record, successCount: record.successCount + 1 }
    case 'correction':
      return { ...record, successCount: Math.max(0, record.successCount - 1), correctionCount: record.correctionCount + 1 }
  }
}

/** `archived` sets the time of archiving, `active` clears it. */
export const applyState = (record: UsageRecord, state: SkillState, at: number): UsageRecord => {
  if (state === 'stale') return { ...record, state }
  return { ...record, state, archivedAt: state === 'active' ? 0 : at }
}

/** Restored from the archive: its age starts anew, and archiving it counts as a mistake (DESIGN 3). */
export const applyRestore = (record: UsageRecord, at: number): UsageRecord => ({
  ...applyState(record, 'active', at),
  restoredAt: at,
  misjudgements: record.misjudgements + 1,
})
