/**
 * The calls to the disk, and its errors as typed ones that say what to do next. Each call waits for a thread; Node's callback functions add less than half of what those of `node:fs/promises` add to that. Calls that
 * are rare use those.
 */
import type { BigIntStats, Dirent } from 'node:fs'
import { dirname } from 'node:path'
import { HermesError, type HermesErrorCode } from '../../shared/hermes-error.ts'
import { fs } from './node-fs.ts'

const { constants } = fs

const NO_LINK = constants.O_NOFOLLOW ?? 0

// Opening a named pipe must not block.
export const TO_READ = constants.O_RDONLY | NO_LINK | (constants.O_NONBLOCK ?? 0)
export const TO_WRITE = constants.O_RDWR | NO_LINK
export const TO_CREATE = TO_WRITE | constants.O_CREAT
export const TO_CREATE_NEW = TO_CREATE | constants.O_EXCL
/** Windows syncs only what is open for writing. */
const TO_SYNC = process.platform === 'win32' ? constants.O_RDWR : constants.O_RDONLY

type Done<T> = (error: Error | null, value: T) => void

const wait = <T>(start: (done: Done<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))))

/** For calls without a result. */
const waitForEnd = (start: (done: (error: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))

/** Exact times and numbers. */
const EXACT = { bigint: true } as const

/** Returns the number of the open file. Windows has no flag that refuses a link, so the link is looked for. */
export const open = async (path: string, flags: number, mode?: number): Promise<number> => {
  if (NO_LINK === 0 && (await statusAt(path))?.isSymbolicLink())
    throw Object.assign(new Error(`ELOOP: a symbolic link is at '${path}'`), { code: 'ELOOP' })
  return wait((done) => fs.open(path, flags, mode, done))
}
export const close = (file: number): Promise<void> => waitForEnd((done) => fs.close(file, done))
export const fsync = (file: number): Promise<void> => waitForEnd((done) => fs.fsync(file, done))
export const fdatasync = (file: number): Promise<void> => waitForEnd((done) => fs.fdatasync(file, done))
export const ftruncate = (file: number, size: number): Promise<void> => waitForEnd((done) => fs.ftruncate(file, size, done))
export const renameOnce = (from: string, to: string): Promise<void> => waitForEnd((done) => fs.rename(from, to, done))
export const unlink = (path: string): Promise<void> => waitForEnd((done) => fs.unlink(path, done))
export const link = (from: string, to: string): Promise<void> => waitForEnd((done) => fs.link(from, to, done))
export const realpath = (path: string): Promise<string> => wait((done) => fs.realpath.native(path, done))
export const readEntries = (folder: string): Promise<Dirent[]> => wait((done) => fs.readdir(folder, { withFileTypes: true }, done))
export const statusOf = (file: number): Promise<BigIntStats> => wait((done) => fs.fstat(file, EXACT, done))

const lstat = (path: string): Promise<BigIntStats> => wait((done) => fs.lstat(path, EXACT, done))
const stat = (path: string): Promise<BigIntStats> => wait((done) => fs.stat(path, EXACT, done))
const writeOnce = (file: number, bytes: Uint8Array, at: number, position: number): Promise<number> =>
  wait((done) => fs.write(file, bytes, at, bytes.length - at, position, done))

/** Undefined if there is nothing; the file or folder itself, its links followed if `followsLinks`. */
export const statusAt = async (path: string, { followsLinks = false } = {}): Promise<BigIntStats | undefined> =>
  orMissing((followsLinks ? stat : lstat)(path))

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
  return bytes.subarray(0, await wait<number>((done) => fs.read(file, bytes, 0, length, position, done)))
}

export const writeAt = async (file: number, bytes: Uint8Array, position: number): Promise<void> => {
  for (let at = 0; at < bytes.length; ) at += await writeOnce(file, bytes, at, position + at)
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
  readonly #status: BigIntStats

  private constructor(fd: number, status: BigIntStats) {
    this.fd = fd
    this.#status = status
  }

  /** Creates its folders if the flags say that it may be created. */
  static async at(path: string, flags: number): Promise<OpenFile> {
    const fd = await ((flags & constants.O_CREAT) === 0 ? open(path, flags) : openIn(path, flags))
    return new OpenFile(fd, await statusOf(fd))
  }

  /** Tells it from all other files of the machine's disks. */
  get tag(): string {
    return `${this.#status.dev.toString(36)}${this.#status.ino.toString(36)}`
  }

  /** In bytes; undefined if it is not the file at its path any more. */
  async sizeAt(path: string): Promise<number | undefined> {
    const there = await statusAt(path)
    return there?.ino === this.#status.ino && there.dev === this.#status.dev ? Number(there.size) : undefined
  }
}

/**
 * One level at a time: Node's own recursive mkdir does not return if a file system answers ENOENT to a new entry, as /proc does. `isSynced`: waits until the new
 * entries are on disk.
 */
export const createFolder = async (folder: string, { isSynced = false } = {}): Promise<void> => {
  if (await isFolder(folder)) return
  if (folder !== dirname(folder)) await createFolder(dirname(folder), { isSynced })
  try {
    await fs.promises.mkdir(folder, 0o700)
  } catch (error) {
    // Another process created it first.
    if (!isSystemError(error, 'EEXIST') || !(await isFolder(folder))) throw error
  }
  if (isSynced) await syncAt(dirname(folder))
}

/** Waits until a file or folder is on disk, if there is one. */
export const syncAt = async (path: string): Promise<void> => {
  try {
    await withFile(await open(path, TO_SYNC), fsync)
  } catch (error) {
    // Not every system can open or sync a folder.
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR', 'EINVAL', 'EISDIR', 'EACCES', 'EPERM')) throw error
  }
}

export const TEMPORARY_PREFIX = '.hermes-tmp-'

export const isTemporary = (entry: Dirent): boolean => entry.isFile() && entry.name.startsWith(TEMPORARY_PREFIX)

interface SystemError extends Error {
  readonly code: string
}

/** An error of the operating system, optionally with one of the given codes. */
export const isSystemError = (error: unknown, ...codes: readonly string[]): error is SystemError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^E[A-Z0-9]+$/.test(error.code) &&
  (codes.length === 0 || codes.includes(error.code))

const advice: Readonly<Record<string, readonly [HermesErrorCode, string]>> = {
  EACCES: ['unwritable', 'Check who owns it and its permissions.'],
  EPERM: ['unwritable', 'Check who owns it and its permissions.'],
  EROFS: ['unwritable', 'The file system is read-only: mount it so that it can be written, or choose a home on another one.'],
  ENOENT: [
    'io',
    'A parent folder is missing, or the file system accepts no new entries: check that the home exists and its disk is mounted, and try again.',
  ],
  ENOTDIR: [
    'unwritable',
    'There is a file where a folder is needed; move it away, check ownership and permissions, or choose another home.',
  ],
  EISDIR: ['unwritable', 'There is a folder where a file is needed; move it away or choose another path.'],
  EEXIST: [
    'unwritable',
    'There is something else where a folder is needed; move it away, check ownership and permissions, or choose another home.',
  ],
  ENOTEMPTY: ['occupied', 'The folder contains files that are not documents: check what they are and move them away.'],
  ENOSPC: ['no_space', 'The disk is full: free some space and try again.'],
  EDQUOT: ['no_space', 'The disk quota is used up: free some space and try again.'],
  EFBIG: ['no_space', 'The file would be larger than the system allows: raise the limit or shorten it.'],
  ELOOP: ['invalid_path', 'Its symbolic links lead in a circle, or there is a link where none is allowed: remove the link.'],
  ENAMETOOLONG: ['invalid_path', 'The path is too long for this file system: choose a shorter one.'],
  EINVAL: ['invalid_path', 'The file system refuses the name or the move: choose another path.'],
  EXDEV: ['io', 'Source and target are on different file systems, where a move is not atomic: keep the folder and its files on one.'],
  EBUSY: [
    'io',
    'It is in use or is a mount point, so it cannot be replaced: mount its folder instead of the file, or close the program that uses it.',
  ],
  EMFILE: ['io', 'This process has too many files open: close some or raise the limit.'],
}

/** `path`: the document path of the caller; the system's message names the file on disk. */
const toIoError = (error: SystemError, doing: 'read' | 'write', path: string): HermesError => {
  const known = advice[error.code]
  const code = known?.[0] === 'unwritable' && doing === 'read' ? 'unreadable' : (known?.[0] ?? 'io')
  const what = path === '' ? 'the home' : `'${path}'`
  return new HermesError(
    code,
    `Could not ${doing} ${what} (${error.message}). ${known?.[1] ?? 'Check the system message, then try again.'}`,
    {
      cause: error,
      details: { path, systemCode: error.code },
    },
  )
}

/** An error of the system or of the library as a value; any other is a mistake in the program and thrown. */
export const toError = (cause: unknown, doing: 'read' | 'write', path = ''): HermesError => {
  if (HermesError.isInstance(cause)) return cause
  if (isSystemError(cause)) return toIoError(cause, doing, path)
  throw cause
}

/** Errors of the system that stay until a person does something. */
const LASTING = ['ENOTEMPTY', 'EISDIR', 'ENOTDIR', 'EEXIST', 'EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'ELOOP', 'ENAMETOOLONG'] as const

/** Whether trying again cannot help. */
export const isLasting = (cause: unknown): boolean => {
  const error = HermesError.isInstance(cause) ? cause : undefined
  return error?.code === 'invalid_path' || isSystemError(error ? error.cause : cause, ...LASTING)
}

export const hangingError = (ms: number, isUnderWay: boolean): HermesError =>
  new HermesError(
    'io',
    `The disk has not answered for ${ms} ms. Check it. ${isUnderWay ? 'Whether the update was done is not known: read before you repeat it.' : 'Nothing was written; try again.'}`,
  )
