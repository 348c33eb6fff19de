/**
 * Finds the one skill that a caller means by its name, `category/name`, or the path of its SKILL.md, and what is in the way of a new one (reference
 * skills-curator 3).
 */

import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { isBelow } from '../storage/document-tree.ts'
import { readDocument } from '../storage/one-document.ts'
import type { DocumentInfo, ReadableStorage } from '../storage/storage-backend.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { type ReadSkill, readSkill } from './read-skill.ts'
import { findSkillFolders, SKILL_FILE, SKILLS_FOLDER, type SkillFolder, toDocumentPath } from './skill-discovery.ts'
import { type GlancedSkill, namesOf, type SkillIndex, type SkillSurvey, toCandidates } from './skill-index.ts'

export interface FoundSkill {
  readonly skill: ReadSkill
  /** All documents below the skills folder at the time of the lookup. */
  readonly documents: readonly DocumentInfo[]
}

const MAX_TARGET_CHARS = 1024

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused here
const outside = /^\/|^[a-z]:(?:\/|$)|[\\\u0000-\u001f\u007f\ud800-\udfff]|(?:^|\/)\.{0,2}(?:\/|$)/iu

/** Trims and checks a target; `invalid_path` if it would lead out of the library on any platform. */
export const checkSkillTarget = (target: string): Result<string> => {
  const advice = "Use the name of a skill, such as 'deploy' or 'devops/deploy'; the list of skills has them."
  if (typeof target !== 'string') {
    return err(new HermesError('invalid', `A skill is named by text, but a value of type ${typeof target} was passed. ${advice}`))
  }
  const trimmed = target.trim()
  if (trimmed === '') return err(new HermesError('empty', `The name of the skill is blank. ${advice}`))
  const address = trimmed.endsWith('/') && trimmed.length > 1 ? trimmed.slice(0, -1) : trimmed
  if (address.length > MAX_TARGET_CHARS || outside.test(address)) {
    return err(
      new HermesError(
        'invalid_path',
        `'${address.slice(0, 80)}' cannot name a skill: it is neither a name nor a path inside the library. ${advice}`,
      ),
    )
  }
  return ok(address)
}

const notFound = (address: string): HermesError =>
  new HermesError('not_found', `There is no skill '${address.slice(0, 80)}'. List the skills to see their names, or create it.`, {
    details: { name: address },
  })

/** True if no skill has the name; false if the skill exists but lacks a file. */
export const isSkillMissing = ({ code, details }: HermesError): boolean => code === 'not_found' && details['files'] === undefined

const ambiguous = (address: string, candidates: readonly string[]): HermesError =>
  new HermesError('ambiguous', `'${address}' names ${candidates.length} skills. Say which one by its path: ${candidates.join(', ')}.`, {
    details: { name: address, candidates },
  })

/** The error for a skill that exists but is not listed: behind a link out of the home, or without permission. */
const whyUnseen = async (storage: ReadableStorage, address: string): Promise<HermesError> => {
  const path = toDocumentPath({ path: address.endsWith(`/${SKILL_FILE}`) ? address.slice(0, -SKILL_FILE.length - 1) : address })
  const read = checkStoragePath(path).ok ? await readDocument(storage, path) : undefined
  return read && !read.ok ? read.error : notFound(address)
}

/** A path names exactly one skill; anything else is a plain name. */
const isPath = (address: string): boolean => address.includes('/')

const isAt = ({ path }: SkillFolder, address: string): boolean => path === address || `${path}/${SKILL_FILE}` === address

/** Whether a checked target names the skill. */
export const answersTo = (skill: GlancedSkill, address: string): boolean =>
  isPath(address) ? isAt(skill.folder, address) : namesOf(skill).has(address)

const findByPath = async (storage: ReadableStorage, address: string) => {
  const listed = await storage.list(SKILLS_FOLDER)
  if (!listed.ok) return listed
  const folder = findSkillFolders(listed.value).find((each) => isAt(each, address))
  return ok({ documents: listed.value, folders: folder ? [folder] : [] })
}

const findByName = async (index: SkillIndex, address: string) => {
  const surveyed = await index.survey()
  if (!surveyed.ok) return surveyed
  const { documents, skills } = surveyed.value
  const folders: readonly SkillFolder[] = skills.filter((skill) => namesOf(skill).has(address)).map(({ folder }) => folder)
  return ok({ documents, folders })
}

/**
 * A path is looked up directly; a plain name is searched for in the whole library, by folder and front matter, so that it means the same
 * as in the list. `not_found`, `ambiguous` with `details.candidates` (each names one skill), `unreadable`.
 */
export const lookUpSkill = async (storage: ReadableStorage, index: SkillIndex, target: string): Promise<Result<FoundSkill>> => {
  const checked = checkSkillTarget(target)
  if (!checked.ok) return checked
  const address = checked.value
  const found = isPath(address) ? await findByPath(storage, address) : await findByName(index, address)
  if (!found.ok) return found
  const { folders } = found.value
  return folders.length > 0 ? readFound(storage, found.value, address) : err(await whyUnseen(storage, address))
}

/** Reads the one skill among the folders that match a checked target. */
export const readFound = async (
  storage: ReadableStorage,
  { documents, folders }: { readonly documents: readonly DocumentInfo[]; readonly folders: readonly SkillFolder[] },
  address: string,
): Promise<Result<FoundSkill>> => {
  const [folder] = folders
  if (!folder) return err(notFound(address))
  if (folders.length > 1) return err(ambiguous(address, toCandidates(folders)))
  const skill = await readSkill(storage, folder)
  if (!skill) return err(notFound(address))
  if (!skill.ok) return skill
  // Renamed since the listing.
  const isMeant = isPath(address) || folder.folderName === address || skill.value.document.name === address
  return isMeant ? ok({ skill: skill.value, documents }) : err(notFound(address))
}

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

/** Surveys before the last one, which is taken as it is: somebody changes skills all the time. */
const MOST_SURVEYS = 20

/**
 * Runs `attempt` on a survey of the library. If `attempt` finds that a skill has come or changed since, and so resolves to undefined, it runs again on a new one; the
 * last time, with `isLast`, a skill that has come since is known by the name of its folder alone.
 */
export const onFreshSurvey = async <T>(
  index: SkillIndex,
  attempt: (survey: SkillSurvey, isLast: boolean) => Promise<Result<T | undefined>>,
): Promise<Result<T>> => {
  for (let surveys = 1; ; surveys++) {
    const surveyed = await index.survey()
    if (!surveyed.ok) return surveyed
    const done = await attempt(surveyed.value, surveys > MOST_SURVEYS)
    if (!done.ok || done.value !== undefined) return done as Result<T>
  }
}

/** The survey of a fresher listing; undefined if a skill has come or changed since, unless `isLast`. */
export const atPresent = (survey: SkillSurvey, documents: readonly DocumentInfo[], isLast: boolean): SkillSurvey | undefined => {
  const known = new Map(survey.skills.map((skill) => [skill.folder.path, skill]))
  const folders = findSkillFolders(documents)
  const stampsIn = (listed: readonly DocumentInfo[]) => new Map(listed.map(({ path, stamp }) => [path, stamp]))
  const [before, now] = [stampsIn(survey.documents), stampsIn(documents)]
  const isKnown = (folder: SkillFolder) => before.get(toDocumentPath(folder)) === now.get(toDocumentPath(folder))
  if (!isLast && !folders.every(isKnown)) return undefined
  const unread = err(new HermesError('unreadable', 'It came after the skills were listed.'))
  return { documents, skills: folders.map((folder) => known.get(folder.path) ?? { folder, glance: unread }), problems: survey.problems }
}

/** `invalid` if a new skill would be inside another. */
export const categoryConflict = ({ folder }: PlannedSkill, { skills }: SkillSurvey, advice: string): HermesError | undefined => {
  const { category } = folder
  if (category === undefined || !skills.some((other) => isSameName(other.folder.path, category))) return undefined
  const message = `'${category}' is a skill, not a category: a skill cannot be inside another. ${advice}`
  return new HermesError('invalid', message, { details: { category } })
}
