/**
 * Deletes archived skills for good, once a backup that holds every file of them is there: the one deletion of skills there is, and it is a
 * person's (seed 003, "prune"). Nothing automatic may call it; whoever does has asked the person.
 */
import type { Clock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { ARCHIVE_FOLDER, manifestPath } from '../../skills/archive/archive-manifest.ts'
import type { ArchivedSkill } from '../../skills/archive/archived-skill.ts'
import { SKILL_FILE } from '../../skills/skill-discovery.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageStore } from '../../usage/usage-store.ts'
import { type BackupSettings, toBackupBounds } from '../backup/backup-settings.ts'
import { createSkillBackup } from '../backup/skill-backup.ts'

export const DEFAULT_PRUNE_AFTER_DAYS = 90

const DAY_MS = 24 * 60 * 60 * 1000

/** Archived for at least `olderThanDays`. A skill that was archived at an unknown time is never among them. Pure. */
export const prunableEntries = (
  entries: readonly ArchivedSkill[],
  { now, olderThanDays = DEFAULT_PRUNE_AFTER_DAYS }: { readonly now: number; readonly olderThanDays?: number },
): readonly ArchivedSkill[] => entries.filter(({ archivedAt }) => archivedAt !== 0 && now - archivedAt >= olderThanDays * DAY_MS)

interface PruneArchiveOptions {
  readonly storage: StorageBackend
  readonly skills: Pick<SkillStore, 'list' | 'listArchived'>
  readonly usage: Pick<UsageStore, 'remove'>
  /** What the person said yes to; an entry that has left the archive since is left alone. */
  readonly entries: readonly ArchivedSkill[]
}

export interface PrunedArchive {
  readonly removed: readonly ArchivedSkill[]
  /** Usage records that could not be dropped: the skills are gone all the same. */
  readonly problems: readonly HermesError[]
}

const isInside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

/** The SKILL.md goes last, so that an entry whose removal was interrupted is still listed and can be removed again. */
const removeEntry = async (storage: StorageBackend, { path }: ArchivedSkill, all: readonly ArchivedSkill[]): Promise<Result<void>> => {
  const folder = `${ARCHIVE_FOLDER}/${path}`
  const listed = await storage.list(folder)
  if (!listed.ok) return listed
  const nested = all.filter((other) => isInside(other.path, path)).map((other) => `${ARCHIVE_FOLDER}/${other.path}`)
  const own = listed.value.map((document) => document.path).filter((file) => !nested.some((other) => isInside(file, other)))
  const main = `${folder}/${SKILL_FILE}`
  for (const file of [...own.filter((other) => other !== main), ...own.filter((other) => other === main), manifestPath(path)]) {
    const removed = await storage.update(file, () => undefined)
    if (!removed.ok) return removed
  }
  return ok(undefined)
}

/** A failure ends it; `details.removed` has the ids of what was gone by then. Usage records go with the last skill of their name. */
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
      const told = `'${entry.id}' could not be deleted: ${message} ${removed.length} of ${entries.length} are gone.`
      return err(new HermesError(code, told, { cause: gone.error, details: { ...details, removed: removed.map(({ id }) => id) } }))
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
