/**
 * Carries out records again: after a kill the one behind the mark, after a power cut all since the checkpoint, whose documents may be of any age, empty or
 * torn. What somebody else wrote meanwhile is kept.
 */
import { unlink, writeFile } from 'node:fs/promises'
import { dirname, join as joinPaths } from 'node:path'
import { isLasting, orMissing, statusAt } from './disk.ts'
import { type Found, findDocument } from './documents.ts'
import type { Home } from './home.ts'
import { type Change, EMPTY, followedBy, join, type LogRecord, type Move, markOf } from './log-record.ts'
import { isOnlyOurs, OWN_FOLDER, SHARED_DOCUMENTS } from './names.ts'
import { append, isLate, move, placeOf, remove, removeEmptied, replace, temporaryName } from './placing.ts'
import { isEmptyTree } from './rename.ts'
import { mergeShared } from './shared-documents.ts'

export interface Conflict {
  /** Holds what somebody else wrote. */
  readonly path: string
  /** Where ours is; undefined if ours was to remove it. */
  readonly beside: string | undefined
}

/** Begins with the same bytes as `whole`, or with zeros in their place, as a file has that a power cut kept from the disk. */
const isTornOf = (bytes: Uint8Array, whole: Uint8Array): boolean =>
  bytes.length <= whole.length && bytes.every((byte, index) => byte === 0 || byte === whole[index])

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** Where appended bytes go; undefined if they are there. `offset` is where they went first: if somebody else's are there now, they go to the end. */
const offsetFor = (there: Uint8Array, bytes: Uint8Array, offset: number): number | undefined => {
  const region = there.subarray(offset, offset + bytes.length)
  if (region.length === bytes.length && region.every((byte, index) => byte === bytes[index])) return undefined
  if (there.length >= offset && isTornOf(region, bytes)) return offset
  // Somebody may have shortened it.
  const from = there.length < offset + bytes.length ? 0 : offset
  return asBuffer(there).includes(asBuffer(bytes), from) ? undefined : there.length
}

/** What the records did to one document. */
interface History {
  /** In order. */
  readonly changes: Change[]
  /** All of them as one. */
  result: Change
  /** Of each content that the records found or made. */
  readonly marks: Set<string>
  readonly wholes: Uint8Array[]
  /** Of the last whole one. */
  temporary: string | undefined
}

const historiesOf = (records: readonly LogRecord[]): ReadonlyMap<string, History> => {
  const all = new Map<string, History>()
  for (const record of records)
    for (const [index, change] of record.changes.entries()) {
      const before = all.get(change.path)
      const result = followedBy(before?.result, change)
      const history = before ?? { changes: [], result, marks: new Set<string>(), wholes: [], temporary: undefined }
      all.set(change.path, Object.assign(history, { result }))
      history.changes.push(change)
      if (change.offset === undefined) {
        if (change.old !== undefined) history.marks.add(change.old)
        history.temporary = change.bytes && !isLate(record) ? temporaryName(record, index) : undefined
      }
      if (result.offset !== undefined || !result.bytes) continue
      history.marks.add(markOf(result.bytes))
      history.wholes.push(result.bytes)
    }
  return all
}

const find = async (home: Home, path: string): Promise<Found> => {
  const found = await findDocument(home, path)
  if (found.kind === 'fault') throw found.error
  return found
}

class Recovery {
  readonly conflicts: Conflict[] = []
  readonly #home: Home
  readonly #last: Pick<LogRecord, 'tag' | 'number'>
  readonly #isPowerCut: boolean

  constructor(home: Home, number: number, isPowerCut: boolean) {
    this.#home = home
    this.#last = { tag: home.tag, number }
    this.#isPowerCut = isPowerCut
  }

  /** Whichever of the two it was, the same inode is at the target once it is done. */
  async move([from, to, inode]: Move): Promise<void> {
    const [source, target] = await Promise.all([from, to].map(async (path) => statusAt(await this.#home.fileOf(path))))
    if (String(target?.ino) === inode || !source) return
    const isFree = !target || (target.isDirectory() && (await isEmptyTree(await this.#home.fileOf(to))))
    if (isFree) return move(this.#home, from, to)
    this.conflicts.push({ path: to, beside: from })
  }

  /** What will not be possible at the next try either must not keep everybody from the home. The text is kept with the log. */
  async giveUp(path: string, whole: Uint8Array | null | undefined, cause: unknown): Promise<void> {
    if (!isLasting(cause)) throw cause
    const name = `kept-${this.#last.number}-${this.conflicts.length}`
    if (whole) await writeFile(this.#home.own(name), whole, { mode: 0o600 })
    this.conflicts.push({ path, beside: whole ? `${OWN_FOLDER}/${name}` : undefined })
  }

  async redo(history: History): Promise<void> {
    const { path, offset } = history.result
    if (offset !== undefined) return this.#append(history)
    const temporary =
      history.temporary !== undefined && SHARED_DOCUMENTS.includes(path)
        ? joinPaths(dirname(await placeOf(this.#home, path)), history.temporary)
        : undefined
    // Its new file is in its place, whatever somebody has written there since.
    if (temporary !== undefined && !this.#isPowerCut && !(await statusAt(temporary))) return
    await this.#put(history)
    if (temporary !== undefined) await orMissing(unlink(temporary))
  }

  async #append({ changes }: History): Promise<void> {
    for (const { path, bytes, offset = 0 } of changes) {
      const found = await find(this.#home, path)
      const added = bytes ?? EMPTY
      const to = offsetFor(found.kind === 'document' ? (found.bytes ?? EMPTY) : EMPTY, added, offset)
      if (to !== undefined) await append(this.#home, path, added, to)
    }
  }

  async #put(history: History): Promise<void> {
    const { path, bytes, executable } = history.result
    const found = await find(this.#home, path)
    const there = found.kind === 'document' ? found.bytes : undefined
    const isOurs = !there || isOnlyOurs(path) || history.marks.has(markOf(there)) || (this.#isPowerCut && isTorn(history, there))
    if (!bytes) {
      if (there && isOurs) await remove(this.#home, path)
      else if (there) this.conflicts.push({ path, beside: undefined })
      return
    }
    const isDone = found.kind === 'document' && markOf(bytes) === markOf(found.bytes ?? bytes) && found.executable === executable
    if (isDone) return
    const merged = there && !isOurs ? this.#merge(history, there) : bytes
    if (merged) return this.#replace({ ...history.result, bytes: merged })
    let beside = `${path}.hermes-${this.#last.number}`
    for (let count = 2; (await find(this.#home, beside)).kind !== 'none'; count++) beside = `${path}.hermes-${this.#last.number}-${count}`
    await this.#replace({ path: beside, bytes, executable })
    this.conflicts.push({ path, beside })
  }

  /** What each record did, done to what somebody else wrote; undefined if that is not possible. */
  #merge({ result: { path }, changes }: History, there: Uint8Array): Uint8Array | undefined {
    let merged: Uint8Array | undefined = SHARED_DOCUMENTS.includes(path) ? there : undefined
    for (const { before, bytes } of changes)
      merged = merged && bytes ? mergeShared(path, before, bytes, merged, this.#isPowerCut) : undefined
    return merged
  }

  async #replace(change: Change): Promise<void> {
    await replace(this.#home, change, temporaryName(this.#last, Number.MAX_SAFE_INTEGER))
  }
}

const isTorn = ({ wholes, changes }: History, there: Uint8Array): boolean => {
  if (there.length === 0 || wholes.some((whole) => isTornOf(there, whole))) return true
  // What was appended before the first whole one.
  const whole = changes.findIndex(({ offset }) => offset === undefined)
  const leading = changes.slice(0, whole).reduce<Uint8Array>((bytes, change) => join(bytes, change.bytes ?? EMPTY), EMPTY)
  const offset = changes[0]?.offset ?? Number.POSITIVE_INFINITY
  return there.length >= offset && isTornOf(there.subarray(offset), leading)
}

/** Under the lock, and Python's. Carrying records out twice is as once. Returns which documents others had written. Throws the system's errors and HermesErrors. */
export const recover = async (home: Home, records: readonly LogRecord[], isPowerCut: boolean): Promise<readonly Conflict[]> => {
  const recovery = new Recovery(home, records.at(-1)?.number ?? 0, isPowerCut)
  for (const { moves } of records)
    for (const each of moves) await recovery.move(each).catch((cause: unknown) => recovery.giveUp(each[0], undefined, cause))
  home.forgetFolders()
  const histories = historiesOf(records)
  for (const [path, history] of histories)
    await recovery
      .redo(history)
      .catch((cause: unknown) => recovery.giveUp(path, history.result.bytes, cause))
      .then(() => home.noteProgress())
  for (const record of records) await removeEmptied(home, record)
  home.forgetSweeps()
  for (const path of histories.keys()) {
    const found = await findDocument(home, path, 0)
    if (found.kind !== 'fault') await home.sweep(dirname(found.file))
  }
  return recovery.conflicts
}
