/** Which files of an export make up which skill, told from their paths alone. Pure. */
import { ARCHIVE, manifestPath } from '../skills/archive/archive-manifest.ts'
import {
  findSkillFolders,
  findSkillFoldersIn,
  SKILL_FILE,
  SKILLS_FOLDER,
  type SkillFolder,
  toDocumentPath,
} from '../skills/skill-discovery.ts'
import { USAGE_PATH } from '../usage/usage-sidecar.ts'

export interface ExportedSkill {
  readonly folder: SkillFolder
  /** Document paths, the SKILL.md last, by path otherwise: a skill whose SKILL.md is there is complete. */
  readonly files: readonly string[]
}

export interface ExportedSkills {
  /** By path, so that a skill comes before one inside it. */
  readonly live: readonly ExportedSkill[]
  readonly archived: readonly ExportedSkill[]
}

/** The folder of the skill that a document belongs to: the innermost one. */
const ownerOf = (path: string, folders: ReadonlySet<string>): string | undefined => {
  const segments = path.split('/')
  for (let depth = segments.length - 1; depth > 1; depth--) {
    const folder = segments.slice(1, depth).join('/')
    if (folders.has(folder)) return folder
  }
  return undefined
}

const toSkills = (folders: readonly SkillFolder[], paths: readonly string[]): readonly ExportedSkill[] => {
  const names = new Set(folders.map(({ path }) => path))
  const owned = new Map<string, string[]>(folders.map(({ path }) => [path, []]))
  for (const path of paths) if (path.startsWith(`${SKILLS_FOLDER}/`)) owned.get(ownerOf(path, names) ?? '')?.push(path)
  return folders.map((folder) => {
    const own = toDocumentPath(folder, SKILL_FILE)
    return { folder, files: [...(owned.get(folder.path) ?? []).filter((path) => path !== own), own] }
  })
}

/** `paths`: in the order of the paths. */
export const toExportedSkills = (paths: readonly string[]): ExportedSkills => {
  const documents = paths.map((path) => ({ path, size: 0, stamp: '' }))
  return {
    live: toSkills(findSkillFolders(documents), paths),
    archived: toSkills(findSkillFoldersIn(documents, ARCHIVE), paths),
  }
}

/** Of an archived skill, its name in the archive. */
export const entryOf = ({ folder }: ExportedSkill): string => folder.path.slice(ARCHIVE.length + 1)

/** Those of the given documents of a library that are exported: the files of its skills, living and archived, and what is recorded of them. */
export const skillFilesOf = (paths: readonly string[]): readonly string[] => {
  const { live, archived } = toExportedSkills([...paths].sort())
  const manifests = new Set(archived.map((skill) => manifestPath(entryOf(skill))))
  const wanted = new Set([...[...live, ...archived].flatMap(({ files }) => files), ...manifests, USAGE_PATH])
  return paths.filter((path) => wanted.has(path))
}
