/** The skills of the home with their use, read afresh: for /skills. */
import type { Hermes, SkillListEntry, SkillState } from '@hermes/core'

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
  /** True: made by the agent, so that the reviewer may improve it. */
  readonly byAgent: boolean
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

const NEVER_USED = { state: 'active', pinned: false, useCount: 0, patchCount: 0, lastActivityAt: 0, createdBy: null } as const

/** Contract: never rejects. */
export const readSkillsOverview = async (hermes: Hermes): Promise<SkillsOverview> => {
  const store = hermes.skillStore()
  const usage = hermes.usageStore()
  const [listed, archive, records, sound] = await Promise.all([store.list(), store.listArchived(), usage.all(), usage.load()])
  if (!listed.ok) return { skills: [], archived: [], problems: [listed.error.message] }
  const toOverview = ({ name, description, category, path }: SkillListEntry): SkillOverview => {
    const { createdBy, ...counts } = records.get(name) ?? NEVER_USED
    const { state, pinned, useCount, patchCount, lastActivityAt } = counts
    return { name, description, category, path, state, pinned, useCount, patchCount, lastActivityAt, byAgent: createdBy === 'agent' }
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
    ].map(({ message }) => message),
  }
}
