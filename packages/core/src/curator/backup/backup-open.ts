/** Opens a backup for use: reads, hashes and unpacks the archive, and refuses it if anything does not match. */

import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { sha256Of } from '../../shared/sha256.ts'
import { readJsonDocument } from '../../storage/json-document.ts'
import { readDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { type SkillBackup, skillBackupSchema } from './backup-manifest.ts'
import { archivePath, manifestPath } from './backup-name.ts'
import { type BackupContents, unpackArchive } from './backup-unpack.ts'

/** A backup whose bytes have all been verified. */
export interface OpenBackup {
  readonly backup: SkillBackup
  readonly contents: BackupContents
}

/** `why`: a clause that completes the message. */
export const damaged = (id: string, why: string, cause?: unknown): HermesError =>
  new HermesError('unreadable', `The backup ${id} cannot be used: ${why}. It is left as it is; choose another backup.`, {
    cause,
    details: { id },
  })

/** `not_found` without a manifest; `unreadable` if the manifest is not that of this backup. Does not check the archive. */
export const readManifest = async (storage: StorageBackend, id: string): Promise<Result<SkillBackup>> => {
  const path = manifestPath(id)
  const read = await readJsonDocument(storage, path, skillBackupSchema)
  if (!read.ok) return read
  if (!read.value) {
    return err(
      new HermesError('not_found', `There is no manifest '${path}': that backup was never finished, or it is gone.`, { details: { id } }),
    )
  }
  const isOwn = read.value.id === id && read.value.archive === archivePath(id)
  return isOwn ? ok(read.value) : err(damaged(id, `'${path}' is the manifest of another backup`))
}

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

/** Opens by id, as a rollback in progress stores it. */
export const openBackupById = async (storage: StorageBackend, id: string): Promise<Result<OpenBackup>> => {
  const manifest = await readManifest(storage, id)
  return manifest.ok ? openBackup(storage, manifest.value) : manifest
}
