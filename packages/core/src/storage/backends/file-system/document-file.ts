/** Reads the file behind a document: whole, regular, and recognisable later. */
import { createHash } from 'node:crypto'
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFile, readFileSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import type { StoredDocument } from '../../storage-backend.ts'
import { isSystemError } from './io-error.ts'

const readLarge = promisify(readFile)

/** Small files are read and written in one go, since handing them to a thread costs more; large ones never hold up the event loop. */
export const SMALL_FILE_BYTES = 64 * 1024

// A named pipe put in the place of a document must not block the open.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

export interface DocumentFile {
  readonly document: StoredDocument
  /** Differs once the file was replaced or written to. */
  readonly identity: string
}

export const toDocument = (bytes: Uint8Array): StoredDocument => ({
  bytes,
  version: createHash('sha256').update(bytes).digest('hex').slice(0, 32),
})

export const identityOf = (stats: BigIntStats): string => `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`

/** What stands at the place now; `undefined` for nothing. */
export const identityAt = (file: string): string | undefined => {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats && identityOf(stats)
}

const plainBytes = (buffer: Buffer): Uint8Array => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)

/** `undefined` for nothing, `'folder'` for a folder, `'special'` for a device, pipe or socket. Throws the system's errors. */
export const readDocumentFile = async (file: string): Promise<DocumentFile | undefined | 'folder' | 'special'> => {
  let handle: number
  try {
    handle = openSync(file, READ_FLAGS)
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    if (isSystemError(error, 'ENXIO', 'EOPNOTSUPP')) return 'special'
    // Windows does not open folders at all.
    if (isSystemError(error, 'EISDIR', 'EPERM', 'EACCES') && statSync(file, { throwIfNoEntry: false })?.isDirectory()) return 'folder'
    throw error
  }
  try {
    const stats = fstatSync(handle, { bigint: true })
    if (stats.isDirectory()) return 'folder'
    if (!stats.isFile()) return 'special'
    const buffer = stats.size <= SMALL_FILE_BYTES ? readFileSync(handle) : await readLarge(handle)
    return { document: toDocument(plainBytes(buffer)), identity: identityOf(stats) }
  } finally {
    closeSync(handle)
  }
}
