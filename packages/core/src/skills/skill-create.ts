/** Creates a skill: a folder with a SKILL.md, with a name unique in the library (reference skills-curator 6). */
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { changeSkillFile, type SkillChange, takeBack } from './skill-change.ts'
import { categoryConflict, isSameName, nameTaken, takenBy } from './skill-conflict.ts'
import { claimSkillName } from './skill-create-claim.ts'
import { checkNoNewCredential } from './skill-credentials.ts'
import { findSkillFolders, SKILL_FILE, SKILLS_FOLDER, type SkillFolder, toDocumentPath } from './skill-discovery.ts'
import { checkNewSkill } from './skill-document-check.ts'
import type { SkillIndex } from './skill-index.ts'
import { checkSkillCategory, checkSkillName } from './skill-name.ts'
import { encodeSkillText } from './skill-text.ts'

export interface NewSkill {
  /** 1–64 of a–z, 0–9 and single hyphens; equal to the name in the front matter. */
  readonly name: string
  /** One folder to create it in. Default: none. */
  readonly category?: string | undefined
  /** The whole SKILL.md. */
  readonly content: string
}

const check = ({ name, category, content }: NewSkill): Result<{ readonly folder: SkillFolder; readonly bytes: Uint8Array }> => {
  const checkedName = checkSkillName(name)
  if (!checkedName.ok) return checkedName
  const checkedCategory = checkSkillCategory(category)
  if (!checkedCategory.ok) return checkedCategory
  const bytes = encodeSkillText(content, `${name}/${SKILL_FILE}`)
  if (!bytes.ok) return bytes
  const document = checkNewSkill(content, name)
  if (!document.ok) return document
  const above = checkedCategory.value
  const clean = checkNoNewCredential(`${name}/${SKILL_FILE}`, undefined, bytes.value)
  if (!clean.ok) return clean
  return ok({ folder: { path: above === undefined ? name : `${above}/${name}`, folderName: name, category: above }, bytes: bytes.value })
}

const ADVICE = { name: 'Patch or edit that one, or choose another name.', folder: 'Choose another name, or move them away first.' }

const createClaimed = async (
  storage: StorageBackend,
  index: SkillIndex,
  folder: SkillFolder,
  bytes: Uint8Array,
): Promise<Result<SkillChange>> => {
  const name = folder.folderName
  const surveyed = await index.survey()
  if (!surveyed.ok) return surveyed
  const planned = { folder, name }
  const conflict =
    takenBy(planned, surveyed.value, ADVICE) ?? categoryConflict(planned, surveyed.value, 'Choose another category, or none.')
  if (conflict) return err(conflict)

  const created = await changeSkillFile(storage, { skill: { ...folder, name }, filePath: SKILL_FILE }, (current) =>
    current ? err(nameTaken(name, [folder], ADVICE)) : ok(bytes),
  )
  if (!created.ok) return created
  // A writer without claims, such as Python Hermes or an editor, may have created the name elsewhere meanwhile: the new one is removed.
  const relisted = await storage.list(SKILLS_FOLDER)
  if (!relisted.ok) return created
  const rivals = findSkillFolders(relisted.value).filter(({ path, folderName }) => path !== folder.path && isSameName(folderName, name))
  if (rivals.length === 0) return created
  const withdrawn = await takeBack(storage, created.value)
  return withdrawn.ok ? err(nameTaken(name, rivals, ADVICE)) : withdrawn
}

/**
 * `occupied` if the name or the folder is taken, even by a concurrent writer; then nothing is left behind. The first of several
 * concurrent writers of one name succeeds.
 */
export const createSkill = async (
  storage: StorageBackend,
  index: SkillIndex,
  skill: NewSkill,
  now: number,
): Promise<Result<SkillChange>> => {
  const checked = check(skill)
  if (!checked.ok) return checked
  const { folder, bytes } = checked.value
  // A place that the storage refuses, such as behind a link out of the home, fails before anything is written.
  const place = await storage.read(toDocumentPath(folder))
  if (!place.ok) return place
  const claim = await claimSkillName(storage, folder, now)
  if (!claim.ok) return claim
  const { rival, release } = claim.value
  if (rival) return err(nameTaken(folder.folderName, [rival], ADVICE))
  try {
    return await createClaimed(storage, index, folder, bytes)
  } finally {
    await release()
  }
}
