/**
 * Carries out records again: after a kill the one behind the mark, after a power cut all since the checkpoint, whose documents may be of any age, empty or
 * torn. What somebody else wrote meanwhile is kept.
 */
import { dirname, join } from 'node:path'
import { type VersionedDocument as StoredDocument, toDocument } from '../../backends/file-system/document-file.ts'
import { open } from '../../backends/file-system/file-calls.ts'
import { isSystemError } from '../../backends/file-system/io-error.ts'
import { removeEmptyFolder } from '../../backends/file-system/walk-documents.ts'
import { isBelow } from '../../document-tree.ts'
import { type Found, findDocument, listDocuments, sizeOf } from './disk.ts'
import { fileOf, moveFile, Replacement, removeEmptied, removeFile, writeInto } from './documents.ts'
import type { LogRecord, PutEntry } from './log-record.ts'
import type { HomePaths } from './paths.ts'
import { merge } from './shared-documents.ts'

export interface Conflict {
  /** Holds what somebody else wrote. */
  readonly path: string
  /** Where ours was put; undefined if ours was to remove it. */
  readonly beside: string | undefined
}

const versionOf = (bytes: Uint8Array): string => toDocument(bytes, false).version

/** Begins with the same bytes as `whole`, or with zeros in their place, as a file has that a power cut kept from the disk. */
const isTornOf = (bytes: Uint8Array, whole: Uint8Array): boolean =>
  bytes.length <= whole.length && bytes.every((byte, index) => byte === 0 || byte === whole[index])

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** Where appended bytes go; undefined if they are there. `offset` is where they went first: if somebody else's are there now, they go to the end. */
export const offsetFor = (there: Uint8Array, bytes: Uint8Array, offset: number): number | undefined => {
  const region = there.subarray(offset, offset + bytes.length)
  if (region.length === bytes.length && region.every((byte, index) => byte === bytes[index])) return undefined
  if (there.length >= offset && isTornOf(region, bytes)) return offset
  return asBuffer(there).includes(asBuffer(bytes), offset) ? undefined : there.length
}

const bytesOf = (found: Found): Uint8Array => (found.kind === 'document' ? found.document.bytes : new Uint8Array())

/** A document that a record puts, with what later ones append to it. */
interface Whole {
  readonly path: string
  readonly number: number
  readonly bytes: Uint8Array
}

class Redo {
  readonly conflicts: Conflict[] = []
  readonly #home: HomePaths
  readonly #records: readonly LogRecord[]
  readonly #isPowerCut: boolean
  /** What is put beside the documents of somebody else. */
  readonly #beside = new Map<string, Uint8Array | null>()
  #versions: ReadonlySet<string> | undefined
  #wholes: readonly Whole[] | undefined

  constructor(home: HomePaths, records: readonly LogRecord[], isPowerCut: boolean) {
    this.#home = home
    this.#records = records
    this.#isPowerCut = isPowerCut
  }

  async run(): Promise<void> {
    for (const record of this.#records) {
      for (const [from, to] of record.moves) await this.#move(record, from, to)
      for (const put of record.puts) await this.#put(put)
      for (const append of record.appends) await this.#append(record, append)
      await removeEmptied(this.#home, record)
    }
    const number = this.#records.at(-1)?.number ?? 0
    for (const [path, bytes] of this.#beside) {
      const beside = bytes ? `${path}.hermes-${number}` : undefined
      if (beside && bytes) await this.#replace({ path: beside, bytes, executable: false, old: undefined })
      this.conflicts.push({ path, beside })
    }
  }

  async #find(path: string): Promise<Found> {
    const found = await findDocument(this.#home, path)
    if (found.kind === 'fault') throw found.error
    return found
  }

  #wholesOfRecords(): readonly Whole[] {
    this.#wholes ??= this.#records.flatMap(({ number, puts }) =>
      puts.flatMap(({ path, bytes }) => (bytes ? [{ path, number, bytes: this.#grown(path, number, bytes) }] : [])),
    )
    return this.#wholes
  }

  #grown(path: string, number: number, bytes: Uint8Array): Uint8Array {
    const parts = [bytes]
    for (const record of this.#records) {
      if (record.number <= number) continue
      if (record.puts.some((put) => put.path === path)) break
      for (const append of record.appends) if (append.path === path) parts.push(append.bytes)
    }
    return Buffer.concat(parts)
  }

  /** Whether the document is in a state that the records made or found, or one that a power cut left of it. */
  #isOurs({ bytes, version }: StoredDocument): boolean {
    this.#versions ??= new Set(
      this.#records.flatMap(({ puts }) => puts.flatMap(({ bytes, old }) => [...(bytes ? [versionOf(bytes)] : []), ...(old ? [old] : [])])),
    )
    if (this.#versions.has(version)) return true
    return this.#isPowerCut && (bytes.length === 0 || this.#wholesOfRecords().some((whole) => isTornOf(bytes, whole.bytes)))
  }

  async #replace(put: PutEntry & { readonly bytes: Uint8Array }): Promise<void> {
    const replacement = await Replacement.create(this.#home, put)
    await replacement.fill()
    // Until its own temporary file is gone, a document of Python's counts as not yet replaced.
    if (put.shared) await replacement.takeName(put.shared.temporary)
    await replacement.takePlace()
  }

  async #put(put: PutEntry): Promise<void> {
    const { path, bytes, shared } = put
    const temporary = shared && join(dirname(await fileOf(this.#home, path)), shared.temporary)
    if (temporary && !this.#isPowerCut && (await sizeOf(temporary)) === undefined) return
    const found = await this.#find(path)
    const there = found.kind === 'document' ? found.document : undefined
    if (bytes === null) return this.#remove(path, there)
    const isDone = there?.version === versionOf(bytes) && (there.executable ?? false) === put.executable
    if (!isDone) await this.#putOver(there, { ...put, bytes })
    if (temporary) await removeFile(temporary)
  }

  async #putOver(there: StoredDocument | undefined, put: PutEntry & { readonly bytes: Uint8Array }): Promise<void> {
    if (!there || there.version === put.old || this.#isOurs(there)) return this.#replace(put)
    const merged = put.shared && merge(there.bytes, put.shared.difference, this.#isPowerCut)
    if (merged) await this.#replace({ ...put, bytes: merged })
    else this.#beside.set(put.path, put.bytes)
  }

  async #remove(path: string, there: StoredDocument | undefined): Promise<void> {
    if (!there) return
    if (this.#isOurs(there)) await removeFile(await fileOf(this.#home, path))
    else this.#beside.set(path, null)
  }

  async #append(record: LogRecord, { path, offset, bytes }: LogRecord['appends'][number]): Promise<void> {
    const later = this.#records.filter(({ number }) => number > record.number)
    const found = await this.#find(path)
    const isGoing = later.some(({ moves }) => moves.some(([from]) => from === path || isBelow(path, from)))
    if (found.kind !== 'document' && isGoing) return
    const there = bytesOf(found)
    // It was replaced by a later record, which puts it again.
    if (this.#wholesOfRecords().some((whole) => whole.path === path && whole.number > record.number && isTornOf(there, whole.bytes))) return
    const beside = this.#beside.get(path)
    if (beside) this.#beside.set(path, Buffer.concat([beside, bytes]))
    else {
      const place = offsetFor(there, bytes, offset)
      if (place !== undefined) await writeInto(await fileOf(this.#home, path), bytes, place)
    }
  }

  /** A folder that is there already takes the documents one by one. */
  async #move(record: LogRecord, from: string, to: string): Promise<void> {
    const [source, target] = [await this.#find(from), await this.#find(to)]
    if (source.kind === 'none') return
    if (target.kind === 'none') return moveFile(this.#home, from, to)
    if (source.kind === 'document') return this.#moveOver(record, from, to, source.document)
    const listed = await listDocuments(this.#home, [from], true)
    if (!listed.ok) throw listed.error
    for (const { path } of listed.value.infos) {
      const inner = await this.#find(path)
      if (inner.kind === 'document') await this.#moveOver(record, path, to + path.slice(from.length), inner.document)
    }
    await removeEmptyFolder(await fileOf(this.#home, from)).catch(() => undefined)
    this.#home.forgetFolders()
  }

  async #moveOver({ number }: LogRecord, from: string, to: string, source: StoredDocument): Promise<void> {
    const target = await this.#find(to)
    const isNewer = this.#wholesOfRecords().some(
      (whole) => whole.path === from && whole.number >= number && isTornOf(source.bytes, whole.bytes),
    )
    if (target.kind === 'none') await moveFile(this.#home, from, to)
    else if (isNewer || target.kind !== 'document') return
    else if (target.document.version === source.version || this.#isOurs(target.document)) await moveFile(this.#home, from, to)
    else {
      this.#beside.set(to, source.bytes)
      await removeFile(await fileOf(this.#home, from))
    }
  }
}

/** Under the lock, and Python's. Carrying a record out twice is as once. Returns which documents others had written. Throws the system's errors. */
export const redo = async (home: HomePaths, records: readonly LogRecord[], isPowerCut: boolean): Promise<readonly Conflict[]> => {
  const again = new Redo(home, records, isPowerCut)
  await again.run()
  return again.conflicts
}

/** False if there is no such file. */
const sync = async (file: string): Promise<boolean> => {
  try {
    const opened = await open(file, 'r')
    try {
      await opened.sync()
    } finally {
      await opened.close()
    }
    return true
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false
    if (isSystemError(error, 'EINVAL', 'EISDIR', 'EACCES', 'EPERM')) return true
    throw error
  }
}

/** Where the documents of some records are after all of them. */
export const placesAfter = (records: readonly LogRecord[]): ReadonlySet<string> => {
  let places = new Set<string>()
  for (const { moves, puts, appends } of records) {
    for (const [from, to] of moves)
      places = new Set([
        ...[...places].map((path) => (path === from || isBelow(path, from) ? to + path.slice(from.length) : path)),
        from,
        to,
      ])
    for (const { path } of [...puts, ...appends]) places.add(path)
  }
  return places
}

/** Waits until the documents of the records are on disk, and the folders that name them. False if one is not there. */
export const syncDocuments = async (home: HomePaths, records: readonly LogRecord[]): Promise<boolean> => {
  const gone = new Set(
    records.flatMap(({ puts, moves }) => [
      ...puts.filter(({ bytes }) => bytes === null).map(({ path }) => path),
      ...moves.map(([from]) => from),
    ]),
  )
  const folders = new Set<string>()
  let isComplete = true
  for (const path of placesAfter(records)) {
    if (!(await sync(await fileOf(home, path))) && !gone.has(path)) isComplete = false
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  }
  for (const folder of folders) await sync(await fileOf(home, folder))
  await sync(home.own('..'))
  return isComplete
}
