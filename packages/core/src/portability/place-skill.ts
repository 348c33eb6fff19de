/** Writes the files of a new skill, its SKILL.md last: a visible skill is complete, and the next import finishes an interrupted one. */
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { SKILLS_FOLDER, toDocumentPath } from '../skills/skill-discovery.ts'
import { isBelow } from '../storage/document-tree.ts'
import { type DocumentInfo, type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import type { CheckedSkill } from './check-exported-skill.ts'
import { partOf } from './export-scope.ts'

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
    const read = await storage.read(path)
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
    const written = await storage.update(path, (current) => (current === undefined ? { bytes, executable } : UNCHANGED))
    if (!written.ok) return written
    if (!written.value || !equalBytes(written.value.bytes, bytes))
      return err(new HermesError('occupied', `'${path}' was written by another process meanwhile and was left unchanged. Import again.`))
  }
  return ok(undefined)
}
