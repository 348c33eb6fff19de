/**
 * Restores the skill library to a backup without losing what is there now: one update with the snapshot of the present library, the documents of the backup, the moves
 * of what it does not have, the counts and the journal's line (seed 003, reference skills-curator 17).
 */
import { checkStanding } from '../journal/check-standing.ts'
import type { HostActor } from '../journal/host-recorder.ts'
import { toUpkeepRecord } from '../journal/host-writes.ts'
import type { JournalRecordInput } from '../journal/journal.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { ARCHIVE_FOLDER, type ArchivedSkill, manifestPath as archiveManifestPath, MANIFEST_FOLDER } from '../skills/archive.ts'
import { parseSkillDocument } from '../skills/parse-skill-document.ts'
import { decodeSkillText } from '../skills/read-skill.ts'
import { SKILLS_FOLDER, toDocumentPath } from '../skills/skill-discovery.ts'
import { isBelow } from '../storage/document-tree.ts'
import { inTransaction } from '../storage/in-transaction.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut, DocumentContent, DocumentInfo, Plan, StorageBackend } from '../storage/storage-backend.ts'
import { USAGE_PATH } from '../usage/usage-sidecar.ts'
import { type PackedBackup, packBackup, planBackup } from './backup.ts'
import { BACKUPS_FOLDER, dayOf, REPLACED_FOLDER } from './backup-manifest.ts'
import { type BackupListing, listBackups, type OpenBackup, openBackup, readManifest, resolveBackup } from './backups.ts'
import { checkSince, type RollbackSince } from './check-since.ts'
import { type CuratorHome, journalAt, withoutBlocked } from './curator-home.ts'
import { toBackupBounds } from './curator-options.ts'
import { archiveNamesIn, isAbandonedManifestIn, planRollback, planUsage, skillsIn } from './plan-rollback.ts'
import { asidePath, contentsOf, fileKey, type Moved, type PreparedRollback, RollbackMoves } from './rollback-moves.ts'

export interface RollbackReport {
  /** The backup that was restored. */
  readonly id: string
  /** The backup of the previous state. */
  readonly safetyId: string
  /** Restored documents. */
  readonly restored: readonly string[]
  /** Skills that are not in the backup, or their files; `to` is the path in the archive. */
  readonly archived: readonly Moved[]
  /** Skills that the archive holds already, other documents that are not in the backup, and archive entries whose skills are back. */
  readonly setAside: readonly Moved[]
  /** What could not be moved and remains in place, and what of the backup could not be used. */
  readonly problems: readonly HermesError[]
}

/** All names of the live skills in a backup: from their front matter and their folders. */
const liveNamesOf = ({ contents }: OpenBackup): ReadonlySet<string> =>
  new Set(
    skillsIn(contents.keys()).flatMap((folder) => {
      const bytes = contents.get(toDocumentPath(folder))?.bytes
      const text = bytes && decodeSkillText(bytes)
      return [folder.folderName, text === undefined ? folder.folderName : parseSkillDocument(text, folder).name]
    }),
  )

const planUpdate = (
  cut: Cut,
  prepared: PreparedRollback,
  at: number,
): { readonly plan: Omit<Plan<unknown>, 'append' | 'value'>; readonly report: RollbackReport } => {
  const { documents, open, safety, entries, skills, plan, liveNames } = prepared
  const { backup, put } = planBackup(cut, safety)
  const moves = new RollbackMoves(prepared, backup.id, at)
  const known = new Map(entries.map(({ path, name }) => [path, name]))
  const returning = plan.newEntries.filter((entry) => liveNames.has(known.get(entry) ?? ''))
  const isReturning = (path: string): boolean =>
    isBelow(path, ARCHIVE_FOLDER) && returning.some((entry) => isBelow(path, `${ARCHIVE_FOLDER}/${entry}`))
  const leaving = [...plan.leavingFirst, ...plan.leaving].filter(({ path }) => !isReturning(path))
  for (const one of leaving) moves.leave(one)

  const isAbandoned = isAbandonedManifestIn(open)
  const present = new Map(documents.map((info) => [info.path, info]))
  for (const entry of returning) {
    moves.aside(`${ARCHIVE_FOLDER}/${entry}`)
    const manifest = archiveManifestPath(entry)
    if (present.has(manifest) && (!open.contents.has(manifest) || isAbandoned(manifest))) moves.aside(manifest)
  }
  const saved = new Set(backup.files.map(({ path }) => path))
  const puts: Record<string, DocumentContent> = {}
  for (const path of plan.puts) {
    const content = open.contents.get(path)
    if (content) puts[path] = content
    // The snapshot could not hold what is replaced.
    if (present.has(path) && !saved.has(path)) moves.aside(path)
  }
  const named = new Map(skills.map(({ path, name }) => [path, name]))
  const gone = new Set(leaving.flatMap(({ path, skill }) => (skill && !prepared.blocked.has(path) ? [skill] : [])))
  const archived = new Set([...gone].map((skill) => named.get(skill.path) ?? skill.folderName).filter((name) => !liveNames.has(name)))
  const usage = planUsage(cut.document(USAGE_PATH), open.contents.get(USAGE_PATH)?.bytes, archived, at)
  const corrupt = usage.isCorrupt ? cut.document(USAGE_PATH) : undefined
  return {
    plan: {
      move: moves.moves.map(({ from, to }) => [from, to]),
      put: {
        ...put,
        ...moves.put,
        ...puts,
        ...(usage.bytes ? { [USAGE_PATH]: usage.bytes } : {}),
        ...(corrupt ? { [asidePath(USAGE_PATH, backup.id)]: corrupt.bytes } : {}),
      },
    },
    report: {
      id: open.backup.id,
      safetyId: backup.id,
      restored: Object.keys(puts),
      archived: moves.moves.filter(({ to }) => isBelow(to, ARCHIVE_FOLDER)),
      setAside: moves.moves.filter(({ from, to }) => isBelow(to, REPLACED_FOLDER) && !isBelow(from, MANIFEST_FOLDER)),
      problems: [...moves.problems, ...(usage.problem ? [usage.problem] : [])],
    },
  }
}

/** The error of the requested backup if it is a broken one. */
const brokenFor = ({ problems }: BackupListing, target: string | undefined): HermesError | undefined =>
  problems.find(({ details: { id } }) => typeof id === 'string' && (target === undefined || [id, dayOf(id)].includes(target.trim())))

const idOf = async (storage: StorageBackend, target: string | undefined): Promise<Result<string>> => {
  const listing = await listBackups(storage)
  if (!listing.ok) return listing
  const backup = resolveBackup(listing.value.backups, target)
  return backup.ok ? ok(backup.value.id) : err(brokenFor(listing.value, target) ?? backup.error)
}

/** Opens the backup over the transaction: if text in it is forgotten meanwhile, the rollback starts again with what is left. */
const openOver = async (over: StorageBackend, id: string): Promise<Result<OpenBackup>> => {
  const backup = await readManifest(over, id)
  return backup.ok ? openBackup(over, backup.value) : backup
}

/** Over the transaction, so that it is still so when the rollback is written. */
const checkUndo = async (
  over: StorageBackend,
  home: RollbackHome,
  since: RollbackSince,
  now: PackedBackup['manifest'],
  entries: readonly ArchivedSkill[],
  target: string,
): Promise<Result<void>> => {
  const standing = await checkStanding(since.records, over, home)
  return standing.ok ? checkSince(await readManifest(over, since.id), now, since, entries, target) : standing
}

const prepare = async (
  over: StorageBackend,
  home: RollbackHome,
  documents: readonly DocumentInfo[],
  open: OpenBackup,
  at: number,
  blocked: PreparedRollback['blocked'],
  since: RollbackSince | undefined,
): Promise<Result<PreparedRollback>> => {
  const { storage, skills, options } = home
  const { id } = open.backup
  const bounds = toBackupBounds(options.curator.backup)
  const safety = await packBackup(storage, documents, { reason: `pre-rollback to ${id}`, at, bounds })
  if (!safety.ok) {
    const message = `Nothing was rolled back, because the current skills could not be backed up first: ${safety.error.message}`
    return err(new HermesError(safety.error.code, message, { cause: safety.error, details: safety.error.details }))
  }
  const [listing, archive] = await Promise.all([skills.list(), skills.listArchived()])
  if (!listing.ok) return listing
  if (!archive.ok) return archive
  const unchanged = since ? await checkUndo(over, home, since, safety.value.manifest, archive.value.entries, id) : ok(undefined)
  if (!unchanged.ok) return unchanged
  const then = new Set(open.backup.files.map(fileKey))
  const same = new Set(safety.value.manifest.files.flatMap((file) => (then.has(fileKey(file)) ? [file.path] : [])))
  const plan = planRollback(documents, open, same)
  const [obstacle] = plan.obstacles
  if (obstacle !== undefined) {
    const message = `'${obstacle}' is in the place of a document of the backup ${id}. Move it away, then try again.`
    return err(new HermesError('occupied', message, { details: { paths: plan.obstacles } }))
  }
  const entriesThen = archiveNamesIn(open).map((entry) => `${ARCHIVE_FOLDER}/${entry}`)
  const whole = [...plan.leavingFirst, ...plan.leaving].flatMap(({ kind, path }) => (kind === 'skill' ? [path] : []))
  return ok({
    documents,
    open,
    safety: safety.value,
    skills: listing.value.skills,
    entries: archive.value.entries,
    plan,
    // Decided here and not in the update, which holds the lock.
    liveNames: liveNamesOf(open),
    archivedThen: new Set(contentsOf(open.backup.files, entriesThen).values()),
    contents: contentsOf(safety.value.manifest.files, whole),
    blocked,
  })
}

const toRecord = ({ id, safetyId }: RollbackReport, actor: HostActor): JournalRecordInput =>
  toUpkeepRecord(
    { action: 'rollback', subject: id, before: safetyId, after: id },
    `All skills were restored from the backup '${id}'; the skills before that are in the backup '${safetyId}'.`,
    actor,
  )

export type RollbackHome = Pick<CuratorHome, 'storage' | 'clock' | 'createId' | 'undoes' | 'skills' | 'actor'> & {
  readonly options: Pick<CuratorHome['options'], 'curator'>
}

/**
 * `target`: a UTC day such as `2026-05-16` (its newest backup) or an id; default: the newest backup. Skills that are not in the backup go to the archive, other
 * documents to `curator/backups/.replaced`; counters, pins, grants and the scheduler's state are kept. An error, such as `not_found`, `ambiguous` or `unreadable`,
 * has changed nothing. `since`: for an undo, which is refused as `drift` if more has been changed.
 */
export const rollBack = async (home: RollbackHome, target?: string, since?: RollbackSince): Promise<Result<RollbackReport>> => {
  const { storage, clock } = home
  const id = await idOf(storage, target)
  if (!id.ok) return id
  const at = clock()
  const journal = journalAt(home, at)
  let done: RollbackReport | undefined
  const written = await withoutBlocked((blocked) =>
    orError(() =>
      inTransaction(
        storage,
        async (over) => {
          const listed = await over.list(SKILLS_FOLDER)
          if (!listed.ok) return listed
          const open = await openOver(over, id.value)
          return open.ok ? prepare(over, home, listed.value, open.value, at, blocked, since) : open
        },
        (prepared) => ({
          paths: [`${SKILLS_FOLDER}/`, USAGE_PATH, `${BACKUPS_FOLDER}/`, journal.path],
          plan: (cut) => {
            const { plan, report } = planUpdate(cut, prepared, at)
            done = report
            return { ...plan, append: journal.append([toRecord(report, home.actor)]), value: undefined }
          },
        }),
      ),
    ),
  )
  if (!written.ok) return written
  return done ? ok(done) : err(new HermesError('io', 'The rollback was not written. Try again.'))
}
