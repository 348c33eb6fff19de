/** The groups of skills to ask about: skills that may belong together and have changed since the last question. */
import type { SkillHome } from '../../ownership/skill-home.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import { type MergeableSkill, readConsolidationLibrary, readShown } from '../library.ts'
import { type ClusterSubject, clusterSkills } from './clusters.ts'
import { isSettled, markOfGroup, markOfSkill, readSettled } from './settled.ts'

export interface ConsolidationGroup {
  readonly label: string
  /** Names of its skills, the most central first. */
  readonly names: readonly string[]
  readonly mark: string
}

export interface ConsolidationGroups {
  /** The best first. */
  readonly due: readonly ConsolidationGroup[]
  readonly unchanged: number
  /** Earlier answers cannot be read: every group is asked about again. */
  readonly problem: HermesError | undefined
}

/** Maximum number of texts in memory at once. */
const READ_AT_ONCE = 64
const MAX_HEADINGS = 40

interface Known {
  readonly skill: MergeableSkill
  readonly subject: ClusterSubject
  readonly mark: string
}

const headingsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#{1,4}[ \t]+(.+)$/gm)].slice(0, MAX_HEADINGS).map(([, heading = '']) => heading)

/** Keeps the words and marks of the skills, not their texts. */
const readKnown = async ({ storage }: SkillHome, skills: readonly MergeableSkill[]): Promise<Result<readonly Known[]>> => {
  const known: Known[] = []
  for (let start = 0; start < skills.length; start += READ_AT_ONCE) {
    const read = await readShown(storage, skills.slice(start, start + READ_AT_ONCE))
    if (!read.ok) return read
    for (const { text, bytes: _bytes, version: _version, ...skill } of read.value) {
      const { path, name, description } = skill
      known.push({ skill, subject: { path, name, description, headings: headingsOf(text) }, mark: markOfSkill(skill, text) })
    }
  }
  return ok(known)
}

/** A group without any skill that may be archived is left out. */
export const readGroups = async (deps: SkillHome): Promise<Result<ConsolidationGroups>> => {
  const library = await readConsolidationLibrary(deps)
  if (!library.ok) return library
  const known = await readKnown(deps, [...library.value.mergeable.values()])
  if (!known.ok) return known
  const settled = await readSettled(deps.storage, deps.clock())
  const byPath = new Map(known.value.map((each) => [each.subject.path, each]))
  const groups = clusterSkills(known.value.map(({ subject }) => subject)).flatMap(({ label, paths }) => {
    const members = paths.flatMap((path) => byPath.get(path) ?? [])
    if (members.every(({ skill }) => skill.mustStay !== undefined)) return []
    return [{ label, names: members.map(({ skill }) => skill.name), mark: markOfGroup(members.map(({ mark }) => mark)) }]
  })
  const due = groups.filter(({ mark }) => !(settled.ok && isSettled(settled.value, mark)))
  return ok({ due, unchanged: groups.length - due.length, problem: settled.ok ? undefined : settled.error })
}
