/** Writes the files of a skill where none are: its SKILL.md comes last, so a skill that shows is complete, and one that was interrupted is finished by the next import. */
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { SKILLS_FOLDER, toDocumentPath } from '../skills/skill-discovery.ts'
import { isBelow } from '../storage/document-tree.ts'
import { type DocumentInfo, type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import type { CheckedSkill } from './check-exported-skill.ts'
import { partOf } from './export-scope.ts'

/** `same`: all its files and no others are there. `begun`: some of them are, without the SKILL.md. */
export type SkillAtHome = 'nothing' | 'begun' | 'same' | 'other'

/** `paths`: the documents of the home's own skill, or of the folder. `folder`: where that lies, below the folder of skills. */
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

/**
 * Everything below the folder of the skill, but for files of another skill of the same export that lies inside it. A disk may take names for one that differ only
 * in case.
 */
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

/** `occupied` where another writer was there first. `beforeLast` is done before the SKILL.md is written. */
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
      return err(new HermesError('occupied', `'${path}' was written by somebody else meanwhile. It was left as it is; import again.`))
  }
  return ok(undefined)
}
