/** From what a caller calls a skill (its name, `category/name`, or the path of its SKILL.md) to the one skill that is meant (reference skills-curator 3). */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import { findSkillFolders, SKILL_FILE, SKILLS_FOLDER } from './skill-discovery.ts'
import { toCandidates } from './skill-listing.ts'
import { namesOf, type ReadSkill, readSkill, readSkills } from './skill-read.ts'

export interface FoundSkill {
  readonly skill: ReadSkill
  /** Everything below the folder of skills, as it was when the skill was looked up. */
  readonly documents: readonly DocumentInfo[]
}

const MAX_TARGET_CHARS = 1024

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused here
const outside = /^\/|^[a-z]:(?:\/|$)|[\\\u0000-\u001f\u007f]|\p{Surrogate}|(?:^|\/)\.{0,2}(?:\/|$)/iu

/** What may be asked for; `invalid_path` for whatever would lead out of the library on some platform. White space around it does not count. */
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
        `'${address.slice(0, 80)}' cannot name a skill: it is no plain name or path inside the library. ${advice}`,
      ),
    )
  }
  return ok(address)
}

const notFound = (address: string): HermesError =>
  new HermesError('not_found', `There is no skill '${address.slice(0, 80)}'. List the skills to see what is there, or create it.`, {
    details: { name: address },
  })

const ambiguous = (address: string, candidates: readonly string[]): HermesError =>
  new HermesError('ambiguous', `'${address}' names ${candidates.length} skills. Say which one by its path: ${candidates.join(', ')}.`, {
    details: { name: address, candidates },
  })

/**
 * A path is looked up alone; a plain name in the whole library, by folder and by front matter, so that it means the same here and in the
 * list. `not_found`, `ambiguous` with `details.candidates` (each of which names one skill), `unreadable`.
 */
export const lookUpSkill = async (storage: StorageBackend, target: string): Promise<Result<FoundSkill>> => {
  const checked = checkSkillTarget(target)
  if (!checked.ok) return checked
  const address = checked.value
  const listed = await storage.list(SKILLS_FOLDER)
  if (!listed.ok) return listed
  const folders = findSkillFolders(listed.value)

  if (address.includes('/')) {
    const folder = folders.find(({ path }) => path === address || `${path}/${SKILL_FILE}` === address)
    const skill = folder && (await readSkill(storage, folder))
    if (!skill) return err(notFound(address))
    return skill.ok ? ok({ skill: skill.value, documents: listed.value }) : skill
  }
  const matches = (await readSkills(storage, folders)).filter((reading) => namesOf(reading).has(address))
  const [match] = matches
  if (!match) return err(notFound(address))
  if (matches.length > 1) return err(ambiguous(address, toCandidates(matches.map(({ folder }) => folder))))
  return match.skill.ok ? ok({ skill: match.skill.value, documents: listed.value }) : match.skill
}
