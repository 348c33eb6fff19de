/** Copies of a memory file from before its white space is tidied or a change is refused: at most a few, without duplicates (DESIGN 3). Pure. */
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { Cut, DocumentInfo } from '../storage/storage-backend.ts'
import { MEMORY_FOLDER, MEMORY_PATHS } from '../storage/storage-paths.ts'
import type { MemoryTarget } from './memory-op.ts'

const MAX_BACKUPS = 5

interface Backup {
  readonly path: string
  /** Epoch seconds. */
  readonly second: number
  readonly serial: number
}

/** Newest first. */
export const backupsIn = (documents: readonly DocumentInfo[], target: MemoryTarget): readonly Backup[] => {
  const prefix = `${MEMORY_PATHS[target]}.bak.`
  const backups = documents.flatMap(({ path }): Backup[] => {
    const name = path.startsWith(prefix) ? /^(\d{1,15})(?:-(\d{1,9}))?$/.exec(path.slice(prefix.length)) : null
    return name ? [{ path, second: Number(name[1]), serial: Number(name[2] ?? 1) }] : []
  })
  return backups.sort((a, b) => b.second - a.second || b.serial - a.serial)
}

export interface DriftBackup {
  /** Of a copy with exactly these bytes; an identical one is used again. */
  readonly path: string
  /** The copy, and the removal of all but the newest 5 of the file. */
  readonly put: Readonly<Record<string, Uint8Array | null>>
}

/** `isNamed`: backups that the cut holds. `at`: epoch milliseconds. */
export const planBackup = (
  cut: Cut,
  target: MemoryTarget,
  bytes: Uint8Array,
  at: number,
  isNamed: (path: string) => boolean,
): DriftBackup => {
  const backups = backupsIn(cut.list(MEMORY_FOLDER), target)
  const isIdentical = (path: string): boolean => {
    try {
      const document = isNamed(path) ? cut.document(path) : undefined
      return document !== undefined && equalBytes(document.bytes, bytes)
    } catch (cause) {
      if (HermesError.isInstance(cause)) return false
      throw cause
    }
  }
  const identical = backups.find(({ path }) => isIdentical(path))
  if (identical) return { path: identical.path, put: {} }
  const second = Math.floor(at / 1000)
  // Serials rise within a second, past pruned ones, so that names sort by time.
  const serial = (backups.find((backup) => backup.second === second)?.serial ?? 0) + 1
  const path = `${MEMORY_PATHS[target]}.bak.${second}${serial === 1 ? '' : `-${serial}`}`
  const old = backups.slice(MAX_BACKUPS - 1).map((backup) => [backup.path, null] as const)
  return { path, put: { [path]: bytes, ...Object.fromEntries(old) } }
}
