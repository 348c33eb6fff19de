/**
 * The calls to the disk. Each waits for a thread; Node's callback functions add less than half of what those of `node:fs/promises` add to that. Calls that
 * are rare come from there.
 */
import fs, { constants } from 'node:fs'
import { mkdir, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isSystemError } from './io-error.ts'

const NO_LINK = constants.O_NOFOLLOW ?? 0

// Opening a named pipe must not block.
export const TO_READ = constants.O_RDONLY | NO_LINK | (constants.O_NONBLOCK ?? 0)
export const TO_WRITE = constants.O_RDWR | NO_LINK
export const TO_CREATE = TO_WRITE | constants.O_CREAT
export const TO_CREATE_NEW = TO_CREATE | constants.O_EXCL

/** Returns the number of the open file. */
export const open = promisify(fs.open)
export const close = promisify(fs.close)
export const fsync = promisify(fs.fsync)
export const fdatasync = promisify(fs.fdatasync)
export const ftruncate = promisify(fs.ftruncate)
export const rename = promisify(fs.rename)
export const unlink = promisify(fs.unlink)
export const lstat = promisify(fs.lstat)
export const stat = promisify(fs.stat)
export const readdir = promisify(fs.readdir)
export const realpath = promisify(fs.realpath.native)

const fstat = promisify(fs.fstat)
const readOnce = promisify(fs.read)
const writeOnce = promisify(fs.write)

/** Exact times and numbers. */
export const statusOf = (file: number): Promise<fs.BigIntStats> => fstat(file, { bigint: true })

/** Undefined if there is nothing; the file or folder itself, links followed unless `isLink`. */
export const statusAt = async (path: string, { followsLinks = false } = {}): Promise<fs.BigIntStats | undefined> =>
  orMissing((followsLinks ? stat : lstat)(path, { bigint: true }))

/** Undefined if there is nothing at the path. */
export const orMissing = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** From `position`, `length` bytes or as many as there are. */
export const readAt = async (file: number, position: number, length: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(length)
  const { bytesRead } = await readOnce(file, bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}

export const writeAt = async (file: number, bytes: Uint8Array, position: number): Promise<void> => {
  for (let at = 0; at < bytes.length; ) at += (await writeOnce(file, bytes, at, bytes.length - at, position + at)).bytesWritten
}

/** Nobody waits for it, and the calls that come next go first. */
export const letGo = (file: number): void => void setImmediate(() => fs.close(file, () => undefined))

export const withFile = async <T>(file: number, work: (file: number) => Promise<T>): Promise<T> => {
  try {
    return await work(file)
  } finally {
    letGo(file)
  }
}

/** Opens a file that is created in a folder that may be missing; folders are created with 0700. */
export const openIn = async (file: string, flags: number, mode = 0o600): Promise<number> => {
  try {
    return await open(file, flags, mode)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
    await createFolder(dirname(file))
    return open(file, flags, mode)
  }
}

const isFolder = async (path: string): Promise<boolean> => (await statusAt(path, { followsLinks: true }))?.isDirectory() ?? false

/** A file that stays open. */
export class OpenFile {
  readonly fd: number
  readonly #status: fs.BigIntStats

  private constructor(fd: number, status: fs.BigIntStats) {
    this.fd = fd
    this.#status = status
  }

  /** Creates its folders if the flags say that it may be created. */
  static async at(path: string, flags: number): Promise<OpenFile> {
    const fd = await ((flags & constants.O_CREAT) === 0 ? open(path, flags) : openIn(path, flags))
    return new OpenFile(fd, await statusOf(fd))
  }

  isSame(other: OpenFile): boolean {
    const { ino, dev } = other.#status
    return ino === this.#status.ino && dev === this.#status.dev
  }

  /** Whether it is still the file at its path. */
  async isAt(path: string): Promise<boolean> {
    const there = await statusAt(path)
    return there?.ino === this.#status.ino && there.dev === this.#status.dev
  }

  /** Bytes. */
  async size(): Promise<number> {
    return Number((await statusOf(this.fd)).size)
  }
}

/** One level at a time: Node's own recursive mkdir does not return if a file system answers ENOENT to a new entry, as /proc does. */
export const createFolder = async (folder: string): Promise<void> => {
  if (await isFolder(folder)) return
  if (folder !== dirname(folder)) await createFolder(dirname(folder))
  try {
    await mkdir(folder, 0o700)
  } catch (error) {
    // Another process created it first.
    if (!isSystemError(error, 'EEXIST') || !(await isFolder(folder))) throw error
  }
}

/** Waits until a file or folder is on disk. False if there is none. */
export const syncAt = async (path: string): Promise<boolean> => {
  try {
    await withFile(await open(path, constants.O_RDONLY), fsync)
    return true
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false
    // Not every system can open or sync a folder.
    if (isSystemError(error, 'EINVAL', 'EISDIR', 'EACCES', 'EPERM')) return true
    throw error
  }
}

/** Removes a folder that has only folders in it. Fails with ENOTEMPTY if there is anything else. */
export const removeEmptyFolder = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeEmptyFolder(join(folder, entry.name))
  await rmdir(folder)
}
