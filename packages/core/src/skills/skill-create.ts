/** Makes a new skill: a folder with a SKILL.md, whose name nothing else in the library answers to (reference skills-curator 6). */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { isBelow } from '../storage/document-tree.ts'
import type { DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import { changeSkillFile, type SkillChange, takeBack } from './skill-change.ts'
import { findSkillFolders, SKILL_FILE, SKILLS_FOLDER, type SkillFolder } from './skill-discovery.ts'
import { checkNewSkill } from './skill-document-check.ts'
import { toCandidates } from './skill-listing.ts'
import { checkSkillCategory, checkSkillName } from './skill-name.ts'
import { namesOf, readSkills, type SkillReading } from './skill-read.ts'
import { encodeSkillText } from './skill-text.ts'

export interface NewSkill {
  /** 1–64 of a–z, 0–9 and single hyphens; equal to the name in the front matter. */
  readonly name: string
  /** One folder to put it in. Default: none. */
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
  return ok({ folder: { path: above === undefined ? name : `${above}/${name}`, folderName: name, category: above }, bytes: bytes.value })
}

// A disk that ignores case would take two such names for one.
const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const taken = (name: string, folders: readonly SkillFolder[]): HermesError => {
  const candidates = toCandidates(folders)
  const message = `A skill already answers to the name '${name}': ${candidates.join(', ')}. Patch or edit that one, or choose another name.`
  return new HermesError('occupied', message, { details: { name, candidates } })
}

const conflictWith = (
  folder: SkillFolder,
  readings: readonly SkillReading[],
  documents: readonly DocumentInfo[],
): HermesError | undefined => {
  const { path, folderName, category } = folder
  const others = readings.filter((reading) => [...namesOf(reading)].some((name) => isSameName(name, folderName)))
  if (others.length > 0)
    return taken(
      folderName,
      others.map((reading) => reading.folder),
    )
  const above = readings.find((reading) => category !== undefined && isSameName(reading.folder.path, category))
  if (above) {
    const message = `'${category}' is a skill, not a category: no skill can lie inside another. Choose another category, or none.`
    return new HermesError('invalid', message, { details: { category } })
  }
  const own = `${SKILLS_FOLDER}/${path}`
  const occupant = documents.find((document) => document.path.toLowerCase() === own || isBelow(document.path.toLowerCase(), own))
  if (!occupant) return undefined
  const message = `'${own}' holds files already, such as '${occupant.path}'. Choose another name, or move them away first.`
  return new HermesError('occupied', message, { details: { path: occupant.path } })
}

/** `occupied` where the name or the folder is taken, by whomever and however recently; then nothing stays behind. */
export const createSkill = async (storage: StorageBackend, skill: NewSkill): Promise<Result<SkillChange>> => {
  const checked = check(skill)
  if (!checked.ok) return checked
  const { folder, bytes } = checked.value
  const name = folder.folderName
  const listed = await storage.list(SKILLS_FOLDER)
  if (!listed.ok) return listed
  const conflict = conflictWith(folder, await readSkills(storage, findSkillFolders(listed.value)), listed.value)
  if (conflict) return err(conflict)

  const created = await changeSkillFile(storage, { skill: { ...folder, name }, filePath: SKILL_FILE }, (current) =>
    current ? err(taken(name, [folder])) : ok(bytes),
  )
  if (!created.ok) return created
  // Two writers may have made one name in two categories at once: whoever sees the other gives way, so that never two stay.
  const relisted = await storage.list(SKILLS_FOLDER)
  if (!relisted.ok) return created
  const rivals = findSkillFolders(relisted.value).filter(({ path, folderName }) => path !== folder.path && isSameName(folderName, name))
  if (rivals.length === 0) return created
  const withdrawn = await takeBack(storage, created.value)
  return withdrawn.ok ? err(taken(name, rivals)) : withdrawn
}
