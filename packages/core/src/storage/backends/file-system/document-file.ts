/** Reads the file behind a document: whole, regular, and recognisable later. */
import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { constants, type FileHandle, lstat, open } from 'node:fs/promises'
import type { StoredDocument } from '../../storage-backend.ts'
import { isSystemError } from './io-error.ts'
import { DisplacedError, wasAt } from './pinned-folder.ts'

// A named pipe put in the place of a document must not block the open.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

export interface DocumentFile {
  readonly document: StoredDocument
  /** Differs once the file was replaced or written to. */
  readonly identity: string
}

const OWNER_MAY_EXECUTE = 0o100n

export const toDocument = (bytes: Uint8Array, executable: boolean): StoredDocument => ({
  bytes,
  ...(executable ? { executable } : {}),
  version: createHash('sha256').update(bytes).digest('hex').slice(0, 32),
})

export const identityOf = (stats: BigIntStats): string => `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`

/** What stands at a path now, links not followed; `undefined` for nothing. */
export const statusAt = async (path: string): Promise<BigIntStats | undefined> => {
  try {
    return await lstat(path, { bigint: true })
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

const plainBytes = (buffer: Buffer): Uint8Array => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)

const readOpened = async (handle: FileHandle, file: string): Promise<DocumentFile | 'folder' | 'special'> => {
  if (!(await wasAt(handle, file))) throw new DisplacedError(`${file} is not what was opened in its place.`)
  const stats = await handle.stat({ bigint: true })
  if (stats.isDirectory()) return 'folder'
  if (!stats.isFile()) return 'special'
  const executable = (stats.mode & OWNER_MAY_EXECUTE) !== 0n
  return { document: toDocument(plainBytes(await handle.readFile()), executable), identity: identityOf(stats) }
}

/**
 * `undefined` for nothing, `'folder'` for a folder, `'special'` for a device, pipe or socket. `file` has every link resolved: throws
 * `DisplacedError` where one stands on the way now, and the system's errors.
 */
export const readDocumentFile = async (file: string): Promise<DocumentFile | undefined | 'folder' | 'special'> => {
  let handle: FileHandle
  try {
    handle = await open(file, READ_FLAGS)
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    if (isSystemError(error, 'ENXIO', 'EOPNOTSUPP')) return 'special'
    // Windows does not open folders at all.
    if (isSystemError(error, 'EISDIR', 'EPERM', 'EACCES') && (await statusAt(file))?.isDirectory()) return 'folder'
    throw error
  }
  try {
    return await readOpened(handle, file)
  } finally {
    await handle.close()
  }
}
