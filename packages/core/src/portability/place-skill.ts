/**
 * Checks a skill of an archive, all its texts before any file is written, and writes it, its SKILL.md last: a visible skill is complete, and the next import
 * finishes an interrupted one.
 */

import { wordsOfPlace } from '../gate/skill-text.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { parseSkillDocument } from '../skills/parse-skill-document.ts'
import { checkSkillFileSize, decodeSkillText } from '../skills/read-skill.ts'
import { SKILLS_FOLDER, toDocumentPath } from '../skills/skill-discovery.ts'
import type { SkillDocument } from '../skills/skill-document.ts'
import { isBelow } from '../storage/document-tree.ts'
import { readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { DocumentContent, DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import { partOf } from './export-scope.ts'
import type { ExportedSkill } from './exported-skill.ts'
import { type ImportScanner, invalidImport } from './import-context.ts'

export interface CheckedSkill extends ExportedSkill {
  readonly text: string
  readonly document: SkillDocument
  /** Files by document path, the SKILL.md last. */
  readonly contents: ReadonlyMap<string, DocumentContent>
}

const inFile = (path: string, { code, message }: HermesError): HermesError =>
  new HermesError(code, `'${path}': ${message}`, { details: { path } })

/** Binary files pass, because the agent never reads them. */
const checkFile = async (path: string, bytes: Uint8Array, scanner: ImportScanner): Promise<HermesError | undefined> => {
  const text = decodeSkillText(bytes)
  if (text === undefined) return undefined
  return (await scanner.findCredential(text)) ?? (await scanner.findThreat(`${path}\n${wordsOfPlace(path)}\n${text}`, 'context'))
}

/** Refuses the whole skill with `blocked` if any file contains a threat or a credential; also fails with `unreadable`, `invalid` or the code of a size limit. */
export const checkExportedSkill = async (
  skill: ExportedSkill,
  all: ReadonlyMap<string, DocumentContent>,
  scanner: ImportScanner,
): Promise<Result<CheckedSkill>> => {
  const contents = new Map<string, DocumentContent>()
  for (const path of skill.files) {
    const content = all.get(path)
    if (!content) return err(invalidImport(`Its file '${path}' is missing.`))
    contents.set(path, content)
  }
  const own = toDocumentPath(skill.folder)
  const bytes = contents.get(own)?.bytes ?? new Uint8Array()
  const sized = checkSkillFileSize(own, bytes.length)
  if (!sized.ok) return sized
  const text = decodeSkillText(bytes)
  if (text === undefined) return err(new HermesError('unreadable', `'${own}' is not valid UTF-8.`))
  for (const [path, content] of contents) {
    const problem = await checkFile(path, content.bytes, scanner)
    if (problem) return err(inFile(path, problem))
  }
  return ok({ ...skill, text, document: parseSkillDocument(text, skill.folder), contents })
}

/** `same`: exactly its files exist. `begun`: some of them exist, but not the SKILL.md. `other`: any other file exists, or one differs. */
export type SkillAtHome = 'nothing' | 'begun' | 'same' | 'other'

/** `paths`: the documents in the folder. `folder`: its path below the skills folder. */
export const compareSkill = async (
  storage: StorageBackend,
  skill: CheckedSkill,
  paths: readonly string[],
  folder: string,
): Promise<Result<SkillAtHome>> => {
  if (paths.length === 0) return ok('nothing')
  const [from, to] = [`${SKILLS_FOLDER}/${folder}/`, `${SKILLS_FOLDER}/${skill.folder.path}/`]
  for (const path of paths) {
    const content = skill.contents.get(to + path.slice(from.length))
    if (!content) return ok('other')
    const read = await readDocument(storage, path)
    if (!read.ok) return read.error.code === 'unreadable' || read.error.code === 'invalid_path' ? ok('other') : read
    if (!read.value || !equalBytes(read.value.bytes, content.bytes)) return ok('other')
  }
  if (paths.length === skill.contents.size) return ok('same')
  return ok(paths.includes(toDocumentPath({ path: folder })) ? 'other' : 'begun')
}

/** Documents below the folder of the skill, except files of another exported skill inside it. Ignores case, because some file systems do. */
export const documentsBelow = (
  skill: CheckedSkill,
  documents: readonly DocumentInfo[],
  exported: ReadonlyMap<string, unknown>,
): readonly string[] => {
  const own = `${SKILLS_FOLDER}/${skill.folder.path}`.toLowerCase()
  return documents
    .filter(({ path }) => partOf(path) !== undefined && (skill.contents.has(path) || !exported.has(path)))
    .filter(({ path }) => path.toLowerCase() === own || isBelow(path.toLowerCase(), own))
    .map(({ path }) => path)
}

/** Fails with `occupied` if another writer wrote a file first. `beforeLast` runs before the SKILL.md is written. */
export const writeSkill = async (
  storage: StorageBackend,
  { contents, folder }: CheckedSkill,
  beforeLast: () => Promise<Result<unknown>>,
): Promise<Result<void>> => {
  const last = toDocumentPath(folder)
  for (const [path, { bytes, executable = false }] of contents) {
    const ready = path === last ? await beforeLast() : ok(undefined)
    if (!ready.ok) return ready
    const written = await updateDocument(storage, path, (current) => (current === undefined ? { bytes, executable } : UNCHANGED))
    if (!written.ok) return written
    if (!written.value || !equalBytes(written.value.bytes, bytes))
      return err(new HermesError('occupied', `'${path}' was written by another process meanwhile and was left unchanged. Import again.`))
  }
  return ok(undefined)
}
