/** Lists usable backups and, apart from them, broken ones (seed 003). */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { DocumentInfo, StorageBackend } from '../../storage/storage-backend.ts'
import { inBatches } from './backup-batches.ts'
import type { SkillBackup } from './backup-manifest.ts'
import { archivePath, idOfDocument, readBackupId } from './backup-name.ts'
import { damaged, readManifest } from './backup-open.ts'
import { BACKUPS_FOLDER } from './backup-scope.ts'

/** Backups that a rollback can use, and problems with the others. */
export interface BackupListing {
  /** Newest first. Only the size of each archive was checked; its bytes are checked before use. */
  readonly backups: readonly SkillBackup[]
  /** One error for each broken backup, with `details.id`. `details.unfinished`: left behind by an interrupted run; a later run removes it. */
  readonly problems: readonly HermesError[]
}

const newestFirst = (a: SkillBackup, b: SkillBackup): number =>
  b.createdAt - a.createdAt || (readBackupId(b.id)?.serial ?? 0) - (readBackupId(a.id)?.serial ?? 0)

const neverFinished = (id: string, path: string): HermesError =>
  new HermesError(
    'unreadable',
    `'${path}' has no manifest: that backup was interrupted before it was verified. It is not used, and a later run removes it.`,
    { details: { id, path, unfinished: true } },
  )

const checkListed = async (storage: StorageBackend, id: string, sizes: ReadonlyMap<string, number>): Promise<Result<SkillBackup>> => {
  const manifest = await readManifest(storage, id)
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
  const found = listed.value.flatMap(({ path }: DocumentInfo) => idOfDocument(path) ?? [])
  const ids = found.filter(({ kind }) => kind === 'manifest').map(({ id }) => id)
  const unfinished = found
    .filter(({ kind, id }) => kind === 'archive' && !ids.includes(id))
    .map(({ id }) => neverFinished(id, archivePath(id)))

  const backups: SkillBackup[] = []
  const problems: HermesError[] = []
  const read = await inBatches(ids, async (id) => ok({ id, outcome: await checkListed(storage, id, sizes) }))
  if (!read.ok) return read
  for (const { id, outcome } of read.value) {
    if (outcome.ok) backups.push(outcome.value)
    // A backup that was pruned after the listing is not a problem.
    else if (outcome.error.code !== 'not_found')
      problems.push(outcome.error.details['id'] ? outcome.error : damaged(id, outcome.error.message.replace(/\.$/, ''), outcome.error))
  }
  return ok({ backups: backups.sort(newestFirst), problems: [...problems, ...unfinished] })
}
