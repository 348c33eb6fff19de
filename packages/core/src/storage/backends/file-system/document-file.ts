/** Reads the file of a document: complete, a regular file, and with an identity for later comparison. */
import { type BigIntStats, constants } from 'node:fs'
import type { DocumentContent } from '../../storage-backend.ts'
import { exactLstat, type OpenFile, open } from './file-calls.ts'
import { isSystemError } from './io-error.ts'
import { lateCrypto } from './late-crypto.ts'
import { DisplacedError, letGo, wasAt } from './pinned-folder.ts'

// Opening a named pipe must not block.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

export interface VersionedDocument extends DocumentContent {
  /** Differs whenever the bytes differ. */
  readonly version: string
}

export interface DocumentFile {
  readonly document: VersionedDocument
  /** Differs after the file was replaced or written to. */
  readonly identity: string
}

const OWNER_MAY_EXECUTE = 0o100n

/** Few callers look at the version, and hashing costs as much as reading. */
export const toDocument = (bytes: Uint8Array, executable: boolean): VersionedDocument => {
  let version: string | undefined
  return {
    bytes,
    ...(executable ? { executable } : {}),
    get version() {
      version ??= lateCrypto().createHash('sha256').update(bytes).digest('hex').slice(0, 32)
      return version
    },
  }
}

export const identityOf = (stats: BigIntStats): string => `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`

/** The entry at a path, without following links; `undefined` if there is none. */
export const statusAt = async (path: string): Promise<BigIntStats | undefined> => {
  try {
    return await exactLstat(path)
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** Reads one byte beyond the expected end to detect growth. */
const bytesOf = async (handle: OpenFile, expected: number): Promise<Uint8Array> => {
  const buffer = new Uint8Array(expected + 1)
  if ((await handle.read(buffer)) === expected) return buffer.subarray(0, expected)
  // The file is being written to or has no known size: read all of it.
  const all = await handle.readFile()
  return new Uint8Array(all.buffer, all.byteOffset, all.byteLength)
}

const readOpened = async (handle: OpenFile, file: string): Promise<DocumentFile | 'folder' | 'special'> => {
  if (!(await wasAt(handle, file))) throw new DisplacedError(`${file} was replaced while it was being opened.`)
  const stats = await handle.exactStat()
  if (stats.isDirectory()) return 'folder'
  if (!stats.isFile()) return 'special'
  const executable = (stats.mode & OWNER_MAY_EXECUTE) !== 0n
  return { document: toDocument(await bytesOf(handle, Number(stats.size)), executable), identity: identityOf(stats) }
}

/** What is at the path of a document: nothing, a folder, or a device, pipe or socket. */
export type FoundFile = DocumentFile | undefined | 'folder' | 'special'

export interface OpenedFile {
  readonly found: FoundFile
  /** Closes the file in the background. Until then no other file has its inode number, so an equal identity is the same file. */
  readonly letGo: () => void
}

/**
 * Reads a document and keeps its file open. `file` has every link resolved: throws `DisplacedError` if a link is on the path now, and the
 * system's errors. `way`: a path that should lead there, opened in its stead.
 */
export const openDocumentFile = async (file: string, way = file): Promise<OpenedFile> => {
  const nothing = (found: FoundFile): OpenedFile => ({ found, letGo: () => undefined })
  let handle: OpenFile
  try {
    handle = await open(way, READ_FLAGS)
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return nothing(undefined)
    if (isSystemError(error, 'ENXIO', 'EOPNOTSUPP')) return nothing('special')
    if (isSystemError(error, 'ELOOP')) throw new DisplacedError(`${file} has become a link.`)
    // Windows cannot open folders.
    if (isSystemError(error, 'EISDIR', 'EPERM', 'EACCES') && (await statusAt(file))?.isDirectory()) return nothing('folder')
    throw error
  }
  try {
    return { found: await readOpened(handle, file), letGo: () => letGo(handle) }
  } catch (error) {
    letGo(handle)
    throw error
  }
}

/** The same, and closes the file. */
export const readDocumentFile = async (file: string, way = file): Promise<FoundFile> => {
  const opened = await openDocumentFile(file, way)
  opened.letGo()
  return opened.found
}
