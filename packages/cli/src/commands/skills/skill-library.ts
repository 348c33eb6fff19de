/** All skills, including shared ones, with usage and owner, for lists. */

import { ok, type Result } from '@hermes/core'
import {
  judgeOwnership,
  NO_OWNERSHIP_MARKS,
  readOwnershipMarks,
  type SkillListEntry,
  type SkillOwner,
  type SkillState,
  type UsageRecord,
} from '@hermes/core/skills'
import type { Context } from '../../context.ts'
import { openSkills, openUsage } from './open-skills.ts'
import { sharedSkills } from './shared-skills.ts'

export interface SkillRow {
  readonly name: string
  /** Relative to the folder of skills. */
  readonly path: string
  readonly category: string | undefined
  readonly description: string
  readonly state: SkillState
  readonly pinned: boolean
  /** `shared`: read-only, and its use is not counted. */
  readonly owner: SkillOwner | 'shared'
  /** The skill belongs to a person, and the curator may manage it. */
  readonly managed: boolean
  readonly useCount: number
  readonly viewCount: number
  readonly patchCount: number
  readonly successCount: number
  readonly correctionCount: number
  readonly createdByModel: string | null
  readonly patchedByModel: string | null
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly lastActivityAt: number
  /** Problems of the SKILL.md. */
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[]
}

export interface SkillLibrary {
  readonly skills: readonly SkillRow[]
  readonly archivedCount: number
}

const NO_USE = {
  state: 'active',
  pinned: false,
  useCount: 0,
  viewCount: 0,
  patchCount: 0,
  successCount: 0,
  correctionCount: 0,
  createdByModel: null,
  patchedByModel: null,
  createdAt: 0,
  lastUsedAt: 0,
  lastActivityAt: 0,
} as const

const toUse = ({
  state,
  pinned,
  useCount,
  viewCount,
  patchCount,
  successCount,
  correctionCount,
  createdByModel,
  patchedByModel,
  createdAt,
  lastUsedAt,
  lastActivityAt,
}: UsageRecord) => ({
  state,
  pinned,
  useCount,
  viewCount,
  patchCount,
  successCount,
  correctionCount,
  createdByModel,
  patchedByModel,
  createdAt,
  lastUsedAt,
  lastActivityAt,
})

/** Parts that cannot be read are reported as warnings; the rest is returned. */
export const readSkillLibrary = async (context: Context): Promise<Result<SkillLibrary>> => {
  const { storage, clock, warn } = context
  const store = openSkills(context)
  const reader = store.withShared(sharedSkills(context))
  const usage = openUsage(context)
  // At once, so that live and archived skills come from one listing.
  const [listing, archive, records, marks] = await Promise.all([
    reader.list(),
    store.listArchived(),
    usage.all(),
    readOwnershipMarks(storage, { clock }),
  ])
  if (!listing.ok) return listing
  if (!archive.ok) return archive
  if (!marks.ok) warn(`The owners of the skills cannot be read: ${marks.error.message}`)
  for (const { message } of [...listing.value.problems, ...archive.value.problems]) warn(message)
  const toRow = (skill: SkillListEntry): SkillRow => {
    const { name, path, category, description, diagnostics } = skill
    if (skill.sharedFrom !== undefined)
      return { name, path, category, description, ...NO_USE, owner: 'shared', managed: false, diagnostics }
    const record = records.get(name)
    const { owner, grant } = judgeOwnership(skill, record, marks.ok ? marks.value : NO_OWNERSHIP_MARKS)
    const use = record ? toUse(record) : NO_USE
    return { name, path, category, description, ...use, owner, managed: grant !== undefined, diagnostics }
  }
  return ok({ skills: listing.value.skills.map(toRow), archivedCount: archive.value.entries.length })
}
