/** Groups the files of an export into skills, by their paths alone, and checks all texts of a skill before any of its files is taken. */
import { wordsOfPlace } from '../gate/skill-text.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ARCHIVE, manifestPath } from '../skills/archive.ts'
import { parseSkillDocument } from '../skills/parse-skill-document.ts'
import { checkSkillFileSize, decodeSkillText } from '../skills/read-skill.ts'
import { findSkillFolders, SKILL_FILE, SKILLS_FOLDER, type SkillFolder, toDocumentPath } from '../skills/skill-discovery.ts'
import type { SkillDocument } from '../skills/skill-document.ts'
import type { DocumentContent } from '../storage/storage-backend.ts'
import { USAGE_PATH } from '../usage/usage-sidecar.ts'
import { type Import, invalidImport, must } from './import-context.ts'

export interface ExportedSkill {
  readonly folder: SkillFolder
  /** Document paths. */
  readonly files: readonly string[]
}

interface ExportedSkills {
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

export interface CheckedSkill extends ExportedSkill {
  readonly text: string
  readonly document: SkillDocument
  /** Files by document path. */
  readonly contents: ReadonlyMap<string, DocumentContent>
}

/** Throws `blocked` if any file contains a threat or a credential; also `unreadable`, `invalid` or the code of a size limit. Binary files pass: the agent never reads them. */
export const checkExportedSkill = async (running: Import, skill: ExportedSkill): Promise<CheckedSkill> => {
  const contents = new Map(
    skill.files.map((path) => {
      const content = running.contents.get(path)
      if (!content) throw invalidImport(`Its file '${path}' is missing.`)
      return [path, content]
    }),
  )
  const own = toDocumentPath(skill.folder)
  const bytes = contents.get(own)?.bytes ?? new Uint8Array()
  must(checkSkillFileSize(own, bytes.length))
  const text = decodeSkillText(bytes)
  if (text === undefined) throw new HermesError('unreadable', `'${own}' is not valid UTF-8.`)
  for (const [path, content] of contents) {
    const words = decodeSkillText(content.bytes)
    if (words === undefined) continue
    try {
      await running.refuseCredential(words)
      await running.refuseThreat(`${path}\n${wordsOfPlace(path)}\n${words}`, 'context')
    } catch (cause) {
      throw HermesError.isInstance(cause) ? new HermesError(cause.code, `'${path}': ${cause.message}`, { details: { path } }) : cause
    }
  }
  return { ...skill, text, document: parseSkillDocument(text, skill.folder), contents }
}
