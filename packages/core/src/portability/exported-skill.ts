/** Groups the files of an export into skills, by their paths alone. Pure. */
import { ARCHIVE, manifestPath } from '../skills/archive.ts'
import { findSkillFolders, SKILL_FILE, SKILLS_FOLDER, type SkillFolder, toDocumentPath } from '../skills/skill-discovery.ts'
import { USAGE_PATH } from '../usage/usage-sidecar.ts'

export interface ExportedSkill {
  readonly folder: SkillFolder
  /** Document paths, sorted, but the SKILL.md last: a skill that has its SKILL.md is complete. */
  readonly files: readonly string[]
}

export interface ExportedSkills {
  /** Sorted by path, so that a skill precedes the skills inside it. */
  readonly live: readonly ExportedSkill[]
  readonly archived: readonly ExportedSkill[]
}

/** The innermost skill folder that contains the document. */
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

/** `paths` must be sorted. */
export const toExportedSkills = (paths: readonly string[]): ExportedSkills => {
  const documents = paths.map((path) => ({ path, size: 0, stamp: '' }))
  return {
    live: toSkills(findSkillFolders(documents), paths),
    archived: toSkills(findSkillFolders(documents, ARCHIVE), paths),
  }
}

/** The name of an archived skill in the archive. */
export const entryOf = ({ folder }: ExportedSkill): string => folder.path.slice(ARCHIVE.length + 1)

/** The paths that are exported: the files of live and archived skills, archive manifests and the usage sidecar. */
export const skillFilesOf = (paths: readonly string[]): readonly string[] => {
  const { live, archived } = toExportedSkills([...paths].sort())
  const manifests = new Set(archived.map((skill) => manifestPath(entryOf(skill))))
  const wanted = new Set([...[...live, ...archived].flatMap(({ files }) => files), ...manifests, USAGE_PATH])
  return paths.filter((path) => wanted.has(path))
}
