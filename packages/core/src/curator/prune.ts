/** Deletes archived skills permanently, at a person's request, in the update that puts a backup of them (seed 003, "prune"). */
import { toUpkeepRecord } from '../journal/host-writes.ts'
import type { JournalRecordInput } from '../journal/journal.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import type { ArchivedSkill } from '../skills/archive.ts'
import { ARCHIVE_FOLDER, manifestPath } from '../skills/archive.ts'
import { decodeSidecar, encodeSidecar, USAGE_PATH } from '../usage/usage-sidecar.ts'
import { takeBackup } from './backup.ts'
import { type CuratorHome, journalAt } from './curator-home.ts'
import { toBackupBounds } from './curator-options.ts'

export const DEFAULT_PRUNE_AFTER_DAYS = 90

const DAY_MS = 24 * 60 * 60 * 1000

/** Skills archived at least `olderThanDays` ago. Skills with an unknown archive time are left out. Pure. */
export const prunableEntries = (
  entries: readonly ArchivedSkill[],
  { now, olderThanDays = DEFAULT_PRUNE_AFTER_DAYS }: { readonly now: number; readonly olderThanDays?: number | undefined },
): readonly ArchivedSkill[] => entries.filter(({ archivedAt }) => archivedAt !== 0 && now - archivedAt >= olderThanDays * DAY_MS)

export interface PrunedArchive {
  readonly removed: readonly ArchivedSkill[]
  /** The backup that holds the deleted skills; `undefined` if there was nothing to delete. */
  readonly backupId: string | undefined
}

const isInside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

const nothingDeleted = (why: HermesError): HermesError =>
  new HermesError(why.code, `Nothing was deleted, because no backup could be taken: ${why.message}`, { cause: why, details: why.details })

const notInBackup = (path: string, why: string): HermesError => {
  const isTooLarge = why === 'file too large' || why === 'backup full'
  const advice = isTooLarge ? "Move it away, or raise 'curator.backup.maxBytes' and 'maxFileBytes'." : 'Move it away, or make it readable.'
  return new HermesError(isTooLarge ? 'over_limit' : 'unreadable', `'${path}' is not in the backup (${why}). ${advice}`, {
    details: { path },
  })
}

const toPruneRecord = ({ id, name }: ArchivedSkill, backupId: string, { actor }: CuratorHome): JournalRecordInput =>
  toUpkeepRecord(
    { action: 'prune', subject: name, before: id, after: `in the backup '${backupId}'` },
    `The archived skill '${id}' was deleted permanently.`,
    actor,
  )

/**
 * Deletes archived skills permanently, in the update that puts a backup of all their files (seed 003, "prune"). No other code deletes skills, and nothing may call it
 * without a person's consent. Entries that have left the archive since are skipped. A usage record is dropped with the last skill of its name. `over_limit` if a
 * file is too large for the backup, `unreadable` if it cannot be read.
 */
export const pruneByHand = async (entries: readonly ArchivedSkill[], home: CuratorHome): Promise<Result<PrunedArchive>> => {
  if (entries.length === 0) return ok({ removed: [], backupId: undefined })
  const { storage, skills, usage, clock, options } = home
  const at = clock()
  const journal = journalAt(home, at)
  let removed: readonly ArchivedSkill[] = []
  const reason = `before pruning ${entries.length} archived ${entries.length === 1 ? 'skill' : 'skills'}`
  const bounds = toBackupBounds(options.curator.backup)
  const backup = await takeBackup(
    storage,
    { reason, at, bounds },
    async () => {
      const [archive, living, records] = await Promise.all([skills.listArchived(), skills.list(), usage.load()])
      if (!archive.ok) return archive
      if (!living.ok) return living
      if (!records.ok) return records
      const asked = new Set(entries.map(({ id, archivedAt }) => `${archivedAt} ${id}`))
      // The entries as they are listed: only their own paths are deleted, whatever the caller's copies say.
      removed = archive.value.entries.filter(({ id, archivedAt }) => asked.has(`${archivedAt} ${id}`))
      const gone = new Set(removed.map(({ id }) => id))
      const stays = archive.value.entries.filter(({ id }) => !gone.has(id))
      const names = new Set([...living.value.skills, ...stays].map(({ name }) => name))
      return ok({
        paths: [USAGE_PATH, journal.path],
        plan: (cut, taken) => {
          const files = removed.flatMap(({ path }) => {
            const nested = stays.filter((other) => isInside(other.path, path)).map((other) => `${ARCHIVE_FOLDER}/${other.path}`)
            const own = cut.list(`${ARCHIVE_FOLDER}/${path}`).filter((file) => !nested.some((other) => isInside(file.path, other)))
            return own.map((file) => file.path)
          })
          const left = taken.leftOut.find(({ path }) => files.includes(path))
          if (left) throw nothingDeleted(notInBackup(left.path, left.why))
          const sidecar = decodeSidecar(cut.document(USAGE_PATH))
          if (!sidecar.ok) throw sidecar.error
          const kept = new Map([...sidecar.value].filter(([name]) => names.has(name) || !removed.some((entry) => entry.name === name)))
          return {
            put: {
              ...Object.fromEntries([...files, ...removed.map(({ path }) => manifestPath(path))].map((path) => [path, null])),
              ...(kept.size === sidecar.value.size ? {} : { [USAGE_PATH]: encodeSidecar(kept) }),
            },
            append: journal.append(removed.map((entry) => toPruneRecord(entry, taken.id, home))),
          }
        },
      })
    },
    nothingDeleted,
  )
  if (!backup.ok) return backup
  return ok({ removed, backupId: backup.value.id })
}
