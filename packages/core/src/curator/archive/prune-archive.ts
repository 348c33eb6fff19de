/**
 * Deletes archived skills permanently, after a backup that holds all their files (seed 003, "prune"). No other code deletes skills, and
 * nothing may call it without a person's consent.
 */

import type { SkillHome } from '../../ownership/skill-home.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { ARCHIVE_FOLDER, type ArchivedSkill, manifestPath } from '../../skills/archive.ts'
import { SKILL_FILE } from '../../skills/skill-discovery.ts'
import { updateDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { type BackupSettings, toBackupBounds } from '../backup/backup-settings.ts'
import { createSkillBackup } from '../backup/skill-backup.ts'

export const DEFAULT_PRUNE_AFTER_DAYS = 90

const DAY_MS = 24 * 60 * 60 * 1000

/** Skills archived at least `olderThanDays` ago. Skills with an unknown archive time are left out. Pure. */
export const prunableEntries = (
  entries: readonly ArchivedSkill[],
  { now, olderThanDays = DEFAULT_PRUNE_AFTER_DAYS }: { readonly now: number; readonly olderThanDays?: number },
): readonly ArchivedSkill[] => entries.filter(({ archivedAt }) => archivedAt !== 0 && now - archivedAt >= olderThanDays * DAY_MS)

interface PruneArchiveOptions extends Omit<SkillHome, 'clock'> {
  /** The entries that the person agreed to delete; entries that have left the archive since are skipped. */
  readonly entries: readonly ArchivedSkill[]
}

export interface PrunedArchive {
  readonly removed: readonly ArchivedSkill[]
  /** Usage records that could not be dropped; the skills themselves are deleted. */
  readonly problems: readonly HermesError[]
}

const isInside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

/** Removes SKILL.md last, so that an entry whose removal was interrupted is still listed and can be removed again. */
const removeEntry = async (storage: StorageBackend, { path }: ArchivedSkill, all: readonly ArchivedSkill[]): Promise<Result<void>> => {
  const folder = `${ARCHIVE_FOLDER}/${path}`
  const listed = await storage.list(folder)
  if (!listed.ok) return listed
  const nested = all.filter((other) => isInside(other.path, path)).map((other) => `${ARCHIVE_FOLDER}/${other.path}`)
  const own = listed.value.map((document) => document.path).filter((file) => !nested.some((other) => isInside(file, other)))
  const main = `${folder}/${SKILL_FILE}`
  for (const file of [...own.filter((other) => other !== main), ...own.filter((other) => other === main), manifestPath(path)]) {
    const removed = await updateDocument(storage, file, () => undefined)
    if (!removed.ok) return removed
  }
  return ok(undefined)
}

/**
 * Stops at the first failure; `details.removed` holds the ids deleted until then. A usage record is dropped with the last skill of its
 * name.
 */
export const pruneArchive = async ({ storage, skills, usage, entries }: PruneArchiveOptions): Promise<Result<PrunedArchive>> => {
  const archive = await skills.listArchived()
  if (!archive.ok) return archive
  const living = await skills.list()
  if (!living.ok) return living
  const there = new Set(archive.value.entries.map(({ id, archivedAt }) => `${archivedAt} ${id}`))
  const removed: ArchivedSkill[] = []
  for (const entry of entries) {
    if (!there.has(`${entry.archivedAt} ${entry.id}`)) continue
    const gone = await removeEntry(storage, entry, archive.value.entries)
    if (!gone.ok) {
      const { code, message, details } = gone.error
      const text = `'${entry.id}' could not be deleted: ${message} ${removed.length} of ${entries.length} were deleted.`
      return err(new HermesError(code, text, { cause: gone.error, details: { ...details, removed: removed.map(({ id }) => id) } }))
    }
    removed.push(entry)
  }
  const gone = new Set(removed.map(({ id }) => id))
  const left = new Set([...living.value.skills, ...archive.value.entries.filter(({ id }) => !gone.has(id))].map(({ name }) => name))
  const problems: HermesError[] = []
  for (const name of new Set(removed.map((entry) => entry.name))) {
    const dropped = left.has(name) ? ok(undefined) : await usage.remove(name)
    if (!dropped.ok) problems.push(dropped.error)
  }
  return ok({ removed, problems })
}

interface PruneWithBackupOptions extends PruneArchiveOptions, SkillHome {
  readonly bounds: BackupSettings
}

export interface PrunedWithBackup extends PrunedArchive {
  /** The backup that holds the deleted skills; `undefined` if there was nothing to delete. */
  readonly backupId: string | undefined
}

const nothingDeleted = (why: HermesError): HermesError =>
  new HermesError(why.code, `Nothing was deleted, because no backup could be taken: ${why.message}`, { cause: why, details: why.details })

/**
 * `over_limit` if a file is too large for the backup, `unreadable` if it cannot be read. Without a complete backup nothing is deleted.
 */
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
