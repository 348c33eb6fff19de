/** The skills of the home with their use, read afresh: for /skills. */
import type { Hermes, StorageBackend } from '@hermes/core'
import {
  judgeOwnership,
  NO_OWNERSHIP_MARKS,
  readOwnershipMarks,
  type SkillListEntry,
  type SkillOwner,
  type SkillState,
} from '@hermes/core/skills'

export interface SkillOverview {
  readonly name: string
  readonly description: string
  readonly category: string | undefined
  /** Below the folder of skills, such as `devops/deploy`. */
  readonly path: string
  readonly state: SkillState
  readonly pinned: boolean
  readonly useCount: number
  readonly patchCount: number
  /** Epoch milliseconds, 0 = never. */
  readonly lastActivityAt: number
  /** Whose it is (`shared`: it can be read and not be changed); undefined where that cannot be told. What is the agent's own, the reviewer may improve. */
  readonly owner: SkillOwner | 'shared' | undefined
  /** A person's skill that was handed over to the curator. */
  readonly managed: boolean
}

/** A skill in the archive, from where it can be brought back. */
export interface ArchivedOverview {
  readonly name: string
  /** Epoch milliseconds; 0 = not known. */
  readonly archivedAt: number
  readonly reason: string | undefined
  readonly absorbedInto: string | undefined
}

export interface SkillsOverview {
  readonly skills: readonly SkillOverview[]
  readonly archived: readonly ArchivedOverview[]
  /** What could not be read, in words; empty when all is well. */
  readonly problems: readonly string[]
}

const NEVER_USED = { state: 'active', pinned: false, useCount: 0, patchCount: 0, lastActivityAt: 0 } as const

/** Contract: never rejects. */
export const readSkillsOverview = async (hermes: Hermes, storage: StorageBackend): Promise<SkillsOverview> => {
  const store = hermes.skillStore()
  const usage = hermes.usageStore()
  const [listed, archive, records, sound, marks] = await Promise.all([
    hermes.skillReader().list(),
    store.listArchived(),
    usage.all(),
    usage.load(),
    readOwnershipMarks(storage),
  ])
  if (!listed.ok) return { skills: [], archived: [], problems: [listed.error.message] }
  const toOverview = (skill: SkillListEntry): SkillOverview => {
    const { name, description, category, path } = skill
    const record = skill.sharedFrom === undefined ? records.get(name) : undefined
    const { state, pinned, useCount, patchCount, lastActivityAt } = record ?? NEVER_USED
    const { owner, grant } = judgeOwnership(skill, record, marks.ok ? marks.value : NO_OWNERSHIP_MARKS)
    const known = skill.sharedFrom === undefined ? (marks.ok && sound.ok ? owner : undefined) : 'shared'
    return {
      name,
      description,
      category,
      path,
      state,
      pinned,
      useCount,
      patchCount,
      lastActivityAt,
      owner: known,
      managed: skill.sharedFrom === undefined && grant !== undefined,
    }
  }
  return {
    skills: listed.value.skills.map(toOverview),
    archived: archive.ok
      ? archive.value.entries.map(({ name, archivedAt, reason, absorbedInto }) => ({ name, archivedAt, reason, absorbedInto }))
      : [],
    problems: [
      ...listed.value.problems,
      ...(archive.ok ? archive.value.problems : [archive.error]),
      // Counts read as nothing while their file is broken; then nobody knows whose a skill is.
      ...(sound.ok ? [] : [sound.error]),
      ...(marks.ok ? [] : [marks.error]),
    ].map(({ message }) => message),
  }
}
