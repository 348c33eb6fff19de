/** Puts what a record holds in its place: new files beside the old ones, renames, appends, removals. */
import { rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isBelow } from '../document-tree.ts'
import {
  createFolder,
  letGo,
  open,
  openIn,
  orMissing,
  removeEmptyFolder,
  rename,
  statusAt,
  syncAt,
  TEMPORARY_PREFIX,
  TO_CREATE,
  TO_WRITE,
  withFile,
  writeAt,
} from './disk.ts'
import { findDocument } from './documents.ts'
import { type Home, SHARED_DOCUMENTS } from './home.ts'
import { isSystemError } from './io-error.ts'
import type { AppendEntry, LogRecord, PutEntry } from './log-record.ts'
import { type Content, NewFile } from './new-file.ts'

/** `tag`: of the home. */
export const temporaryName = (tag: string, record: number, index: number): string => `${TEMPORARY_PREFIX}${tag}-${record}-${index}`

const isContent = (put: PutEntry): put is Content => put.bytes !== null

/** Where a document is, or would be, links followed. Throws. */
export const placeOf = async (home: Home, path: string): Promise<string> => {
  const found = await findDocument(home, path, 0)
  if (found.kind === 'fault') throw found.error
  return found.file
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

  /** New files have no folder before something has moved or gone. */
  get #isLate(): boolean {
    const { moves, puts } = this.#record
    const gone = puts.filter(({ bytes }) => bytes === null)
    return moves.length > 0 || puts.some((put) => gone.some(({ path }) => isBelow(put.path, path)))
  }

  /** `fileOf`: where the documents were found. */
  async prepare(fileOf: (path: string) => string | undefined): Promise<void> {
    if (!this.#isLate) await this.#fill(fileOf)
  }

  async #fill(fileOf: (path: string) => string | undefined): Promise<void> {
    const { number, puts, appends } = this.#record
    const contents = puts.filter(isContent)
    const targets = await Promise.all(contents.map(async ({ path }) => fileOf(path) ?? placeOf(this.#home, path)))
    for (const folder of new Set(targets.map((target) => dirname(target)))) await this.#home.sweep(folder)
    const writing = contents.map(async (put, index) => {
      const file = await NewFile.write(targets[index] ?? '', put, put.temporary ?? temporaryName(this.#home.tag, number, index))
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
    for (const { opened } of this.#ends.splice(0)) letGo(opened)
    await allDone(this.#files.splice(0).map(({ file }) => file.remove()))
  }

  /** After the record has been written. */
  async place(): Promise<void> {
    try {
      await this.#place()
    } catch (error) {
      // A recovery finishes it, with files of its own.
      for (const { opened } of this.#ends.splice(0)) letGo(opened)
      for (const { file } of this.#files) file.close()
      throw error
    }
  }

  async #place(): Promise<void> {
    const { moves, puts } = this.#record
    for (const [from, to] of moves) await move(this.#home, from, to)
    for (const { path, bytes } of puts) if (bytes === null) await remove(this.#home, path)
    if (this.#isLate) await this.#fill(() => undefined)
    const growing = this.#ends
      .splice(0)
      .map(({ opened, append: { bytes, offset } }) => withFile(opened, () => writeAt(opened, bytes, offset)))
    await allDone([...this.#files.map(({ file }) => file.takePlace()), ...growing])
    await removeEmptied(this.#home, this.#record)
  }
}

/** Waits for all, also if one fails. */
const allDone = async (calls: readonly Promise<unknown>[]): Promise<void> => {
  const failed = (await Promise.allSettled(calls)).find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/** Waits until the documents of some records are on disk, and the folders that name them. What somebody has put in their place is theirs. */
export const syncDocuments = async (home: Home, records: readonly LogRecord[]): Promise<void> => {
  const paths = new Set(
    records.flatMap(({ moves, puts, appends }) => [
      ...moves.flatMap((ends) => ends.slice(0, 2)),
      ...[...puts, ...appends].map(({ path }) => path),
    ]),
  )
  const folders = new Set([await home.folderAt('')])
  for (const path of paths) {
    const found = await findDocument(home, path, 0)
    if (found.kind === 'fault') continue
    await syncAt(found.file)
    folders.add(dirname(found.file))
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(await home.folderAt(folder))
  }
  for (const folder of folders) await syncAt(folder)
}
