/** Deletes archived skills that a person said yes to, once a backup that holds every file of them is there (seed 003, "prune"). */
import type { Clock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { ARCHIVE_FOLDER } from '../../skills/archive/archive-manifest.ts'
import { type BackupSettings, toBackupBounds } from '../backup/backup-settings.ts'
import { createSkillBackup } from '../backup/skill-backup.ts'
import { type PruneArchiveOptions, type PrunedArchive, pruneArchive } from './prune-archive.ts'

export interface PruneWithBackupOptions extends PruneArchiveOptions {
  readonly clock: Clock
  readonly bounds: BackupSettings
}

export interface PrunedWithBackup extends PrunedArchive {
  /** What brings them back, as long as it is kept; `undefined` where there was nothing to delete. */
  readonly backupId: string | undefined
}

const nothingDeleted = (why: HermesError): HermesError =>
  new HermesError(why.code, `Nothing was deleted, since no backup could be taken: ${why.message}`, { cause: why, details: why.details })

/** `over_limit` where a file of theirs is too large for the backup, `unreadable` where it cannot be read; then, and where none can be taken, nothing is deleted. */
export const pruneWithBackup = async ({ clock, bounds, ...options }: PruneWithBackupOptions): Promise<Result<PrunedWithBackup>> => {
  const { storage, entries } = options
  if (entries.length === 0) return ok({ removed: [], problems: [], backupId: undefined })
  const reason = `before pruning ${entries.length} archived ${entries.length === 1 ? 'skill' : 'skills'}`
  const backup = await createSkillBackup({ storage, clock, reason, ...toBackupBounds(bounds) })
  if (!backup.ok) return err(nothingDeleted(backup.error))
  const left = backup.value.leftOut.find(({ path }) => entries.some((entry) => path.startsWith(`${ARCHIVE_FOLDER}/${entry.path}/`)))
  if (left) {
    const isTooLarge = left.why === 'file too large' || left.why === 'backup full'
    const advice = isTooLarge
      ? "Move it away, or raise 'curator.backup.maxBytes' and 'maxFileBytes'."
      : 'Move it away, or make it readable.'
    const message = `'${left.path}' is not in the backup (${left.why}). ${advice}`
    return err(nothingDeleted(new HermesError(isTooLarge ? 'over_limit' : 'unreadable', message, { details: { path: left.path } })))
  }
  const pruned = await pruneArchive(options)
  return pruned.ok ? ok({ ...pruned.value, backupId: backup.value.id }) : pruned
}
