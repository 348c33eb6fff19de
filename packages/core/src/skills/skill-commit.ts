/** Writes a planned change of a skill, on exactly the version that it was planned for (reference skills-curator 6). */

import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import { decodeSkillText, readSkill } from './read-skill.ts'
import { changedMeanwhile, changeSkillFile, type SkillChange, takeBack } from './skill-change.ts'
import { claimSkillName } from './skill-create-claim.ts'
import { findSkillFolders, SKILL_FILE, SKILLS_FOLDER, toDocumentPath } from './skill-discovery.ts'
import type { SkillIndex, SkillSurvey } from './skill-index.ts'
import { categoryConflict, isSameName, nameTaken, takenBy } from './skill-lookup.ts'
import { nextContent, type SkillPlan } from './skill-plan.ts'

const ADVICE = { name: 'View it and patch it instead, or choose another name.', folder: 'Choose another name, or move them away first.' }

const textOf = (bytes: Uint8Array | undefined): string => (bytes && decodeSkillText(bytes)) ?? ''

/** `blocked` if the new bytes are text with a credential that the file did not hold; the message names its kind, never its value (DESIGN 5). */
const checkClean = (path: string, before: Uint8Array | undefined, next: Uint8Array | undefined): Result<Uint8Array | undefined> => {
  const kinds = findNewCredentials(textOf(before), textOf(next))
  if (!kinds) return ok(next)
  const message =
    `'${path}' was not saved because it would hold ${kinds.join(' and ')}. Skills are sent to the model, so secrets are never kept in them: ` +
    'keep this one in a password manager, and write only where it is. For an example, write a placeholder such as <your key>.'
  return err(new HermesError('blocked', message, { details: { path, kinds } }))
}

/** Why a new skill cannot be put into this library, or undefined. */
export const newSkillConflict = ({ skill }: SkillPlan, survey: SkillSurvey): HermesError | undefined => {
  const planned = { folder: skill, name: skill.name }
  return takenBy(planned, survey, ADVICE) ?? categoryConflict(planned, survey, 'Choose another category, or none.')
}

const createClaimed = async (storage: StorageBackend, index: SkillIndex, plan: SkillPlan): Promise<Result<SkillChange>> => {
  const { skill, next } = plan
  const surveyed = await index.survey()
  if (!surveyed.ok) return surveyed
  const conflict = newSkillConflict(plan, surveyed.value)
  if (conflict) return err(conflict)
  const created = await changeSkillFile(storage, plan, (current) => (current ? err(nameTaken(skill.name, [skill], ADVICE)) : ok(next)))
  if (!created.ok) return created
  // A writer without claims, such as Python Hermes or an editor, may have created the name elsewhere meanwhile: the new one is removed.
  const relisted = await storage.list(SKILLS_FOLDER)
  if (!relisted.ok) return created
  const rivals = findSkillFolders(relisted.value).filter(
    ({ path, folderName }) => path !== skill.path && isSameName(folderName, skill.name),
  )
  if (rivals.length === 0) return created
  const withdrawn = await takeBack(storage, created.value)
  return withdrawn.ok ? err(nameTaken(skill.name, rivals, ADVICE)) : withdrawn
}

/**
 * `occupied` if the name or the folder is taken, even by a concurrent writer; then nothing is left behind. The first of several
 * concurrent writers of one name succeeds.
 */
export const commitNewSkill = async (
  storage: StorageBackend,
  index: SkillIndex,
  plan: SkillPlan,
  now: number,
): Promise<Result<SkillChange>> => {
  const { skill, next } = plan
  const path = toDocumentPath(skill)
  const clean = checkClean(path, undefined, next)
  if (!clean.ok) return clean
  // A place that the storage refuses, such as behind a link out of the home, fails before anything is written.
  const place = await readDocument(storage, path)
  if (!place.ok) return place
  const claim = await claimSkillName(storage, skill, now)
  if (!claim.ok) return claim
  const { rival, release } = claim.value
  if (rival) return err(nameTaken(skill.name, [rival], ADVICE))
  try {
    return await createClaimed(storage, index, plan)
  } finally {
    await release()
  }
}

const gone = (path: string): HermesError =>
  new HermesError('not_found', `'${path}' no longer exists: it was moved or removed in the meantime. List the skills again.`, {
    details: { path },
  })

/**
 * `drift` if the file has changed. With `repatch`, a patch is applied to what the file holds now, so that concurrent patches of different
 * places are both kept.
 */
export const commitSkillFile = async (
  storage: StorageBackend,
  plan: SkillPlan,
  { repatch = false }: { readonly repatch?: boolean } = {},
): Promise<Result<SkillChange>> => {
  const { op, skill, filePath, current: seen } = plan
  const path = toDocumentPath(skill, filePath)
  const clean = checkClean(path, seen?.bytes, plan.next)
  if (!clean.ok) return clean
  let made: Pick<SkillPlan, 'next' | 'strategy' | 'count'> = plan
  const changed = await changeSkillFile(storage, plan, (current) => {
    made = plan
    if (current && seen ? equalBytes(current.bytes, seen.bytes) : !current && !seen) return clean
    if (!current && (filePath === SKILL_FILE || op.action === 'patch')) return err(gone(path))
    if (!repatch || op.action !== 'patch') return err(changedMeanwhile(path))
    const again = nextContent(op, plan, current?.bytes)
    if (!again.ok) return again
    made = again.value
    return checkClean(path, current?.bytes, again.value.next)
  })
  if (!changed.ok) return changed
  if (changed.value.before) {
    const { strategy, count } = made
    return strategy === undefined || count === undefined ? changed : ok({ ...changed.value, strategy, count })
  }
  // If the skill was moved away in between, its new file must not be left behind.
  if (await readSkill(storage, skill)) return changed
  const withdrawn = await takeBack(storage, changed.value)
  return withdrawn.ok ? err(gone(`${SKILLS_FOLDER}/${skill.path}`)) : withdrawn
}
