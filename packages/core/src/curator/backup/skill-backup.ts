/**
 * Takes a backup of the skill library. The archive is written first, read back and verified; the manifest that makes it valid comes last
 * (seed 003, reference skills-curator 17).
 */

import type { Clock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { sha256Of } from '../../shared/sha256.ts'
import { updateJsonDocument } from '../../storage/json-document.ts'
import { readDocument, UNCHANGED, updateDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { type BackupBounds, type Collected, collectFiles } from './backup-collect.ts'
import { type SkillBackup, skillBackupSchema } from './backup-manifest.ts'
import { archivePath, manifestPath, toBackupId } from './backup-name.ts'
import { openBackup } from './backup-open.ts'
import { createArchiveWriter } from './backup-pack.ts'
import { type BackupSettings, DEFAULT_BACKUP_MAX_BYTES, DEFAULT_BACKUP_MAX_FILE_BYTES, LARGEST_BACKUP_BYTES } from './backup-settings.ts'

export interface SkillBackupOptions extends Pick<BackupSettings, 'maxBytes' | 'maxFileBytes'> {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Shown in the list of backups: `pre-curator-run`, `manual`, or a person's own text. */
  readonly reason: string
}

const MAX_REASON_CHARS = 500
const MAX_SERIAL = 1_000
/** If skills keep moving, the backup holds the library as seen in the last attempt. */
const MAX_ATTEMPTS = 4

interface Packed extends Collected {
  readonly archive: Uint8Array
}

const packOnce = async (storage: StorageBackend, bounds: BackupBounds, at: number): Promise<Result<Packed>> => {
  const writer = await createArchiveWriter(at)
  try {
    const collected = await collectFiles(storage, writer, bounds)
    if (!collected.ok) {
      await writer.abandon()
      return collected
    }
    return ok({ ...collected.value, archive: await writer.finish() })
  } catch (cause) {
    await writer.abandon()
    return err(new HermesError('io', `The archive of the backup could not be packed: ${String(cause)}. Try again.`, { cause }))
  }
}

const pack = async (storage: StorageBackend, bounds: BackupBounds, at: number): Promise<Result<Packed>> => {
  for (let attempt = 1; ; attempt++) {
    const packed = await packOnce(storage, bounds, at)
    if (!packed.ok || !packed.value.missedSkill || attempt === MAX_ATTEMPTS) return packed
  }
}

/** Uses the first free name of its second: neither a finished backup nor a leftover of a broken one has it. */
const writeArchive = async (storage: StorageBackend, archive: Uint8Array, at: number): Promise<Result<string>> => {
  for (let serial = 1; serial <= MAX_SERIAL; serial++) {
    const id = toBackupId(at, serial)
    const manifest = await readDocument(storage, manifestPath(id))
    if (!manifest.ok) return manifest
    if (manifest.value) continue
    let isOurs = false
    const written = await updateDocument(storage, archivePath(id), (current) => {
      isOurs = current === undefined
      return isOurs ? archive : UNCHANGED
    })
    if (!written.ok) return written
    if (isOurs) return ok(id)
  }
  return err(new HermesError('occupied', `There are ${MAX_SERIAL} backups of this second already. Try again a second later.`))
}

/**
 * Returns only a backup that was read back and verified. `over_limit` if a SKILL.md does not fit, `invalid` for a blank reason, otherwise
 * the storage's error. A failure leaves at most an archive that is not listed as a backup.
 */
export const createSkillBackup = async (options: SkillBackupOptions): Promise<Result<SkillBackup>> => {
  const { storage, clock, maxBytes = DEFAULT_BACKUP_MAX_BYTES, maxFileBytes = DEFAULT_BACKUP_MAX_FILE_BYTES } = options
  const reason = options.reason.trim()
  if (reason === '' || reason.length > MAX_REASON_CHARS) {
    return err(
      new HermesError('invalid', `Say in 1 to ${MAX_REASON_CHARS} characters what the backup is for, such as 'before the big clean-up'.`),
    )
  }
  const at = clock()
  const packed = await pack(storage, { maxBytes: Math.min(maxBytes, LARGEST_BACKUP_BYTES), maxFileBytes }, at)
  if (!packed.ok) return packed
  const { archive, files, leftOut, skillCount } = packed.value
  const archiveSha256 = await sha256Of(archive)
  const id = await writeArchive(storage, archive, at)
  if (!id.ok) return id

  const backup: SkillBackup = {
    id: id.value,
    createdAt: at,
    reason,
    archive: archivePath(id.value),
    archiveBytes: archive.length,
    archiveSha256,
    skillCount,
    files,
    leftOut,
  }
  const readBack = await openBackup(storage, backup)
  if (!readBack.ok) {
    const why = `The backup ${backup.id} could not be read back as it was written: ${readBack.error.message} Check the disk, then try again.`
    return err(new HermesError('io', why, { cause: readBack.error }))
  }
  const written = await updateJsonDocument(storage, manifestPath(backup.id), skillBackupSchema, () => backup)
  return written.ok ? ok(backup) : written
}
