/** Takes the backup before the first change of a run, then removes backups that are too old (seed 003: four weeks). */

import type { Clock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { updateDocument } from '../../storage/one-document.ts'
import type { DocumentInfo, StorageBackend } from '../../storage/storage-backend.ts'
import { readRollbackState } from '../rollback/rollback-state.ts'
import { listBackups } from './backup-list.ts'
import type { SkillBackup } from './backup-manifest.ts'
import { archivePath, idOfDocument, manifestPath, readBackupId } from './backup-name.ts'
import { openBackup } from './backup-open.ts'
import { BACKUPS_FOLDER } from './backup-scope.ts'
import { type BackupSettings, DEFAULT_RETAIN_WEEKS, toBackupBounds } from './backup-settings.ts'
import { createSkillBackup } from './skill-backup.ts'

const HOUR_MS = 60 * 60 * 1000
const WEEK_MS = 7 * 24 * HOUR_MS

/** A backup takes seconds; an archive that is older than this and still has no manifest was left behind by an interrupted run. */
const UNFINISHED_MS = HOUR_MS

/** Ids of archives without a manifest. */
const unfinishedIn = (documents: readonly DocumentInfo[]): ReadonlySet<string> => {
  const found = documents.flatMap(({ path }) => idOfDocument(path) ?? [])
  const finished = new Set(found.flatMap(({ id, kind }) => (kind === 'manifest' ? [id] : [])))
  return new Set(found.flatMap(({ id }) => (finished.has(id) ? [] : [id])))
}

const newestVerified = async (storage: StorageBackend, backups: readonly SkillBackup[]): Promise<Result<string | undefined>> => {
  for (const backup of backups) {
    const opened = await openBackup(storage, backup)
    if (opened.ok) return ok(backup.id)
    if (opened.error.code !== 'unreadable') return opened
  }
  return ok(undefined)
}

/** Removes the manifest first, so that no partial backup is ever listed. An archive left by a crash is removed the next time. */
const remove = async (storage: StorageBackend, id: string): Promise<Result<unknown>> => {
  const manifest = await updateDocument(storage, manifestPath(id), () => undefined)
  return manifest.ok ? updateDocument(storage, archivePath(id), () => undefined) : manifest
}

/**
 * Returns the ids of the removed backups, oldest first. Call it once a new backup is complete. Keeps the newest backup that verifies,
 * whatever its age, and those that an unfinished rollback needs; removes what an interrupted run left behind. If none verifies, nothing is removed.
 */
export const pruneBackups = async ({
  storage,
  clock,
  retainWeeks = DEFAULT_RETAIN_WEEKS,
}: Omit<BackUpRunOptions, 'settings'> & Pick<BackupSettings, 'retainWeeks'>): Promise<Result<{ readonly removed: readonly string[] }>> => {
  if (!Number.isFinite(retainWeeks) || retainWeeks <= 0) {
    return err(new HermesError('invalid', `'retainWeeks' must be a number of weeks above 0, such as 4, but is ${String(retainWeeks)}.`))
  }
  const state = await readRollbackState(storage)
  if (!state.ok) return state
  const documents = await storage.list(BACKUPS_FOLDER)
  if (!documents.ok) return documents
  const now = clock()
  const cutoff = now - retainWeeks * WEEK_MS
  const unfinished = unfinishedIn(documents.value)
  const needed = new Set(state.value ? [state.value.target, state.value.safety] : [])
  const ids = new Set(documents.value.flatMap(({ path }) => idOfDocument(path)?.id ?? []))
  const isOld = (id: string): boolean => (readBackupId(id)?.at ?? now) < (unfinished.has(id) ? now - UNFINISHED_MS : cutoff)
  const old = [...ids].filter((id) => !needed.has(id) && isOld(id))
  if (old.length === 0) return ok({ removed: [] })

  const listing = await listBackups(storage)
  if (!listing.ok) return listing
  const newest = await newestVerified(storage, listing.value.backups)
  if (!newest.ok) return newest
  if (newest.value === undefined) return ok({ removed: [] })
  const removed: string[] = []
  for (const id of old.sort((a, b) => (readBackupId(a)?.at ?? 0) - (readBackupId(b)?.at ?? 0))) {
    if (id === newest.value) continue
    const gone = await remove(storage, id)
    if (!gone.ok) return gone
    removed.push(id)
  }
  return ok({ removed })
}

export interface BackUpRunOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly settings: BackupSettings
}

/** A problem that counts the files a rollback could not restore; the manifest lists them. */
const leftOutOf = ({ id, leftOut }: SkillBackup): HermesError | undefined => {
  const [first] = leftOut
  if (!first) return undefined
  const count = leftOut.length === 1 ? '1 file' : `${leftOut.length} files`
  const message = `The backup ${id} does not contain ${count}: '${first.path}' (${first.why})${leftOut.length > 1 ? ' and others' : ''}. A rollback leaves such files unchanged; the manifest '${manifestPath(id)}' lists them.`
  return new HermesError('unreadable', message, { details: { path: first.path, leftOut } })
}

export interface RunBackup {
  readonly id: string
  /** Files left out of the backup and old backups that could not be removed. They do not end the run. */
  readonly problems?: readonly HermesError[]
}

/** For `beforeChanges` of a run; `undefined` if backups are switched off. */
export const backUpRun = ({ storage, clock, settings }: BackUpRunOptions) => {
  const { enabled = true, retainWeeks } = settings
  if (!enabled) return undefined
  return async (): Promise<Result<RunBackup>> => {
    const taken = await createSkillBackup({ storage, clock, reason: 'pre-curator-run', ...toBackupBounds(settings) })
    if (!taken.ok) return taken
    const leftOut = leftOutOf(taken.value)
    const pruned = await pruneBackups({ storage, clock, ...(retainWeeks === undefined ? {} : { retainWeeks }) })
    return ok({ id: taken.value.id, problems: [...(leftOut ? [leftOut] : []), ...(pruned.ok ? [] : [pruned.error])] })
  }
}
