/** Restores a skill from the archive to its former place, unless its name or place is taken, in one update with the line of the writer's log (reference skills-curator 9). */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import { ARCHIVE_FOLDER, type ArchivedSkill, manifestPath, type RestoredSkill, readArchiveName } from './archive.ts'
import { type SkillLibrary, updateSkills } from './change-skill.ts'
import { type ArchiveListing, listArchive } from './list-archive.ts'
import { similarityRatio, toCodePoints } from './patch/similarity.ts'
import { isSkillSeenAt, SKILL_FILE, SKILLS_FOLDER, type SkillFolder, toFolder } from './skill-discovery.ts'
import type { SkillSurvey } from './skill-index.ts'
import { atPresent, onFreshSurvey, takenBy } from './skill-lookup.ts'

const LEAST_ALIKE = 0.6
const MAX_NAMES = 5
const MAX_COMPARED_CHARS = 128

/** Best first, at most five; empty if no name is similar. */
const closestNames = (wanted: string, names: readonly string[]): readonly string[] => {
  const points = toCodePoints(wanted.slice(0, MAX_COMPARED_CHARS).toLowerCase())
  const budget = { left: 2_000_000 }
  return [...new Set(names)]
    .map((name) => ({ name, ratio: similarityRatio(points, toCodePoints(name.slice(0, MAX_COMPARED_CHARS).toLowerCase()), budget) }))
    .filter(({ name, ratio }) => ratio >= LEAST_ALIKE || (wanted.length > 2 && name.includes(wanted)))
    .sort((a, b) => b.ratio - a.ratio || byCodeUnit(a.name, b.name))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name)
}

const folderNameOf = ({ path }: ArchivedSkill): string => toFolder(path).folderName

/** The folder's own name if it is the skill's name; otherwise without the time stamp that the archive added. */
const liveFolderName = (skill: ArchivedSkill): string => {
  const folderName = folderNameOf(skill)
  return folderName === skill.name ? folderName : readArchiveName(folderName).base
}

/** Where the skill would be restored to. */
export const liveFolderOf = (skill: ArchivedSkill): SkillFolder => toFolder(skill.from ?? liveFolderName(skill))

const answersTo = (skill: ArchivedSkill, name: string): boolean => skill.name === name || liveFolderOf(skill).folderName === name

const notFound = (target: string, { entries }: ArchiveListing): HermesError => {
  const candidates = closestNames(
    target,
    entries.flatMap((skill) => [skill.name, folderNameOf(skill)]),
  )
  const advice = candidates.length > 0 ? `Close to it: ${candidates.join(', ')}.` : 'List the archived skills to see their names.'
  return new HermesError('not_found', `There is no skill '${target.slice(0, 80)}' in the archive. ${advice}`, {
    details: { name: target, candidates },
  })
}

/** An id matches exactly. A name means the newest entry with that name; the folder's name in the archive comes last. Pure. */
export const findArchived = (
  target: string,
  listing: ArchiveListing,
): Result<{ readonly skill: ArchivedSkill; readonly others: readonly ArchivedSkill[] }> => {
  const { entries } = listing
  const exact = entries.find(({ id }) => id === target)
  const named = entries.filter((skill) => answersTo(skill, exact?.name ?? target))
  const skill = exact ?? named[0] ?? entries.find(({ path }) => path === target)
  if (!skill) return err(notFound(target, listing))
  return ok({ skill, others: named.filter((other) => other !== skill) })
}

const adviceFor = ({ id }: ArchivedSkill) => ({
  name: `Rename or archive that one first, then restore '${id}'.`,
  folder: `Move them away first, then restore '${id}'.`,
})

const conflictOf = (skill: ArchivedSkill, folder: SkillFolder, survey: SkillSurvey): HermesError | undefined => {
  const taken = takenBy({ folder, name: skill.name }, survey, adviceFor(skill))
  if (taken || isSkillSeenAt(folder.path, survey.documents)) return taken
  const message = `'${folder.path}' is now among the support files of another skill, where skills are not found. Move that skill elsewhere first, then restore '${skill.id}'.`
  return new HermesError('invalid', message, { details: { path: folder.path } })
}

/** Undefined if the survey is not up to date any more; nothing was written then. */
const restoreOn = async (
  library: SkillLibrary,
  target: string,
  survey: SkillSurvey,
  isLast: boolean,
): Promise<Result<RestoredSkill | undefined>> => {
  const { storage, index } = library
  const chosen = findArchived(target, await listArchive(storage, index, survey.documents))
  if (!chosen.ok) return chosen
  const { skill, others } = chosen.value
  const folder = liveFolderOf(skill)
  const entry = `${ARCHIVE_FOLDER}/${skill.path}`
  const restored: RestoredSkill = { skill: { ...folder, name: skill.name }, archived: skill, others }
  return updateSkills<RestoredSkill | undefined>(library, [`${SKILLS_FOLDER}/`], (cut) => {
    const documents = cut.list(SKILLS_FOLDER)
    const present = atPresent(survey, documents, isLast)
    if (!present) return { value: undefined }
    const conflict = conflictOf(skill, folder, present)
    if (conflict) throw conflict
    const paths = new Set(documents.map(({ path }) => path))
    if (!paths.has(`${entry}/${SKILL_FILE}`)) {
      const message = `'${skill.id}' is not in the archive any more: it was restored or removed in the meantime. List the skills and the archive again.`
      throw new HermesError('not_found', message, { details: { name: skill.name } })
    }
    const manifest = manifestPath(skill.path)
    return {
      ...(paths.has(manifest) ? { put: { [manifest]: null } } : {}),
      move: [[entry, `${SKILLS_FOLDER}/${folder.path}`]],
      value: restored,
      written: { kind: 'restored', restored },
    }
  })
}

/** `not_found` with similar names in `details.candidates`; `occupied` with what to do; `invalid` if the former place is in an ignored folder. */
export const restoreSkill = async (library: SkillLibrary, nameOrId: string): Promise<Result<RestoredSkill>> => {
  const target = typeof nameOrId === 'string' ? nameOrId.trim() : ''
  if (target === '')
    return err(new HermesError('empty', 'The name of the skill to restore is blank. List the archived skills to see their names.'))
  return onFreshSurvey(library.index, (survey, isLast) => restoreOn(library, target, survey, isLast))
}
