/** Opens a backup for use: the archive is read, hashed and unpacked, and any doubt refuses it before anything else happens. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { sha256Of } from '../../shared/sha256.ts'
import { readJsonDocument } from '../../storage/json-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { type SkillBackup, skillBackupSchema } from './backup-manifest.ts'
import { archivePath, manifestPath } from './backup-name.ts'
import { type BackupContents, unpackArchive } from './backup-unpack.ts'

/** A backup whose every byte was checked. */
export interface OpenBackup {
  readonly backup: SkillBackup
  readonly contents: BackupContents
}

/** `why`: half a sentence. */
export const damaged = (id: string, why: string, cause?: unknown): HermesError =>
  new HermesError('unreadable', `The backup ${id} cannot be used: ${why}. It is left as it is; choose another backup.`, {
    cause,
    details: { id },
  })

/** `not_found` where there is no manifest; `unreadable` where it is not that of this backup. The archive is not looked at. */
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

/** `unreadable` where anything in it is not as its manifest says. */
export const openBackup = async (storage: StorageBackend, backup: SkillBackup): Promise<Result<OpenBackup>> => {
  const { id, archive, archiveBytes, archiveSha256 } = backup
  const read = await storage.read(archive)
  if (!read.ok) return read
  if (!read.value) return err(damaged(id, `its archive '${archive}' is gone`))
  const { bytes } = read.value
  if (bytes.length !== archiveBytes) return err(damaged(id, `its archive has ${bytes.length} bytes instead of ${archiveBytes}`))
  if ((await sha256Of(bytes)) !== archiveSha256) return err(damaged(id, 'its archive was changed since it was written'))
  const contents = await unpackArchive(bytes, backup.files)
  return contents.ok ? ok({ backup, contents: contents.value }) : err(damaged(id, contents.error.message, contents.error))
}

/** By id, as a rollback under way knows it. */
export const openBackupById = async (storage: StorageBackend, id: string): Promise<Result<OpenBackup>> => {
  const manifest = await readManifest(storage, id)
  return manifest.ok ? openBackup(storage, manifest.value) : manifest
}
