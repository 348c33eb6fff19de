/** A skill that the curator archived because nobody used it comes back when it is asked for (DESIGN 7): by name, or because a review is about to write it anew. */

import { toSkillRecord } from '../../journal/host-writes.ts'
import type { Journal } from '../../journal/journal.ts'
import { judgeOwnership, readOwnershipMarks } from '../../ownership/skill-ownership.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { ArchivedSkill, RestoredSkill } from '../../skills/archive.ts'
import { liveFolderOf } from '../../skills/restore-skill.ts'
import { findSimilarSkills } from '../../skills/similar-skills.ts'
import { isSameName } from '../../skills/skill-lookup.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { WritableSkills } from './disposal-options.ts'

/** The unused skills of the archive, newest first. What merged into another one, or was put away by a person or the agent, is none of them. */
const unusedSkills = async (store: SkillStore): Promise<readonly ArchivedSkill[]> => {
  const listed = await store.listArchived()
  return listed.ok ? listed.value.entries.filter(({ unused }) => unused === true) : []
}

/** The newest unused skill of this name or folder. */
export const findUnused = async (name: string, store: SkillStore): Promise<ArchivedSkill | undefined> =>
  (await unusedSkills(store)).find((skill) =>
    [skill.name, liveFolderOf(skill).folderName, liveFolderOf(skill).path].some((own) => isSameName(own, name)),
  )

/**
 * From 0 to 1: below it, a new skill may be for another subject. Measured with 10 kinds of tasks about 10 subjects: the same task in other words scores 0.86 or more,
 * the same kind about another subject 0.8 or less, another kind 0.41 or less.
 */
const SAME_TASK = 0.83

const sameTask = (skill: { readonly name: string; readonly description: string }, others: Parameters<typeof findSimilarSkills>[1]) =>
  findSimilarSkills(skill, others).find(({ score }) => score >= SAME_TASK)

/** Skills that do what a new one would do: a live one of the home, else an unused one. */
export const findTwin = async (
  skill: { readonly name: string; readonly description: string },
  store: SkillStore,
): Promise<{ readonly live?: string; readonly unused?: ArchivedSkill }> => {
  const listed = await store.list()
  const live = listed.ok ? sameTask(skill, listed.value.skills) : undefined
  if (live) return { live: live.name }
  const archived = await unusedSkills(store)
  const same = archived.find(({ name }) => isSameName(name, skill.name))
  const similar = same
    ? undefined
    : sameTask(
        skill,
        archived.map(({ name, description = '', id }) => ({ name, description, path: id })),
      )
  const unused = same ?? archived.find(({ id }) => id === similar?.path)
  return unused ? { unused } : {}
}

/** With its line in the journal. A name that belongs to a bundled or installed skill by now is left alone: `undefined`. */
export const bringBack = async (
  skill: ArchivedSkill,
  { store, storage, clock }: WritableSkills,
  journal: Pick<Journal, 'append'> | undefined,
  actor: 'agent' | 'review',
): Promise<Result<RestoredSkill | undefined>> => {
  const marks = await readOwnershipMarks(storage, clock ? { clock } : {})
  if (!marks.ok) return marks
  const { owner } = judgeOwnership({ ...liveFolderOf(skill), name: skill.name }, undefined, marks.value)
  if (owner === 'bundled' || owner === 'hub') return ok(undefined)
  const restored = await store.restore(skill.id)
  if (!restored.ok) return restored
  const written = await journal?.append([{ ...toSkillRecord({ kind: 'restored', restored: restored.value }, 'host'), actor }])
  return written?.ok === false ? written : restored
}
