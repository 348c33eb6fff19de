/** Puts what a record holds in its place: new files beside the old ones, renames, appends, removals. */
import { rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isBelow } from '../document-tree.ts'
import {
  createFolder,
  fsync,
  letGo,
  open,
  openIn,
  orMissing,
  removeEmptyFolder,
  rename,
  statusAt,
  statusOf,
  syncAt,
  TO_CREATE,
  TO_CREATE_NEW,
  TO_WRITE,
  withFile,
  writeAt,
} from './disk.ts'
import { findDocument, identityOf } from './documents.ts'
import { type Home, SHARED_DOCUMENTS, TEMPORARY_PREFIX } from './home.ts'
import { isSystemError } from './io-error.ts'
import type { AppendEntry, LogRecord, PutEntry } from './log-record.ts'

export const temporaryName = (record: number, index: number): string => `${TEMPORARY_PREFIX}${record}-${index}`

export type Content = PutEntry & { readonly bytes: Uint8Array }

const isContent = (put: PutEntry): put is Content => put.bytes !== null

/** Where a document is, or would be, links followed. Throws. */
export const placeOf = async (home: Home, path: string): Promise<string> => {
  const found = await findDocument(home, path, 0)
  if (found.kind === 'fault') throw found.error
  return found.file
}

/** A new file beside the document whose place it takes. */
export class NewFile {
  readonly #target: string
  readonly #file: string
  #opened: number | undefined
  /** `identityOf` the file. */
  identity = ''

  private constructor(target: string, file: string, opened: number) {
    this.#target = target
    this.#file = file
    this.#opened = opened
  }

  /** Under the lock: whatever has this name was left by a killed process. */
  static async write(target: string, { bytes, executable }: Pick<Content, 'bytes' | 'executable'>, name: string): Promise<NewFile> {
    const file = join(dirname(target), name)
    const mode = executable ? 0o700 : 0o600
    const opened = await openIn(file, TO_CREATE_NEW, mode).catch(async (error: unknown) => {
      if (!isSystemError(error, 'EEXIST')) throw error
      await unlink(file)
      return open(file, TO_CREATE_NEW, mode)
    })
    const made = new NewFile(target, file, opened)
    try {
      const [status] = await Promise.all([statusOf(opened), writeAt(opened, bytes, 0)])
      made.identity = identityOf(status)
      return made
    } catch (error) {
      await made.remove()
      throw error
    }
  }

  async sync(): Promise<void> {
    if (this.#opened !== undefined) await fsync(this.#opened)
  }

  #close(): void {
    if (this.#opened !== undefined) letGo(this.#opened)
    this.#opened = undefined
  }

  async takePlace(): Promise<void> {
    this.#close()
    try {
      await rename(this.#file, this.#target)
    } catch (error) {
      if (!isSystemError(error, 'EISDIR', 'ENOTEMPTY', 'EEXIST')) throw error
      await removeEmptyFolder(this.#target)
      await rename(this.#file, this.#target)
    }
  }

  async remove(): Promise<void> {
    this.#close()
    await orMissing(unlink(this.#file))
  }
}

/** The end of a document, open for what is appended. */
const openEnd = async (home: Home, path: string): Promise<number> => {
  const file = await home.fileOf(path)
  try {
    return await open(file, TO_WRITE)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return openIn(file, TO_CREATE)
    if (!isSystemError(error, 'ELOOP', 'EMLINK')) throw error
    return open(await home.followLink(path), TO_WRITE)
  }
}

/** Creates the file if it is missing, as after a power cut. */
export const append = async (home: Home, { path, offset, bytes }: AppendEntry): Promise<void> =>
  withFile(await openEnd(home, path), (opened) => writeAt(opened, bytes, offset))

/** Of a link, what it leads to. */
export const remove = async (home: Home, path: string): Promise<void> => {
  await orMissing(unlink(await placeOf(home, path)))
}

/** A document or a folder; an empty folder at the target goes. */
export const move = async (home: Home, from: string, to: string): Promise<void> => {
  const [source, target] = [await home.fileOf(from), await home.fileOf(to)]
  if (await statusAt(target)) await removeEmptyFolder(target)
  await createFolder(dirname(target))
  // Elsewhere, a lock of Python's would be a document.
  for (const path of SHARED_DOCUMENTS.filter((each) => isBelow(each, from)))
    await orMissing(unlink(`${join(source, path.slice(from.length))}.lock`))
  await rename(source, target)
  home.forgetFolders()
}

/** Removes the folders above some paths that are empty, except for those at the top. */
const removeEmptyAbove = async (home: Home, paths: readonly string[]): Promise<void> => {
  for (const path of paths)
    for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder)) {
      try {
        await rmdir(await home.folderAt(folder))
      } catch {
        break
      }
      home.forgetFolders()
    }
}

/** What a record has emptied. */
export const removeEmptied = (home: Home, { moves, puts }: LogRecord): Promise<void> =>
  removeEmptyAbove(home, [...moves.map(([from]) => from), ...puts.filter(({ bytes }) => bytes === null).map(({ path }) => path)])

/** Folders in which a killed process has left nothing but folders. */
export const removeIfEmpty = async (home: Home, folders: readonly string[]): Promise<void> => {
  for (const folder of folders.filter((each) => each.includes('/'))) {
    await removeEmptyFolder(await home.folderAt(folder)).catch((error: unknown) => {
      if (!isSystemError(error)) throw error
    })
    home.forgetFolders()
  }
  await removeEmptyAbove(home, folders)
}

/** What a record needs in the folders. All that a full disk can refuse is done before the record is written, except for appends and what waits for moves. */
export class Placing {
  readonly #home: Home
  readonly #record: LogRecord
  readonly #files: { readonly path: string; readonly file: NewFile; readonly isShared: boolean }[] = []
  readonly #ends: { readonly opened: number; readonly append: AppendEntry }[] = []

  constructor(home: Home, record: LogRecord) {
    this.#home = home
    this.#record = record
  }

  /** `fileOf`: where the documents were found. */
  async prepare(fileOf: (path: string) => string | undefined): Promise<void> {
    if (this.#record.moves.length === 0) await this.#fill(fileOf)
  }

  async #fill(fileOf: (path: string) => string | undefined): Promise<void> {
    const { number, puts, appends } = this.#record
    const contents = puts.filter(isContent)
    const targets = await Promise.all(contents.map(async ({ path }) => fileOf(path) ?? placeOf(this.#home, path)))
    for (const folder of new Set(targets.map((target) => dirname(target)))) await this.#home.sweep(folder)
    const writing = contents.map(async (put, index) => {
      const file = await NewFile.write(targets[index] ?? '', put, put.temporary ?? temporaryName(number, index))
      this.#files.push({ path: put.path, file, isShared: put.temporary !== undefined })
    })
    await allDone([...writing, ...appends.map((each) => this.#openEnd(each))])
  }

  async #openEnd(append: AppendEntry): Promise<void> {
    this.#ends.push({ append, opened: await openEnd(this.#home, append.path) })
  }

  /** While the record is being written. No power cut shows Python or a person an empty document. */
  async sync(): Promise<void> {
    await allDone(this.#files.map(async ({ file, isShared }) => isShared && file.sync()))
  }

  /** The new files, by path. */
  get identities(): ReadonlyMap<string, string> {
    return new Map(this.#files.map(({ path, file }) => [path, file.identity]))
  }

  async undo(): Promise<void> {
    for (const { opened } of this.#ends) letGo(opened)
    await allDone(this.#files.map(({ file }) => file.remove()))
  }

  /** After the record has been written. */
  async place(): Promise<void> {
    const { moves, puts } = this.#record
    for (const [from, to] of moves) await move(this.#home, from, to)
    for (const { path, bytes } of puts) if (bytes === null) await remove(this.#home, path)
    if (moves.length > 0) await this.#fill(() => undefined)
    const growing = this.#ends.map(({ opened, append: { bytes, offset } }) => withFile(opened, () => writeAt(opened, bytes, offset)))
    await allDone([...this.#files.map(({ file }) => file.takePlace()), ...growing])
    await removeEmptied(this.#home, this.#record)
  }
}

/** Waits for all, also if one fails. */
const allDone = async (calls: readonly Promise<unknown>[]): Promise<void> => {
  const failed = (await Promise.allSettled(calls)).find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/** Waits until the documents of some records are on disk, and the folders that name them. */
export const syncDocuments = async (home: Home, records: readonly LogRecord[]): Promise<void> => {
  const paths = new Set(
    records.flatMap(({ moves, puts, appends }) => [
      ...moves.flatMap((ends) => ends.slice(0, 2)),
      ...[...puts, ...appends].map(({ path }) => path),
    ]),
  )
  const folders = new Set<string>()
  for (const path of paths) {
    await syncAt(await placeOf(home, path))
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  }
  for (const folder of folders) await syncAt(await home.folderAt(folder))
  await syncAt(await home.folderAt(''))
}
