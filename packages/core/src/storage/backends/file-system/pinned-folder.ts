/**
 * A folder held open during an operation, so that it cannot be replaced by another one or a link unnoticed. On Linux its entries are
 * reached through the open handle; elsewhere the path is checked again after creating or replacing an entry.
 */
import { constants, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HermesError } from '../../../shared/hermes-error.ts'
import { exactLstat, lstat, type OpenFile, open, realpath } from './file-calls.ts'
import { isSystemError } from './io-error.ts'
import { foldPath } from './own-files.ts'

/** The resolved path now leads elsewhere: the caller has to resolve it again. */
export class DisplacedError extends Error {
  override readonly name = 'DisplacedError'
}

/** `undefined` if it throws `DisplacedError`. */
export const orDisplaced = async <T>(doing: Promise<T>): Promise<T | undefined> => {
  try {
    return await doing
  } catch (error) {
    if (error instanceof DisplacedError) return undefined
    throw error
  }
}

export const linksKeepChanging = (path: string): HermesError =>
  new HermesError('io', `The symbolic links on the way to '${path}' keep changing. Stop what changes them and try again.`)

export interface PinnedFolder {
  readonly folder: string
  /** The path to an entry through the open folder. */
  readonly at: (name: string) => string
  /** Makes renames and removals durable; does nothing on platforms that cannot sync a folder. */
  readonly sync: () => Promise<void>
}

const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

const handlePath = (handle: OpenFile): string => `/proc/self/fd/${handle.fd}`

// The only synchronous call: the kernel answers from memory, so it cannot wait for a disk.
const placeOf = (handle: OpenFile): string => readlinkSync(handlePath(handle))

const probe = async (): Promise<boolean> => {
  if (process.platform !== 'linux') return false
  const root = await open('/', FOLDER_FLAGS)
  try {
    return placeOf(root) === '/'
  } catch {
    return false
  } finally {
    await root.close()
  }
}

let probed: Promise<boolean> | undefined

/** Whether the system can tell the path of an open file: not without /proc, nor with an emulated root. */
export const tellsPlaces = (): Promise<boolean> => {
  probed ??= probe()
  return probed
}

// A file system that ignores case reports names as they were created.
const isSamePlace = (a: string, b: string): boolean => a === b || foldPath(a) === foldPath(b)

const orMissing = async <T>(looking: Promise<T>): Promise<T | undefined> => {
  try {
    return await looking
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
    throw error
  }
}

/** Whether the open file is at this path now, without links on the path. */
export const isAt = async (handle: OpenFile, path: string): Promise<boolean> => {
  if (await tellsPlaces()) return isSamePlace(placeOf(handle), path)
  const seen = await orMissing(Promise.all([handle.exactStat(), exactLstat(path), realpath(path)]))
  if (!seen) return false
  const [mine, there, real] = seen
  return isSamePlace(real, path) && there.ino === mine.ino && there.dev === mine.dev
}

/** Whether the open file was at this path, even if another file has replaced it since. */
export const wasAt = async (handle: OpenFile, path: string): Promise<boolean> => {
  if (await tellsPlaces()) {
    const place = placeOf(handle)
    return isSamePlace(place, path) || isSamePlace(place, `${path} (deleted)`)
  }
  const real = await orMissing(realpath(dirname(path)))
  return real !== undefined && isSamePlace(real, dirname(path))
}

/** Closes a file in the background. Not for a lock, nor for a file with writes that were not synced. */
export const letGo = (handle: OpenFile): void => {
  handle.close().catch(() => undefined)
}

const syncHandle = async (handle: OpenFile): Promise<void> => {
  try {
    await handle.sync()
  } catch (error) {
    if (!isSystemError(error, 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP')) throw error
  }
}

const displaced = (folder: string): DisplacedError => new DisplacedError(`${folder} is no longer the folder it was.`)

const openFolder = async (folder: string, way: string): Promise<OpenFile> => {
  try {
    return await open(way, FOLDER_FLAGS)
  } catch (error) {
    // A link was put in its place; systems use either code.
    if (isSystemError(error, 'ELOOP') || (isSystemError(error, 'ENOTDIR') && (await orMissing(lstat(folder)))?.isSymbolicLink()))
      throw displaced(folder)
    throw error
  }
}

const doIn = async <T>(pinned: PinnedFolder, handle: OpenFile, through: string, act: (pinned: PinnedFolder) => Promise<T>): Promise<T> => {
  try {
    return await act(pinned)
  } catch (error) {
    // Nothing can be created in a removed folder.
    if (isSystemError(error, 'ENOENT') && !(await isAt(handle, pinned.folder))) throw displaced(pinned.folder)
    // Show the folder's name in the message.
    if (isSystemError(error)) error.message = error.message.replaceAll(`${through}/`, `${pinned.folder}/`)
    throw error
  }
}

/** A folder held open. */
export interface Pin {
  readonly isInPlace: () => Promise<boolean>
  /** Throws `DisplacedError` if the folder is not at its path now. */
  readonly use: <T>(act: (pinned: PinnedFolder) => Promise<T>) => Promise<T>
  readonly letGo: () => void
}

/**
 * Opens a folder given with every link resolved. Throws `DisplacedError` if a link is in its place, and the system's errors, ENOENT if
 * the folder is missing. `way`: a path that should lead there, opened in its stead.
 */
export const pinFolder = async (folder: string, way = folder): Promise<Pin> => {
  if (process.platform === 'win32') {
    if (!isSamePlace(await realpath(folder), folder)) throw displaced(folder)
    const pinned = { folder, at: (name: string) => join(folder, name), sync: async () => undefined }
    return { isInPlace: async () => true, use: (act) => act(pinned), letGo: () => undefined }
  }
  const handle = await openFolder(folder, way)
  return {
    isInPlace: () => isAt(handle, folder),
    use: async (act) => {
      if (!(await isAt(handle, folder))) throw displaced(folder)
      const through = (await tellsPlaces()) ? handlePath(handle) : folder
      return doIn({ folder, at: (name) => `${through}/${name}`, sync: () => syncHandle(handle) }, handle, through, act)
    },
    letGo: () => letGo(handle),
  }
}

/** Runs `act` in a folder, as `pinFolder` opens it. */
export const withFolder = async <T>(folder: string, act: (pinned: PinnedFolder) => Promise<T>): Promise<T> => {
  const pin = await pinFolder(folder)
  try {
    return await pin.use(act)
  } finally {
    pin.letGo()
  }
}
