/**
 * The calls of the file back end to the disk. Each waits for a thread; Node's callback functions add less than half of what those of
 * `node:fs/promises` add to that. Calls that are rare come from there.
 */
import {
  type BigIntStats,
  close,
  type Dirent,
  fchmod,
  fstat,
  fsync,
  ftruncate,
  link as linkEntry,
  lstat as lstatOf,
  open as openFile,
  type PathLike,
  read,
  readFile as readAll,
  readdir as readFolder,
  readlink as readLink,
  realpath as realPath,
  rename as renameEntry,
  type Stats,
  stat as statOf,
  unlink as unlinkEntry,
  write,
  writeFile as writeAll,
} from 'node:fs'

type Done<T> = (error: Error | null, value: T) => void

const wait = <T>(start: (done: Done<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))))

/** For calls without a result. */
const waitForEnd = (start: (done: (error: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))

/** Exact times and sizes. */
const EXACT = { bigint: true } as const

/** An open file or folder; close it, since nothing else does. After that, every call fails with EBADF. */
export interface OpenFile {
  readonly fd: number
  readonly stat: () => Promise<Stats>
  readonly exactStat: () => Promise<BigIntStats>
  /** Fills the buffer from the start of the file, as far as one call reads; returns the number of bytes. */
  readonly read: (buffer: Uint8Array) => Promise<number>
  readonly readFile: () => Promise<Buffer>
  /** From the start of the file, in one call. */
  readonly write: (text: string) => Promise<void>
  readonly writeFile: (bytes: Uint8Array) => Promise<void>
  readonly sync: () => Promise<void>
  /** To nothing. */
  readonly truncate: () => Promise<void>
  readonly chmod: (mode: number) => Promise<void>
  readonly close: () => Promise<void>
}

const closedFile = (): Error => Object.assign(new Error('EBADF: the file has been closed'), { code: 'EBADF' })

const toOpenFile = (opened: number): OpenFile => {
  let closed = false
  // The system gives the number of a closed file to the next one that is opened.
  const number = (): number => {
    if (closed) throw closedFile()
    return opened
  }
  return {
    get fd() {
      return number()
    },
    stat: () => wait((done) => fstat(number(), done)),
    exactStat: () => wait((done) => fstat(number(), EXACT, done)),
    read: (buffer) => wait((done) => read(number(), buffer, 0, buffer.length, 0, done)),
    readFile: () => wait((done) => readAll(number(), done)),
    write: (text) => waitForEnd((done) => write(number(), text, 0, done)),
    writeFile: (bytes) => waitForEnd((done) => writeAll(number(), bytes, done)),
    sync: () => waitForEnd((done) => fsync(number(), done)),
    truncate: () => waitForEnd((done) => ftruncate(number(), 0, done)),
    chmod: (mode) => waitForEnd((done) => fchmod(number(), mode, done)),
    close: async () => {
      const closing = number()
      closed = true
      await waitForEnd((done) => close(closing, done))
    },
  }
}

export const open = async (path: string, flags: string | number, mode?: number): Promise<OpenFile> =>
  toOpenFile(await wait<number>((done) => openFile(path, flags, mode, done)))

export const stat = (path: PathLike): Promise<Stats> => wait((done) => statOf(path, done))

export const exactStat = (path: PathLike): Promise<BigIntStats> => wait((done) => statOf(path, EXACT, done))

/** Without following a link. */
export const lstat = (path: PathLike): Promise<Stats> => wait((done) => lstatOf(path, done))

export const exactLstat = (path: PathLike): Promise<BigIntStats> => wait((done) => lstatOf(path, EXACT, done))

export const readEntries = (folder: PathLike): Promise<Dirent[]> => wait((done) => readFolder(folder, { withFileTypes: true }, done))

export const readlink = (path: PathLike): Promise<string> => wait((done) => readLink(path, done))

export const realpath = (path: PathLike): Promise<string> => wait((done) => realPath.native(path, done))

export const rename = (from: PathLike, to: PathLike): Promise<void> => waitForEnd((done) => renameEntry(from, to, done))

/** Gives the file a second name; fails with EEXIST if the name is taken. */
export const link = (file: PathLike, name: PathLike): Promise<void> => waitForEnd((done) => linkEntry(file, name, done))

export const unlink = (path: PathLike): Promise<void> => waitForEnd((done) => unlinkEntry(path, done))
