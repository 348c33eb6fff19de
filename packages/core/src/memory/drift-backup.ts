/** Copies of a memory file from before its white space is tidied or a change is refused: at most a few, without duplicates (DESIGN 3). */

import type { Clock } from '../shared/clock.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import { MEMORY_FOLDER, MEMORY_PATHS } from '../storage/storage-paths.ts'
import type { MemoryTarget } from './memory-op.ts'

const MAX_BACKUPS = 5
const MAX_NAMES_TRIED = 100

interface Backup extends DocumentInfo {
  /** Epoch seconds. */
  readonly second: number
  readonly serial: number
}

const prefixOf = (target: MemoryTarget): string => `${MEMORY_PATHS[target]}.bak.`

const nameBackup = (target: MemoryTarget, second: number, serial: number): string =>
  `${prefixOf(target)}${second}${serial === 1 ? '' : `-${serial}`}`

/** Newest first. */
const listBackups = async (storage: StorageBackend, target: MemoryTarget): Promise<Result<readonly Backup[]>> => {
  const listed = await storage.list(MEMORY_FOLDER)
  if (!listed.ok) return listed
  const backups = listed.value.flatMap((info): Backup[] => {
    const name = info.path.startsWith(prefixOf(target))
      ? /^(\d{1,15})(?:-(\d{1,9}))?$/.exec(info.path.slice(prefixOf(target).length))
      : null
    return name ? [{ ...info, second: Number(name[1]), serial: Number(name[2] ?? 1) }] : []
  })
  return ok(backups.sort((a, b) => b.second - a.second || b.serial - a.serial))
}

const findIdentical = async (storage: StorageBackend, backups: readonly Backup[], bytes: Uint8Array): Promise<string | undefined> => {
  for (const { path, size } of backups) {
    if (size !== bytes.length) continue
    const document = await readDocument(storage, path)
    if (document.ok && document.value && equalBytes(document.value.bytes, bytes)) return path
  }
  return undefined
}

/** Serials rise within a second, past pruned ones, so that names sort by time. */
const writeBackup = async (
  storage: StorageBackend,
  target: MemoryTarget,
  bytes: Uint8Array,
  second: number,
  backups: readonly Backup[],
): Promise<Result<string>> => {
  const first = (backups.find((backup) => backup.second === second)?.serial ?? 0) + 1
  for (let serial = first; serial < first + MAX_NAMES_TRIED; serial++) {
    const path = nameBackup(target, second, serial)
    let created = false
    const written = await updateDocument(storage, path, (current) => {
      created = current === undefined
      return created ? bytes : UNCHANGED
    })
    if (!written.ok) return written
    if (created) return ok(path)
  }
  return err(new HermesError('occupied', `No free name for a backup of '${MEMORY_PATHS[target]}' in this second. Retry in a moment.`))
}

/**
 * Returns the path of a copy with exactly these bytes; an identical copy is reused. Keeps the newest 5 of a file. `onPruneFailure` is
 * called if an old copy cannot be removed; the backup itself still succeeds.
 */
export const keepDriftBackup = async (
  storage: StorageBackend,
  target: MemoryTarget,
  bytes: Uint8Array,
  clock: Clock,
  onPruneFailure: (error: HermesError) => void,
): Promise<Result<string>> => {
  const backups = await listBackups(storage, target)
  if (!backups.ok) return backups
  const identical = await findIdentical(storage, backups.value, bytes)
  if (identical !== undefined) return ok(identical)
  const written = await writeBackup(storage, target, bytes, Math.floor(clock() / 1000), backups.value)
  if (!written.ok) return written
  for (const { path } of backups.value.slice(MAX_BACKUPS - 1)) {
    const removed = await updateDocument(storage, path, () => undefined)
    if (!removed.ok) onPruneFailure(removed.error)
  }
  return written
}
