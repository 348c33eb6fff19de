/**
 * Extracts the documents of a rollback beside the library and reads them back, so that a full disk or a missing permission shows before
 * anything changes. Many documents share one staged file: only the total size matters.
 */

import { equalBytes } from '../../shared/equal-bytes.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { readDocument, updateDocument } from '../../storage/one-document.ts'
import type { DocumentInfo, StorageBackend } from '../../storage/storage-backend.ts'
import { inBatches } from '../backup/backup-batches.ts'
import { STAGING_FOLDER } from '../backup/backup-scope.ts'
import type { BackupContents } from '../backup/backup-unpack.ts'

const STAGED_FILE_BYTES = 4 * 1024 * 1024

const concatenate = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

/** Groups of a few megabytes; a larger document is its own group. */
function* groupsOf(documents: readonly Uint8Array[]): Generator<readonly Uint8Array[]> {
  let group: Uint8Array[] = []
  let size = 0
  for (const bytes of documents) {
    if (group.length > 0 && size + bytes.length > STAGED_FILE_BYTES) {
      yield group
      group = []
      size = 0
    }
    group.push(bytes)
    size += bytes.length
  }
  if (group.length > 0) yield group
}

const stageGroup = async (storage: StorageBackend, path: string, group: readonly Uint8Array[]): Promise<Result<void>> => {
  const bytes = concatenate(group)
  const written = await updateDocument(storage, path, () => bytes)
  if (!written.ok) return written
  const read = await readDocument(storage, path)
  if (!read.ok) return read
  if (read.value && equalBytes(read.value.bytes, bytes)) return ok(undefined)
  return err(new HermesError('io', `'${path}' did not read back as it was written. Check the disk, then try again.`, { details: { path } }))
}

/** Also reads every document to be replaced: an unreadable one could not be replaced. */
export const stageDocuments = async (
  storage: StorageBackend,
  contents: BackupContents,
  puts: readonly string[],
  live: readonly DocumentInfo[],
): Promise<Result<void>> => {
  const present = new Set(live.map(({ path }) => path))
  const replaceable = await inBatches(
    puts.filter((path) => present.has(path)),
    async (path) => {
      const read = await readDocument(storage, path)
      return read.ok ? ok(undefined) : read
    },
  )
  if (!replaceable.ok) return replaceable
  let number = 0
  for (const group of groupsOf(puts.flatMap((path) => contents.get(path)?.bytes ?? []))) {
    const staged = await stageGroup(storage, `${STAGING_FOLDER}/${++number}`, group)
    if (!staged.ok) return staged
  }
  return ok(undefined)
}

/** The staged files are not needed after the journal closes. */
export const clearStaging = async (storage: StorageBackend): Promise<Result<void>> => {
  const listed = await storage.list(STAGING_FOLDER)
  if (!listed.ok) return listed
  const removed = await inBatches(listed.value, ({ path }) => updateDocument(storage, path, () => undefined))
  return removed.ok ? ok(undefined) : removed
}
