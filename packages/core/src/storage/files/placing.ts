/** Puts what a record holds in its place: new files beside the old ones, renames, appends, removals. */
import { rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { foldersOf, isBelow } from '../document-tree.ts'
import * as disk from './disk.ts'
import { type Found, findDocument } from './documents.ts'
import type { Home } from './home.ts'
import { type Change, EMPTY, type LogRecord, lengthIn } from './log-record.ts'
import { isOnlyOurs, SHARED_DOCUMENTS } from './names.ts'
import { NewFile } from './new-file.ts'
import { removeEmptyFolder, rename } from './rename.ts'

/** Of the new file for one change of a record. */
export const temporaryName = ({ tag, number }: Pick<LogRecord, 'tag' | 'number'>, index: number): string =>
  `${disk.TEMPORARY_PREFIX}${tag}-${number}-${index}`

/** Where a document is, or would be, links followed. Throws. */
export const placeOf = async (home: Home, path: string): Promise<string> => {
  const found = await findDocument(home, path, 0)
  if (found.kind === 'fault') throw found.error
  return found.file
}

/** A document of ours that is there is written in its place: the log has what it is to be, for readers and after a crash. */
const isInPlace = ({ path, executable }: Change, base: Found | undefined): boolean =>
  isOnlyOurs(path) && base?.kind === 'document' && !base.isAliased && base.executable === executable

/** Undefined if nothing is there. */
const openThere = async (home: Home, path: string): Promise<number | undefined> => {
  try {
    return await disk.open(await home.fileOf(path), disk.TO_WRITE)
  } catch (error) {
    if (disk.isSystemError(error, 'ENOENT')) return undefined
    if (!disk.isSystemError(error, 'ELOOP', 'EMLINK')) throw error
    return disk.open(await home.followLink(path), disk.TO_WRITE)
  }
}

/** Creates it if nothing is there, as after a power cut. */
const openToWrite = async (home: Home, path: string): Promise<number> =>
  (await openThere(home, path)) ?? disk.openIn(await home.fileOf(path), disk.TO_CREATE)

/** One document, outside of a commit. */
export const replace = async (home: Home, change: Change, temporary: string): Promise<void> => {
  const file = await NewFile.open(change, await placeOf(home, change.path), temporary)
  try {
    await file.write()
    await file.written()
    await file.takePlace()
  } catch (error) {
    await file.remove()
    throw error
  }
}

export const append = async (home: Home, path: string, bytes: Uint8Array, offset: number): Promise<void> =>
  disk.withFile(await openToWrite(home, path), (opened) => disk.writeAt(opened, bytes, offset))

/** Of a link, what it leads to. */
export const remove = async (home: Home, path: string): Promise<void> => {
  await disk.orMissing(unlink(await placeOf(home, path)))
}

const isNested = (path: string): boolean => path.includes('/')

/** A document or a folder; an empty folder at the target goes. */
export const move = async (home: Home, from: string, to: string): Promise<void> => {
  const [source, target] = [await home.fileOf(from), await home.fileOf(to)]
  if (await disk.statusAt(target)) await removeEmptyFolder(target)
  await disk.createFolder(dirname(target))
  // Elsewhere, a lock of Python's would be a document.
  for (const path of SHARED_DOCUMENTS.filter((each) => isBelow(each, from)))
    await disk.orMissing(unlink(`${join(source, path.slice(from.length))}.lock`))
  await rename(source, target)
  home.forgetLinkedFolders()
  home.noteProgress()
}

/** Removes the folders above some paths that are empty, except for those at the top. */
const removeEmptyAbove = async (home: Home, paths: readonly string[]): Promise<void> => {
  for (let due = new Set(paths.map(dirname)); due.size > 0; ) {
    const above = new Set<string>()
    await home.inParts([...due].filter(isNested), async (folder) => {
      // One that is a link now, or closed, stays.
      const isGone = await home
        .folderAt(folder)
        .then(rmdir)
        .then(
          () => true,
          () => false,
        )
      if (isGone) above.add(dirname(folder))
    })
    if (above.size > 0) home.forgetFolders()
    due = above
  }
}

/** What a record has emptied. */
export const removeEmptied = (home: Home, { moves, changes }: LogRecord): Promise<void> =>
  removeEmptyAbove(home, [...moves.map(([from]) => from), ...changes.filter(({ bytes }) => bytes === null).map(({ path }) => path)])

/** Folders in which a killed process has left nothing but folders. */
export const removeIfEmpty = async (home: Home, folders: readonly string[]): Promise<void> => {
  for (const folder of folders.filter(isNested)) {
    await removeEmptyFolder(await home.folderAt(folder)).catch((error: unknown) => {
      if (!disk.isSystemError(error)) throw error
    })
    home.forgetFolders()
  }
  await removeEmptyAbove(home, folders)
}

/** New files have no folder before something has moved or gone. */
export const isLate = ({ moves, changes }: LogRecord): boolean => {
  const gone = new Set(changes.flatMap(({ path, bytes }) => (bytes === null ? [path] : [])))
  return moves.length > 0 || (gone.size > 0 && changes.some(({ path }) => foldersOf(path).some((folder) => gone.has(folder))))
}

/** A document that grows, or whose file stays. */
class WrittenInPlace {
  readonly #home: Home
  readonly #change: Change
  #opened: number | undefined

  constructor(home: Home, change: Change, opened: number | undefined) {
    this.#home = home
    this.#change = change
    this.#opened = opened
  }

  async takePlace(): Promise<void> {
    const { path, bytes, offset, old } = this.#change
    this.#opened ??= await openToWrite(this.#home, path)
    const written = bytes ?? EMPTY
    await disk.writeAt(this.#opened, written, offset ?? 0)
    if (offset === undefined && lengthIn(old) > written.length) await disk.ftruncate(this.#opened, written.length)
    this.close()
  }

  close(): void {
    if (this.#opened !== undefined) disk.letGo(this.#opened)
    this.#opened = undefined
  }
}

/** Documents whose new files are open at once. */
const MOST_OPEN = 64

/** What a record needs in the folders. New files are filled before the record is committed, so that a full disk refuses it, except for those that wait for moves. */
export class Placing {
  readonly #home: Home
  readonly #record: LogRecord
  readonly #files: NewFile[] = []
  readonly #written: WrittenInPlace[] = []
  readonly #isLate: boolean
  #isMissing = false

  constructor(home: Home, record: LogRecord) {
    this.#home = home
    this.#record = record
    this.#isLate = isLate(record)
  }

  /** Before the record is written. `bases`: the documents as they were found. False if one that is to be written in its place is gone. */
  async prepare(bases: ReadonlyMap<string, Found>): Promise<boolean> {
    if (!this.#isLate) await this.#open(bases)
    return !this.#isMissing
  }

  async #open(bases: ReadonlyMap<string, Found>): Promise<void> {
    const entries = [...this.#record.changes.entries()]
    const isLong = entries.length > MOST_OPEN
    await this.#home.inParts(entries, async ([index, change]) => {
      if (change.bytes === null) return
      const base = bases.get(change.path)
      if (change.offset !== undefined || isInPlace(change, base)) {
        const opened = isLong ? undefined : await openThere(this.#home, change.path)
        this.#written.push(new WrittenInPlace(this.#home, change, opened))
        this.#isMissing ||= opened === undefined && !isLong
        return
      }
      const target = base && base.kind !== 'fault' ? base.file : await placeOf(this.#home, change.path)
      await this.#home.sweep(dirname(target))
      const file = await NewFile.open(change, target, temporaryName(this.#record, index))
      this.#files.push(file)
      await file.write()
      // Not all at once are open.
      if (isLong) await file.written()
    })
  }

  /** While the record is being written: waits for what the disk has to have before the documents are in place. */
  async finish(): Promise<void> {
    await this.#home.inParts(this.#files, (file) => file.written())
  }

  /** The new files, by path. */
  get identities(): ReadonlyMap<string, string> {
    return new Map(this.#files.map(({ change, identity }) => [change.path, identity]))
  }

  async undo(): Promise<void> {
    for (const each of this.#written.splice(0)) each.close()
    await this.#home.inParts(this.#files.splice(0), (file) => file.remove())
  }

  /** After the record has been written. */
  async place(): Promise<void> {
    try {
      for (const [from, to] of this.#record.moves) await move(this.#home, from, to)
      if (this.#record.moves.length > 0) this.#home.forgetFolders()
      const gone = this.#record.changes.filter(({ bytes }) => bytes === null)
      await this.#home.inParts(gone, ({ path }) => remove(this.#home, path))
      if (this.#isLate) {
        await this.#open(new Map())
        await this.finish()
      }
      await this.#home.inParts([...this.#files, ...this.#written], (each) => each.takePlace())
      await removeEmptied(this.#home, this.#record)
    } catch (error) {
      // A recovery finishes it, with files of its own.
      for (const each of [...this.#files, ...this.#written]) each.close()
      throw error
    }
  }
}

/** Waits until some documents are on disk, and the folders that name them. What somebody has put in their place is theirs. */
export const syncDocuments = async (home: Home, paths: ReadonlySet<string>): Promise<void> => {
  const named = new Set<string>()
  await home.inParts(paths, async (path) => {
    const found = await findDocument(home, path, 0)
    // One that is only out of reach now, such as without a free descriptor, must stay in the log.
    if (found.kind === 'fault' && disk.isSystemError(found.error.cause) && !disk.isLasting(found.error)) throw found.error
    if (found.kind === 'fault') return
    await disk.syncAt(found.file)
    named.add(dirname(found.file))
  })
  const above = new Set([...paths].flatMap(foldersOf))
  await home.inParts(['', ...above], async (folder) => void named.add(await home.folderAt(folder)))
  await home.inParts(named, disk.syncAt)
}
