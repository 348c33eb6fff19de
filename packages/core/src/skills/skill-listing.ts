/** The list of all skills in a library, with its problems (reference skills-curator 3). Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import { SKILL_FILE, type SkillFolder } from './skill-discovery.ts'
import { type GlancedSkill, namesOf, type SkillGlance, type SkillSurvey } from './skill-index.ts'

/** The name is the key of its usage record. */
export interface SkillListEntry extends SkillFolder, SkillGlance {
  /** Position in `skills.shared` of the storage that holds it; absent for a skill of this home. */
  readonly sharedFrom?: number
}

export interface SkillListing {
  /** By category, then name; skills without a category first. Includes skills of the same name. */
  readonly skills: readonly SkillListEntry[]
  /**
   * `unreadable`: a skill or folder that is left out, in `details.path`. `ambiguous`: several skills have the name in `details.name`, see
   * `details.candidates`.
   */
  readonly problems: readonly HermesError[]
}

/** Unambiguous, even if a skill at the top shares its name with one in a category. */
export const toCandidates = (folders: readonly SkillFolder[]): readonly string[] => folders.map(({ path }) => `${path}/${SKILL_FILE}`)

const sharedNames = (skills: readonly GlancedSkill[]): readonly HermesError[] => {
  const byName = new Map<string, SkillFolder[]>()
  for (const skill of skills) {
    for (const name of namesOf(skill)) {
      const folders = byName.get(name)
      if (folders) folders.push(skill.folder)
      else byName.set(name, [skill.folder])
    }
  }
  return [...byName]
    .filter(([, folders]) => folders.length > 1)
    .map(([name, folders]) => {
      const candidates = toCandidates(folders)
      const message = `${folders.length} skills are named '${name}': ${candidates.join(', ')}. Rename or archive all but one; until then refer to them by path.`
      return new HermesError('ambiguous', message, { details: { name, candidates } })
    })
}

export const byListOrder = (a: SkillListEntry, b: SkillListEntry): number =>
  byCodeUnit(a.category ?? '', b.category ?? '') || byCodeUnit(a.name, b.name) || byCodeUnit(a.path, b.path)

export const toListing = ({ skills, problems }: SkillSurvey): SkillListing => {
  const sound = skills.flatMap(({ folder, glance }): SkillListEntry[] => (glance.ok ? [{ ...folder, ...glance.value }] : []))
  const unreadable = skills.flatMap(({ glance }) => (glance.ok ? [] : [glance.error]))
  return { skills: sound.sort(byListOrder), problems: [...unreadable, ...problems, ...sharedNames(skills)] }
}
