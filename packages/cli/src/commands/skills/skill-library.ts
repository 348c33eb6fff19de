/** All skills, including shared ones, with usage and owner, for lists. */

import { ok, type Result } from '@hermes/core'
import {
  judgeOwnership,
  NO_OWNERSHIP_MARKS,
  readOwnershipMarks,
  type SkillListEntry,
  type SkillOwner,
  type SkillRow,
  toSkillRow,
} from '@hermes/core/skills'
import type { Context } from '../../context.ts'
import { openSkills, openUsage } from './open-skills.ts'
import { sharedSkills } from './shared-skills.ts'

/** A row with its owner. */
export interface OwnedSkillRow extends SkillRow {
  /** `shared`: read-only, and its use is not counted. */
  readonly owner: SkillOwner | 'shared'
  /** The skill belongs to a person, and the curator may manage it. */
  readonly managed: boolean
}

export interface SkillLibrary {
  readonly skills: readonly OwnedSkillRow[]
  readonly archivedCount: number
}

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
  const toRow = (skill: SkillListEntry): OwnedSkillRow => {
    const record = records.get(skill.name)
    const row = toSkillRow(skill, record)
    if (row.shared) return { ...row, owner: 'shared', managed: false }
    const { owner, grant } = judgeOwnership(skill, record, marks.ok ? marks.value : NO_OWNERSHIP_MARKS)
    return { ...row, owner, managed: grant !== undefined }
  }
  return ok({ skills: listing.value.skills.map(toRow), archivedCount: archive.value.entries.length })
}
