/** Whether going back to a backup would take back more than the write that an undo is about. Pure. */
import type { JournalRecord } from '../journal/journal-record.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { ARCHIVE_FOLDER, type ArchivedSkill, MANIFEST_FOLDER } from '../skills/archive.ts'
import { liveFolderOf } from '../skills/restore-skill.ts'
import { SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { isBelow } from '../storage/document-tree.ts'
import type { SkillBackup } from './backup-manifest.ts'
import { fileKey } from './rollback-moves.ts'

/** What the skills still have to be: as in this backup, but for what the write itself archived. */
export interface RollbackSince {
  readonly id: string
  /** Names of the skills that the write archived, at the time of the backup. */
  readonly archived: readonly string[]
  /** What the journal says of the write: nothing of it was forgotten or undone since. */
  readonly records: readonly JournalRecord[]
}

type Files = Pick<SkillBackup, 'createdAt' | 'files' | 'leftOut'>

/** `skills/.usage.json` and the like change by themselves. */
const isOfSkills = (path: string): boolean => path[SKILLS_FOLDER.length + 1] !== '.'

const isArchivedFile = (path: string): boolean => isBelow(path, ARCHIVE_FOLDER) && !isBelow(path, MANIFEST_FOLDER)

/** Files that somebody wrote, and files that somebody archived, moved or deleted since. */
const changedSince = (then: Files, now: Files, archived: readonly string[], entries: readonly ArchivedSkill[]): readonly string[] => {
  const known = new Set([...then.files.map(fileKey), ...then.leftOut.map(({ path }) => path)])
  const files = [...now.files.map((file) => ({ ...file, key: fileKey(file) })), ...now.leftOut.map((file) => ({ ...file, key: file.path }))]
  const written = files.filter(({ path, key }) => isOfSkills(path) && !known.has(key) && !known.has(path))
  const present = new Set(files.map(({ path }) => path))
  const folders = entries
    .filter(({ name, archivedAt }) => archivedAt === then.createdAt && archived.includes(name))
    .map((entry) => `${SKILLS_FOLDER}/${liveFolderOf(entry).path}`)
  const gone = then.files.filter(
    ({ path }) => (isOfSkills(path) || isArchivedFile(path)) && !present.has(path) && !folders.some((folder) => isBelow(path, folder)),
  )
  return [...written, ...gone].map(({ path }) => path)
}

/** `drift` if skills have been changed since. `entries`: of the present archive. `target`: the backup that the rollback goes to. */
export const checkSince = (
  then: Result<Files>,
  now: Files,
  { id, archived }: Pick<RollbackSince, 'id' | 'archived'>,
  entries: readonly ArchivedSkill[],
  target: string,
): Result<void> => {
  const refuse = (why: string): Result<never> => {
    const message = `${why}, so nothing was undone. To go back all the same, after a backup: hermes curator rollback ${target}`
    return err(new HermesError('drift', message))
  }
  if (!then.ok) return refuse(`The backup ${id} cannot be read, so it is unknown whether skills have been changed since`)
  const [first, ...others] = changedSince(then.value, now, archived, entries)
  if (first === undefined) return ok(undefined)
  return refuse(`Skills have been changed since ('${first}'${others.length === 0 ? '' : ` and ${others.length} more`})`)
}
