/** Puts a record's documents in their places. */
import { constants } from 'node:fs'
import { mkdir, readdir, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type OpenFile, open, rename, unlink } from '../../backends/file-system/file-calls.ts'
import { isSystemError } from '../../backends/file-system/io-error.ts'
import { letGo } from '../../backends/file-system/pinned-folder.ts'
import { sweepTemporaryFile, temporaryName } from '../../backends/file-system/temporary-files.ts'
import { removeEmptyFolder } from '../../backends/file-system/walk-documents.ts'
import { writeAt } from './disk.ts'
import type { LogRecord, PutEntry } from './log-record.ts'
import type { HomePaths } from './paths.ts'

type Append = LogRecord['appends'][number]

const TAIL_FLAGS = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** Absolute, without links. Throws `invalid_path` for a link out of the home. */
export const fileOf = async (home: HomePaths, path: string): Promise<string> => {
  const located = await home.locate(path)
  if (!located.ok) throw located.error
  if (located.value.blocked) throw located.value.blocked
  return located.value.file
}

/** Creates the folders of `file` if they are missing. */
const inFolder = async <T>(file: string, act: () => Promise<T>): Promise<T> => {
  try {
    return await act()
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    return act()
  }
}

/** Folders that this process has looked into for temporary files of killed ones. */
const swept = new Set<string>()

/** After a kill: its temporary files are looked for again. */
export const sweepAgain = (): void => swept.clear()

const sweepOnce = async (folder: string): Promise<void> => {
  if (swept.has(folder)) return
  swept.add(folder)
  for (const name of await readdir(folder)) await sweepTemporaryFile(name, join(folder, name))
}

type Content = PutEntry & { readonly bytes: Uint8Array }

const isContent = (put: PutEntry): put is Content => put.bytes !== null

/** A new file beside the document whose place it takes. */
export class Replacement {
  readonly #put: Content
  readonly #target: string
  readonly #handle: OpenFile
  #file: string

  private constructor(put: Content, target: string, file: string, handle: OpenFile) {
    this.#put = put
    this.#target = target
    this.#file = file
    this.#handle = handle
  }

  static async create(home: HomePaths, put: Content, name = temporaryName()): Promise<Replacement> {
    const target = await fileOf(home, put.path)
    const file = join(dirname(target), name)
    const handle = await inFolder(file, () => open(file, 'wx', put.executable ? 0o700 : 0o600))
    return new Replacement(put, target, file, handle)
  }

  get isShared(): boolean {
    return this.#put.shared !== undefined
  }

  /** What Python or a person may read before a recovery waits for the disk. */
  async fill(): Promise<void> {
    try {
      await writeAt(this.#handle.fd, this.#put.bytes, 0)
      if (this.#put.shared) await this.#handle.sync()
    } finally {
      letGo(this.#handle)
    }
  }

  async takeName(name: string): Promise<void> {
    const file = join(dirname(this.#target), name)
    await rename(this.#file, file)
    this.#file = file
  }

  async takePlace(): Promise<void> {
    try {
      await rename(this.#file, this.#target)
    } catch (error) {
      if (!isSystemError(error, 'EISDIR', 'ENOTEMPTY', 'EEXIST')) throw error
      await removeEmptyFolder(this.#target)
      await rename(this.#file, this.#target)
    }
    await sweepOnce(dirname(this.#target))
  }

  async remove(): Promise<void> {
    await unlink(this.#file).catch(() => undefined)
  }
}

/** The end of a document, open for what is appended. */
class Tail {
  readonly #handle: OpenFile
  readonly #bytes: Uint8Array
  readonly #offset: number

  constructor(handle: OpenFile, { bytes, offset }: Append) {
    this.#handle = handle
    this.#bytes = bytes
    this.#offset = offset
  }

  static async open(home: HomePaths, append: Append): Promise<Tail> {
    const file = await fileOf(home, append.path)
    return new Tail(await inFolder(file, () => open(file, TAIL_FLAGS, 0o600)), append)
  }

  async write(): Promise<void> {
    try {
      await writeAt(this.#handle.fd, this.#bytes, this.#offset)
    } finally {
      letGo(this.#handle)
    }
  }

  letGo(): void {
    letGo(this.#handle)
  }
}

/** What a record needs in the folders: all that can fail is done before the record is written. */
export class Preparation {
  readonly #home: HomePaths
  readonly #record: LogRecord
  readonly #replacements: Replacement[] = []
  readonly #tails: Tail[] = []

  constructor(home: HomePaths, record: LogRecord) {
    this.#home = home
    this.#record = record
  }

  /** The files of documents that Python writes too are there before the record is. */
  async createShared(): Promise<void> {
    const shared = this.#record.puts.filter(isContent).filter((put) => put.shared)
    await Promise.all(shared.map(async (put) => this.#replacements.push(await Replacement.create(this.#home, put, put.shared?.temporary))))
  }

  /** All others wait for the moves, if there are any. */
  async fill(): Promise<void> {
    await Promise.all([...this.#replacements.map((each) => each.fill()), ...(this.#record.moves.length > 0 ? [] : this.#createOwn())])
  }

  #createOwn(): readonly Promise<void>[] {
    const { puts, appends } = this.#record
    const own = puts.filter(isContent).filter((put) => !put.shared)
    return [
      ...own.map(async (put) => {
        const replacement = await Replacement.create(this.#home, put)
        this.#replacements.push(replacement)
        await replacement.fill()
      }),
      ...appends.map(async (append) => {
        this.#tails.push(await Tail.open(this.#home, append))
      }),
    ]
  }

  /** `isInLog`: the files of Python's documents say that these are not yet replaced. */
  async undo(isInLog = false): Promise<void> {
    for (const tail of this.#tails) tail.letGo()
    const useless = this.#replacements.filter(({ isShared }) => !(isInLog && isShared))
    await Promise.all(useless.map((each) => each.remove()))
  }

  /** After the record has been written. */
  async putInPlace(): Promise<void> {
    const { moves, puts } = this.#record
    for (const [from, to] of moves) await moveFile(this.#home, from, to)
    const removed = puts.filter(({ bytes }) => bytes === null)
    if (removed.length > 0) await Promise.all(removed.map(async ({ path }) => removeFile(await fileOf(this.#home, path))))
    if (moves.length > 0) await Promise.all(this.#createOwn())
    await Promise.all([...this.#replacements.map((each) => each.takePlace()), ...this.#tails.map((each) => each.write())])
    if (moves.length + removed.length > 0) await removeEmptied(this.#home, this.#record)
  }
}

export const removeFile = async (file: string): Promise<void> => {
  try {
    await unlink(file)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR')) throw error
  }
}

/** Creates the file if it is missing. */
export const writeInto = async (file: string, bytes: Uint8Array, offset: number): Promise<void> => {
  const handle = await inFolder(file, () => open(file, TAIL_FLAGS, 0o600))
  try {
    await writeAt(handle.fd, bytes, offset)
  } finally {
    await handle.close()
  }
}

/** A document or a folder; an empty folder at the target goes. */
export const moveFile = async (home: HomePaths, from: string, to: string): Promise<void> => {
  const [source, target] = [await fileOf(home, from), await fileOf(home, to)]
  try {
    await inFolder(target, () => rename(source, target))
  } catch (error) {
    if (!isSystemError(error, 'EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST')) throw error
    await removeEmptyFolder(target)
    await rename(source, target)
  }
  home.forgetFolders()
}

/** Folders that a record has emptied, except for those at the top. */
export const removeEmptied = async (home: HomePaths, { moves, puts }: LogRecord): Promise<void> => {
  for (const path of [...moves.map(([from]) => from), ...puts.filter(({ bytes }) => bytes === null).map((put) => put.path)])
    for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder)) {
      try {
        await rmdir(await fileOf(home, folder))
      } catch {
        break
      }
      home.forgetFolders()
    }
}
