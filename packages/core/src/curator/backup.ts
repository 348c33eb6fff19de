/**
 * Takes a backup of the skill library: packs it from one state, unpacks it again to verify it, and gives an update the two documents to put. Whoever changes the
 * library puts them in the same update as its changes (seed 003, reference skills-curator 17).
 */
import { LIBRARY_LIMITS } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256Of } from '../shared/sha256.ts'
import { SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { inTransaction } from '../storage/in-transaction.ts'
import { jsonBytesWithin } from '../storage/json-bytes.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut, DocumentInfo, Plan, StorageBackend } from '../storage/storage-backend.ts'
import { createArchiveWriter, unpackArchive } from './backup-archive.ts'
import { type Collected, collectFiles } from './backup-collect.ts'
import { archivePath, BACKUPS_FOLDER, idOfDocument, manifestPath, readBackupId, type SkillBackup, toBackupId } from './backup-manifest.ts'
import { type BackupBounds, DEFAULT_RETAIN_WEEKS } from './curator-options.ts'

export interface PlannedBackup {
  readonly backup: SkillBackup
  readonly put: Readonly<Record<string, Uint8Array>>
}

/** A verified backup that has no id yet. */
export interface PackedBackup {
  readonly archive: Uint8Array
  readonly manifest: Omit<SkillBackup, 'id' | 'archive'>
  /** With the first id of its second, which is nearly always free: written out before the update, since there may be thousands of files. */
  readonly first: PlannedBackup
}

const MAX_REASON_CHARS = 500
const MAX_SERIAL = 1_000

const pack = async (
  storage: StorageBackend,
  documents: readonly DocumentInfo[],
  bounds: BackupBounds,
  at: number,
): Promise<Result<Collected & { readonly archive: Uint8Array }>> => {
  const writer = await createArchiveWriter(at)
  try {
    const collected = await collectFiles(storage, writer, bounds, documents)
    if (collected.ok) return ok({ ...collected.value, archive: await writer.finish() })
    await writer.abandon()
    return collected
  } catch (cause) {
    await writer.abandon()
    return err(new HermesError('io', `The archive of the backup could not be packed: ${String(cause)}. Try again.`, { cause }))
  }
}

/** Made of what was checked already, so its shape is not checked again: of thousands of files that takes long. */
const withId = (id: string, archive: Uint8Array, manifest: PackedBackup['manifest']): PlannedBackup => {
  const [path, own] = [archivePath(id), manifestPath(id)]
  const backup: SkillBackup = { id, archive: path, ...manifest }
  return { backup, put: { [path]: archive, [own]: jsonBytesWithin(own, backup, LIBRARY_LIMITS) } }
}

/**
 * Packs the library as listed and unpacks the archive again. `reason`: shown in the list of backups. `over_limit` if a SKILL.md does not fit, `invalid` for a blank
 * reason. Writes nothing.
 */
export const packBackup = async (
  storage: StorageBackend,
  documents: readonly DocumentInfo[],
  { reason, at, bounds }: { readonly reason: string; readonly at: number; readonly bounds: BackupBounds },
): Promise<Result<PackedBackup>> => {
  const said = reason.trim()
  if (said === '' || said.length > MAX_REASON_CHARS) {
    return err(
      new HermesError('invalid', `Say in 1 to ${MAX_REASON_CHARS} characters what the backup is for, such as 'before the big clean-up'.`),
    )
  }
  const packed = await pack(storage, documents, bounds, at)
  if (!packed.ok) return packed
  const { archive, files, leftOut, skillCount } = packed.value
  const verified = await unpackArchive(archive, files)
  if (!verified.ok) return err(new HermesError('io', `The archive of the backup is damaged: ${verified.error.message}. Try again.`))
  const archiveSha256 = await sha256Of(archive)
  const manifest = { createdAt: at, reason: said, archiveBytes: archive.length, archiveSha256, skillCount, files, leftOut }
  return orError(async () => ok({ archive, manifest, first: withId(toBackupId(at, 1), archive, manifest) }))
}

/** Gives a packed backup the first free id of its second. For a plan that names `curator/backups/`. */
export const planBackup = (cut: Cut, { archive, manifest, first }: PackedBackup): PlannedBackup => {
  const taken = new Set(cut.list(BACKUPS_FOLDER).map(({ path }) => path))
  for (let serial = 1; serial <= MAX_SERIAL; serial++) {
    const id = toBackupId(manifest.createdAt, serial)
    if (!taken.has(archivePath(id)) && !taken.has(manifestPath(id))) return serial === 1 ? first : withId(id, archive, manifest)
  }
  throw new HermesError('occupied', `There are ${MAX_SERIAL} backups of this second already. Try again a second later.`)
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

/** The documents of backups that are too old, to be removed in the update that puts a newer one. */
export const planRetention = (cut: Cut, now: number, retainWeeks = DEFAULT_RETAIN_WEEKS): Readonly<Record<string, null>> => {
  const oldest = now - retainWeeks * WEEK_MS
  const old = cut.list(BACKUPS_FOLDER).filter(({ path }) => {
    const id = idOfDocument(path)?.id
    return id !== undefined && (readBackupId(id)?.at ?? now) < oldest
  })
  return Object.fromEntries(old.map(({ path }) => [path, null]))
}

/** What an update does beside a backup. */
export interface Beside {
  readonly paths: readonly string[]
  readonly plan: (cut: Cut, backup: SkillBackup) => Omit<Plan<unknown>, 'value' | 'move'>
}

/**
 * Takes a backup in one update. `beside`: decides on the listed library; the update is made only if nothing in it has changed since. `refusal`: the error
 * instead of that of a backup that cannot be packed.
 */
export const takeBackup = async (
  storage: StorageBackend,
  options: Parameters<typeof packBackup>[2],
  beside: () => Promise<Result<Beside>>,
  refusal: (error: HermesError) => HermesError = (error) => error,
): Promise<Result<SkillBackup>> => {
  let taken: SkillBackup | undefined
  const done = await orError(() =>
    inTransaction(
      storage,
      async (over) => {
        const listed = await over.list(SKILLS_FOLDER)
        if (!listed.ok) return listed
        const more = await beside()
        if (!more.ok) return more
        const packed = await packBackup(storage, listed.value, options)
        return packed.ok ? ok({ packed: packed.value, more: more.value }) : err(refusal(packed.error))
      },
      ({ packed, more }) => ({
        paths: [`${SKILLS_FOLDER}/`, `${BACKUPS_FOLDER}/`, ...more.paths],
        plan: (cut) => {
          const { backup, put } = planBackup(cut, packed)
          taken = backup
          const also = more.plan(cut, backup)
          return { ...also, put: { ...put, ...also.put }, value: undefined }
        },
      }),
    ),
  )
  if (!done.ok) return done
  return taken ? ok(taken) : err(new HermesError('io', 'The backup was not written. Try again.'))
}
