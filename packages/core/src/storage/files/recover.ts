/**
 * Carries out records again: after a kill the one behind the mark, after a power cut all since the checkpoint, whose documents may be of any age, empty or
 * torn. What somebody else wrote meanwhile is kept.
 */
import { unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HermesError } from '../../shared/hermes-error.ts'
import { isEmptyTree, orMissing, statusAt } from './disk.ts'
import { type Found, findDocument } from './documents.ts'
import { type Home, OWN_FOLDER } from './home.ts'
import { isSystemError } from './io-error.ts'
import { type AppendEntry, type LogRecord, markOf, type PutEntry } from './log-record.ts'
import { type Content, NewFile } from './new-file.ts'
import { append, move, placeOf, remove, removeEmptied, temporaryName } from './placing.ts'
import { merge } from './shared-documents.ts'

export interface Conflict {
  /** Holds what somebody else wrote. */
  readonly path: string
  /** Where ours is; undefined if ours was to remove it. */
  readonly beside: string | undefined
}

/** Errors of the system that stay until a person does something. */
const LASTING = ['ENOTEMPTY', 'EISDIR', 'ENOTDIR', 'EEXIST', 'EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'ELOOP', 'ENAMETOOLONG'] as const

/** Begins with the same bytes as `whole`, or with zeros in their place, as a file has that a power cut kept from the disk. */
const isTornOf = (bytes: Uint8Array, whole: Uint8Array): boolean =>
  bytes.length <= whole.length && bytes.every((byte, index) => byte === 0 || byte === whole[index])

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** Where appended bytes go; undefined if they are there. `offset` is where they went first: if somebody else's are there now, they go to the end. */
export const offsetFor = (there: Uint8Array, bytes: Uint8Array, offset: number): number | undefined => {
  const region = there.subarray(offset, offset + bytes.length)
  if (region.length === bytes.length && region.every((byte, index) => byte === bytes[index])) return undefined
  if (there.length >= offset && isTornOf(region, bytes)) return offset
  // Somebody may have shortened it.
  const from = there.length < offset + bytes.length ? 0 : offset
  return asBuffer(there).includes(asBuffer(bytes), from) ? undefined : there.length
}

/** What the records did to one document, in order. */
interface History {
  readonly path: string
  readonly puts: PutEntry[]
  /** Before the first put, and behind the last. */
  readonly leading: AppendEntry[]
  readonly appends: AppendEntry[]
  /** Each content that the records found or made. */
  readonly marks: Set<string>
  readonly wholes: Uint8Array[]
}

const historiesOf = (records: readonly LogRecord[]): readonly History[] => {
  const all = new Map<string, History>()
  const of = (path: string): History => {
    const history = all.get(path) ?? { path, puts: [], leading: [], appends: [], marks: new Set(), wholes: [] }
    all.set(path, history)
    return history
  }
  const made = (history: History, bytes: Uint8Array) => {
    history.marks.add(markOf(bytes))
    history.wholes.push(bytes)
  }
  for (const { puts, appends } of records) {
    for (const put of puts) {
      const history = of(put.path)
      if (put.old !== undefined) history.marks.add(put.old)
      if (put.bytes) made(history, put.bytes)
      history.puts.push(put)
      history.appends.length = 0
    }
    for (const each of appends) {
      const history = of(each.path)
      const whole = history.puts.length > 0 ? history.wholes.at(-1) : undefined
      if (whole) made(history, Buffer.concat([whole, each.bytes]))
      else history.leading.push(each)
      history.appends.push(each)
    }
  }
  return [...all.values()]
}

const find = async (home: Home, path: string): Promise<Found> => {
  const found = await findDocument(home, path)
  if (found.kind === 'fault') throw found.error
  return found
}

class Redo {
  readonly conflicts: Conflict[] = []
  readonly #home: Home
  readonly #number: number
  readonly #isPowerCut: boolean

  constructor(home: Home, number: number, isPowerCut: boolean) {
    this.#home = home
    this.#number = number
    this.#isPowerCut = isPowerCut
  }

  /** Whichever of the two it was, the same inode is at the target once it is done. */
  async move([from, to, inode]: LogRecord['moves'][number]): Promise<void> {
    const [source, target] = await Promise.all([from, to].map(async (path) => statusAt(await this.#home.fileOf(path))))
    if (String(target?.ino) === inode || !source) return
    const isFree = !target || (target.isDirectory() && (await isEmptyTree(await this.#home.fileOf(to))))
    if (isFree) return move(this.#home, from, to)
    this.conflicts.push({ path: to, beside: from })
  }

  async redo(history: History): Promise<void> {
    const last = history.puts.at(-1)
    if (!last) return this.#append(history)
    const temporary = last.temporary && join(dirname(await placeOf(this.#home, last.path)), last.temporary)
    // Its new file is in its place, whatever somebody has written there since.
    if (temporary && !this.#isPowerCut && !(await statusAt(temporary))) return
    await this.#put(history, last)
    if (temporary) await orMissing(unlink(temporary))
  }

  /** What will not be possible at the next try either must not keep everybody from the home. The text is kept with the log. */
  async giveUp(path: string, whole: Uint8Array | undefined, cause: unknown): Promise<void> {
    const error = HermesError.isInstance(cause) ? cause : undefined
    const isLasting = error?.code === 'invalid_path' || isSystemError(error ? error.cause : cause, ...LASTING)
    if (!isLasting) throw cause
    const name = `kept-${this.#number}-${this.conflicts.length}`
    if (whole) await writeFile(this.#home.own(name), whole, { mode: 0o600 })
    this.conflicts.push({ path, beside: whole && `${OWN_FOLDER}/${name}` })
  }

  async #append({ path, appends }: History): Promise<void> {
    for (const each of appends) {
      const found = await find(this.#home, path)
      const offset = offsetFor(found.kind === 'document' ? (found.bytes ?? new Uint8Array()) : new Uint8Array(), each.bytes, each.offset)
      if (offset !== undefined) await append(this.#home, { ...each, offset })
    }
  }

  async #put(history: History, last: PutEntry): Promise<void> {
    const { path } = history
    const found = await find(this.#home, path)
    const there = found.kind === 'document' ? found.bytes : undefined
    const whole = last.bytes && Buffer.concat([last.bytes, ...history.appends.map(({ bytes }) => bytes)])
    const isOurs = !there || history.marks.has(markOf(there)) || (this.#isPowerCut && this.#isTorn(history, there))
    if (!whole) {
      if (there && isOurs) await remove(this.#home, path)
      else if (there) this.conflicts.push({ path, beside: undefined })
      return
    }
    const isDone = found.kind === 'document' && markOf(whole) === markOf(found.bytes ?? whole) && found.executable === last.executable
    if (isDone) return
    const merged = there && !isOurs ? this.#merge(history, there) : whole
    if (merged) return this.#replace({ ...last, path, bytes: merged })
    let beside = `${path}.hermes-${this.#number}`
    for (let count = 2; (await find(this.#home, beside)).kind !== 'none'; count++) beside = `${path}.hermes-${this.#number}-${count}`
    await this.#replace({ ...last, path: beside, bytes: whole })
    this.conflicts.push({ path, beside })
  }

  #isTorn({ wholes, leading }: History, there: Uint8Array): boolean {
    if (there.length === 0 || wholes.some((whole) => isTornOf(there, whole))) return true
    const offset = leading[0]?.offset ?? Number.POSITIVE_INFINITY
    return there.length >= offset && isTornOf(there.subarray(offset), Buffer.concat(leading.map(({ bytes }) => bytes)))
  }

  /** What the records added and removed, done to what somebody else wrote; undefined if that is not possible. */
  #merge({ puts }: History, there: Uint8Array): Uint8Array | undefined {
    let merged: Uint8Array | undefined = there
    for (const { difference } of puts) merged = merged && difference && merge(merged, difference, this.#isPowerCut)
    return merged
  }

  async #replace(put: Content): Promise<void> {
    const temporary = temporaryName(this.#home.tag, this.#number, Number.MAX_SAFE_INTEGER)
    const made = await NewFile.write(await placeOf(this.#home, put.path), put, temporary)
    await made.sync()
    await made.takePlace()
  }
}

/** Under the lock, and Python's. Carrying records out twice is as once. Returns which documents others had written. Throws the system's errors and HermesErrors. */
export const redo = async (home: Home, records: readonly LogRecord[], isPowerCut: boolean): Promise<readonly Conflict[]> => {
  const again = new Redo(home, records.at(-1)?.number ?? 0, isPowerCut)
  for (const { moves } of records)
    for (const each of moves) await again.move(each).catch((cause: unknown) => again.giveUp(each[0], undefined, cause))
  const histories = historiesOf(records)
  for (const history of histories) {
    const whole = history.wholes.at(-1) ?? history.appends.at(-1)?.bytes
    await again.redo(history).catch((cause: unknown) => again.giveUp(history.path, whole, cause))
  }
  for (const record of records) await removeEmptied(home, record)
  home.forgetSweeps()
  for (const { path } of histories) {
    const found = await findDocument(home, path, 0)
    if (found.kind !== 'fault') await home.sweep(dirname(found.file))
  }
  return again.conflicts
}
