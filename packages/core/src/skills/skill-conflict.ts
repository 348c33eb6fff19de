/** Conflicts when a skill is put into the library: its name or place is taken. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { isBelow } from '../storage/document-tree.ts'
import { SKILLS_FOLDER, type SkillFolder } from './skill-discovery.ts'
import { namesOf, type SkillSurvey } from './skill-index.ts'
import { toCandidates } from './skill-listing.ts'

export interface PlannedSkill {
  readonly folder: SkillFolder
  readonly name: string
}

/** What to do about each kind of conflict, as a sentence. */
export interface ConflictAdvice {
  readonly name: string
  readonly folder: string
}

/** File systems that ignore case treat such names as one. */
export const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** `occupied`, with all of the folders in `details.candidates`. */
export const nameTaken = (name: string, folders: readonly SkillFolder[], advice: Pick<ConflictAdvice, 'name'>): HermesError => {
  const candidates = toCandidates(folders)
  const message = `There is already a skill named '${name}': ${candidates.join(', ')}. ${advice.name}`
  return new HermesError('occupied', message, { details: { name, candidates } })
}

/** `occupied` if its name or folder is taken; otherwise `undefined`. */
export const takenBy = (
  { folder, name }: PlannedSkill,
  { skills, documents }: SkillSurvey,
  advice: ConflictAdvice,
): HermesError | undefined => {
  const { path, folderName } = folder
  for (const wanted of new Set([name, folderName])) {
    const others = skills.filter((skill) => [...namesOf(skill)].some((other) => isSameName(other, wanted))).map((other) => other.folder)
    if (others.length > 0) return nameTaken(wanted, others, advice)
  }
  const own = `${SKILLS_FOLDER}/${path}`.toLowerCase()
  const occupant = documents.find((document) => document.path.toLowerCase() === own || isBelow(document.path.toLowerCase(), own))
  if (!occupant) return undefined
  const message = `'${SKILLS_FOLDER}/${path}' already contains files, such as '${occupant.path}'. ${advice.folder}`
  return new HermesError('occupied', message, { details: { path: occupant.path } })
}

/** `invalid` if a new skill would be inside another. */
export const categoryConflict = ({ folder }: PlannedSkill, { skills }: SkillSurvey, advice: string): HermesError | undefined => {
  const { category } = folder
  if (category === undefined || !skills.some((other) => isSameName(other.folder.path, category))) return undefined
  const message = `'${category}' is a skill, not a category: a skill cannot be inside another. ${advice}`
  return new HermesError('invalid', message, { details: { category } })
}
