/**
 * The log of a home, `.hermes/log`: a ring of the records since the last checkpoint. A record behind the mark (the header's `seq`) is committed, and its
 * documents are not all in place yet.
 */
import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { HermesError } from '../../../shared/hermes-error.ts'
import { ensureFolder } from '../../backends/file-system/durable-folder.ts'
import { type OpenFile, open } from '../../backends/file-system/file-calls.ts'
import { isSystemError } from '../../backends/file-system/io-error.ts'
import { isAt, withFolder } from '../../backends/file-system/pinned-folder.ts'
import { readAt, sizeOf, syncData, truncate, writeAt } from './disk.ts'
import {
  decodeFrame,
  decodeHead,
  decodeRecord,
  encodeHead,
  encodeRecord,
  FRAME,
  HEAD,
  type Head,
  type LogRecord,
  placeFor,
} from './log-record.ts'
import { type HomePaths, LOG_NAME, LOG_PATH } from './paths.ts'

const FIRST_SIZE = 16 * 1024
/** A checkpoint cuts a larger log back to its first size. */
const LARGE = 1024 * 1024

export interface LogState {
  readonly head: Head
  /** There is a record behind the mark. */
  readonly isBehind: boolean
}

export interface Appended {
  /** Has the record before its mark. */
  readonly head: Head
  readonly position: number
}

const damaged = (): HermesError =>
  new HermesError(
    'unreadable',
    `The header of '${LOG_PATH}' is damaged. Move the file away and try again: the documents are kept as they are, but what was written in the last moments before a power cut may be missing.`,
  )

const isNext = (bytes: Uint8Array, number: number): boolean => decodeFrame(bytes)?.number === number

export class Log {
  readonly #home: HomePaths
  readonly #boot: string
  #file: OpenFile | undefined
  /** Each write waits for the disk. */
  #durable: OpenFile | undefined
  #size = 0
  #opening: Promise<boolean> | undefined

  constructor(home: HomePaths, boot: string) {
    this.#home = home
    this.#boot = boot
  }

  get boot(): string {
    return this.#boot
  }

  get size(): number {
    return this.#size
  }

  /** Bytes of the records that no checkpoint has taken. */
  used({ start, end }: Head): number {
    return end >= start ? end - start : this.#size - start + end
  }

  /** Under the lock. Creates the log if there is none. */
  async openToWrite(): Promise<void> {
    const path = this.#home.own(LOG_NAME)
    if (this.#durable && this.#file && (await isAt(this.#durable, path)) && (await isAt(this.#file, path))) return
    await this.close()
    if (!(await sizeOf(path))) await this.#create(path)
    const flags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)
    this.#file = await open(path, flags)
    this.#durable = await open(path, flags | (constants.O_DSYNC ?? constants.O_SYNC ?? 0))
    this.#size = (await this.#file.stat()).size
    if (this.#size < FIRST_SIZE) await this.#grow(FIRST_SIZE)
    // On disk before any record: it says in which start of the machine they were written.
    if (decodeHead(await this.#bytes(0, HEAD)) === undefined) await this.mark(this.#empty(), true)
  }

  /** Of zeros, so that a record is written to blocks that are there. */
  async #create(path: string): Promise<void> {
    await ensureFolder(dirname(path))
    const file = await open(path, 'a', 0o600)
    await file.close()
    await withFolder(dirname(path), ({ sync }) => sync())
  }

  async #grow(size: number): Promise<void> {
    const { writer } = this
    await writeAt(writer.fd, new Uint8Array(size - this.#size), this.#size)
    await writer.sync()
    this.#size = size
  }

  get writer(): OpenFile {
    if (!this.#file) throw new Error('The log is not open.')
    return this.#file
  }

  async #openToRead(path: string): Promise<boolean> {
    if (this.#file && (await isAt(this.#file, path))) return true
    await this.close()
    try {
      this.#file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
      return true
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false
      throw error
    }
  }

  /** For readers, without the lock. Undefined if there is no log; `torn` while the header is being written. */
  async look(): Promise<LogState | 'torn' | undefined> {
    this.#opening ??= this.#openToRead(this.#home.own(LOG_NAME)).finally(() => {
      this.#opening = undefined
    })
    return (await this.#opening) ? this.#state() : undefined
  }

  async #bytes(position: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length)
    return bytes.subarray(0, await readAt(this.writer.fd, bytes, position))
  }

  async #state(): Promise<LogState | 'torn'> {
    const bytes = await this.#bytes(0, HEAD + FRAME)
    const head = decodeHead(bytes.subarray(0, HEAD)) ?? this.#empty()
    if (head === 'torn') return head
    const atBegin = isNext(bytes.subarray(HEAD), head.seq + 1)
    return { head, isBehind: atBegin || (head.end !== HEAD && isNext(await this.#bytes(head.end, FRAME), head.seq + 1)) }
  }

  #empty(): Head {
    return { seq: 0, end: HEAD, first: 1, start: HEAD, boot: this.#boot, unsynced: false }
  }

  /** Under the lock. */
  async state(): Promise<LogState> {
    // Another process may have made it larger or smaller.
    const [state, { size }] = await Promise.all([this.#state(), this.writer.stat()])
    this.#size = size
    if (state === 'torn') throw damaged()
    return state
  }

  /** The record of this number at this place, and where the next one goes. Undefined if there is none, or it is not whole. */
  async #recordAt(position: number, number: number): Promise<{ readonly record: LogRecord; readonly end: number } | undefined> {
    for (const place of new Set([position, HEAD])) {
      const frame = decodeFrame(await this.#bytes(place, FRAME))
      if (frame?.number !== number || place + FRAME + frame.length > this.#size) continue
      const record = decodeRecord(await this.#bytes(place, FRAME + frame.length))
      if (record) return { record, end: place + FRAME + frame.length }
    }
    return undefined
  }

  /** The records from one on, as far as they are whole, and the header that has them before its mark. */
  async recordsFrom(
    head: Head,
    number: number,
    position: number,
  ): Promise<{ readonly records: readonly LogRecord[]; readonly head: Head }> {
    const records: LogRecord[] = []
    let end = position
    for (let next = await this.#recordAt(end, number); next; next = await this.#recordAt(end, number + records.length)) {
      records.push(next.record)
      end = next.end
    }
    return { records, head: { ...head, seq: number + records.length - 1, end, boot: this.#boot } }
  }

  /** Writes the record that comes after `head`; it is committed when this resolves. Undefined if the ring is full: make a checkpoint. */
  async append(head: Head, record: LogRecord, durable: boolean): Promise<Appended | undefined> {
    const bytes = encodeRecord(record)
    const position = placeFor(head, bytes.length, this.#size)
    if (position === undefined) return undefined
    const end = position + bytes.length
    if (end > this.#size) await this.#grow(Math.max(end, this.#size * 2))
    const waits = durable && !head.unsynced
    try {
      await writeAt(((waits ? this.#durable : undefined) ?? this.writer).fd, bytes, position)
      // What was written without waiting has to be on disk before this.
      if (durable && !waits) await syncData(this.writer.fd)
    } catch (error) {
      await this.blank(position)
      throw error
    }
    return { head: { ...head, seq: record.number, end, unsynced: !durable }, position }
  }

  /** Under the lock: nothing whole is behind the mark, so what looks like it goes. */
  async clearBehind({ end, seq }: Head): Promise<void> {
    for (const place of new Set([end, HEAD])) if (isNext(await this.#bytes(place, FRAME), seq + 1)) await this.blank(place)
  }

  /** A record that is not to be carried out must not be found. */
  async blank(position: number): Promise<void> {
    await writeAt((this.#durable ?? this.writer).fd, new Uint8Array(FRAME), position)
  }

  /** Says which records are in place. `durable`: waits for the disk. */
  async mark(head: Head, durable = false): Promise<void> {
    await writeAt(((durable ? this.#durable : undefined) ?? this.writer).fd, encodeHead(head), 0)
  }

  /** Under the lock, for a log whose records are all in place and on disk. */
  async empty(head: Head): Promise<Head> {
    const emptied: Head = { ...head, first: head.seq + 1, start: HEAD, end: HEAD, unsynced: false }
    await this.mark(emptied, true)
    if (this.#size > LARGE) {
      await truncate(this.writer.fd, FIRST_SIZE)
      this.#size = FIRST_SIZE
    }
    return emptied
  }

  async close(): Promise<void> {
    const files = [this.#file, this.#durable]
    this.#file = undefined
    this.#durable = undefined
    await Promise.all(files.map((file) => file?.close()))
  }
}
