/** Lists, finds and opens the backups of a home; a broken one is listed apart and never used (seed 003). */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256Of } from '../shared/sha256.ts'
import { jsonIn } from '../storage/json-document.ts'
import { orError, readDocument } from '../storage/one-document.ts'
import type { Cut, StorageBackend } from '../storage/storage-backend.ts'
import { type BackupContents, unpackArchive } from './backup-archive.ts'
import {
  archivePath,
  BACKUPS_FOLDER,
  dayOf,
  idOfDocument,
  manifestPath,
  readBackupId,
  type SkillBackup,
  skillBackupSchema,
} from './backup-manifest.ts'

/** A backup whose bytes have all been verified. */
export interface OpenBackup {
  readonly backup: SkillBackup
  readonly contents: BackupContents
}

/** `why`: a clause that completes the message. */
const damaged = (id: string, why: string, cause?: unknown): HermesError =>
  new HermesError('unreadable', `The backup ${id} cannot be used: ${why}. It is left as it is; choose another backup.`, {
    cause,
    details: { id },
  })

const manifestIn = (cut: Cut, id: string): Result<SkillBackup> => {
  const path = manifestPath(id)
  const manifest = jsonIn(cut, path, skillBackupSchema)
  if (!manifest) return err(new HermesError('not_found', `There is no manifest '${path}': that backup is gone.`, { details: { id } }))
  const isOwn = manifest.id === id && manifest.archive === archivePath(id)
  return isOwn ? ok(manifest) : err(damaged(id, `'${path}' is the manifest of another backup`))
}

/** `not_found` without a manifest; `unreadable` if the manifest is not that of this backup. Does not check the archive. */
export const readManifest = (storage: StorageBackend, id: string): Promise<Result<SkillBackup>> =>
  orError(async () => {
    const cut = await storage.read([manifestPath(id)])
    return cut.ok ? manifestIn(cut.value, id) : cut
  })

/** `unreadable` if the content differs from the manifest. */
export const openBackup = async (storage: StorageBackend, backup: SkillBackup): Promise<Result<OpenBackup>> => {
  const { id, archive, archiveBytes, archiveSha256 } = backup
  const read = await readDocument(storage, archive)
  if (!read.ok) return read
  if (!read.value) return err(damaged(id, `its archive '${archive}' is gone`))
  const { bytes } = read.value
  if (bytes.length !== archiveBytes) return err(damaged(id, `its archive has ${bytes.length} bytes instead of ${archiveBytes}`))
  if ((await sha256Of(bytes)) !== archiveSha256) return err(damaged(id, 'its archive was changed since it was written'))
  const contents = await unpackArchive(bytes, backup.files)
  return contents.ok ? ok({ backup, contents: contents.value }) : err(damaged(id, contents.error.message, contents.error))
}

/** Backups that a rollback can use, and problems with the others. */
export interface BackupListing {
  /** Newest first. Only the size of each archive was checked; its bytes are checked before use. */
  readonly backups: readonly SkillBackup[]
  /** One error for each broken backup, with `details.id`. */
  readonly problems: readonly HermesError[]
}

const newestFirst = (a: SkillBackup, b: SkillBackup): number =>
  b.createdAt - a.createdAt || (readBackupId(b.id)?.serial ?? 0) - (readBackupId(a.id)?.serial ?? 0)

const noManifest = (id: string): HermesError => damaged(id, `'${archivePath(id)}' has no manifest`)

const checkListed = async (cut: Cut, id: string, sizes: ReadonlyMap<string, number>): Promise<Result<SkillBackup>> => {
  const manifest = await orError(async () => manifestIn(cut, id))
  if (!manifest.ok) return manifest
  const size = sizes.get(archivePath(id))
  if (size === manifest.value.archiveBytes) return manifest
  const why = size === undefined ? 'its archive is gone' : `its archive has ${size} bytes instead of ${manifest.value.archiveBytes}`
  return err(damaged(id, why))
}

/** Snapshots of Python Hermes (`skills/.curator_backups`) are not listed and not changed. */
export const listBackups = async (storage: StorageBackend): Promise<Result<BackupListing>> => {
  const listed = await storage.list(BACKUPS_FOLDER)
  if (!listed.ok) return listed
  const sizes = new Map(listed.value.map(({ path, size }) => [path, size]))
  const found = listed.value.flatMap(({ path }) => idOfDocument(path) ?? [])
  const ids = found.flatMap(({ kind, id }) => (kind === 'manifest' ? [id] : []))
  const bare = found.filter(({ kind, id }) => kind === 'archive' && !ids.includes(id))
  const backups: SkillBackup[] = []
  const problems: HermesError[] = []
  const cut = await storage.read([`${BACKUPS_FOLDER}/`, ...ids.map(manifestPath)])
  if (!cut.ok) return cut
  for (const id of ids) {
    const checked = await checkListed(cut.value, id, sizes)
    if (checked.ok) backups.push(checked.value)
    // One that was removed after the listing is no problem.
    else if (checked.error.code !== 'not_found')
      problems.push(checked.error.details['id'] ? checked.error : damaged(id, checked.error.message.replace(/\.$/, ''), checked.error))
  }
  return ok({ backups: backups.sort(newestFirst), problems: [...problems, ...bare.map(({ id }) => noManifest(id))] })
}

const MAX_SHOWN = 10

const choices = (backups: readonly SkillBackup[]): string => {
  if (backups.length === 0) return 'There is no backup yet.'
  const shown = backups.slice(0, MAX_SHOWN).map(({ id, reason }) => `${id} (${reason})`)
  const rest = backups.length > MAX_SHOWN ? ` and ${backups.length - MAX_SHOWN} older ones` : ''
  return `There are: ${shown.join(', ')}${rest}.`
}

const idsOf = (backups: readonly SkillBackup[]): readonly string[] => backups.map(({ id }) => id)

/**
 * `backups`: newest first. A UTC day stands for its newest backup. `not_found` and `ambiguous` list the choices in `details.candidates`.
 */
export const resolveBackup = (backups: readonly SkillBackup[], target?: string): Result<SkillBackup> => {
  const wanted = target?.trim().replace(/_curator(?:\.tar\.gz|\.json)?$/, '')
  const [newest] = backups
  if (wanted === undefined) {
    if (newest) return ok(newest)
    return err(new HermesError('not_found', 'There is no backup to go back to yet.', { details: { candidates: [] } }))
  }
  const found = backups.find(({ id }) => id === wanted) ?? backups.find(({ id }) => dayOf(id) === wanted)
  if (found) return ok(found)
  const similar = wanted === '' ? [] : backups.filter(({ id }) => id.startsWith(wanted))
  const [only] = similar
  if (only && similar.length === 1) return ok(only)
  const shown = `'${wanted.slice(0, 80)}'`
  if (similar.length > 1) {
    const message = `${shown} is the beginning of ${similar.length} backups. Name one of them: ${choices(similar)}`
    return err(new HermesError('ambiguous', message, { details: { candidates: idsOf(similar) } }))
  }
  const message = `There is no backup ${shown}. Name a day such as 2026-05-16, or an id. ${choices(backups)}`
  return err(new HermesError('not_found', message, { details: { candidates: idsOf(backups) } }))
}
