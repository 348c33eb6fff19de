/**
 * The log of a home, `.hermes/log`: the records since the last checkpoint. A record behind the mark (the header's `seq`) is committed, and its documents are
 * not all in place yet.
 */
import { HermesError } from '../../shared/hermes-error.ts'
import * as disk from './disk.ts'
import type { Home } from './home.ts'
import {
  decodeFrame,
  decodeHead,
  decodeRecord,
  encodeHead,
  encodeRecord,
  FRAME,
  HEAD,
  type Head,
  LOG_PATH,
  type LogRecord,
  metaOf,
  pathsIn,
  prepareChecksum,
} from './log-record.ts'
import { LOG } from './names.ts'
import { fs } from './node-fs.ts'

const FIRST_SIZE = 16 * 1024
const PART_BYTES = 4 * 1024 * 1024

/** Writes and waits in one call. On other systems it does not reach the disk itself. */
const WAITING = process.platform === 'linux' ? fs.constants.O_DSYNC : undefined

export interface LogState {
  readonly head: Head
  /** There is a record behind the mark. */
  readonly isBehind: boolean
}

/** Tells a state of the documents from another: which log, and how many of its records are in place. */
export type Mark = string

const NO_LOG: Mark = 'none'

const damaged = (): HermesError =>
  new HermesError(
    'unreadable',
    `The header of '${LOG_PATH}' is damaged. Move the file away and try again: the documents are kept as they are, but what was written in the last moments before a power cut may be missing.`,
  )

export class Log {
  readonly #home: Home
  readonly boot: string
  #file: disk.OpenFile | undefined
  /** The same file, opened with `WAITING`. */
  #waiting: number | undefined
  #size = 0
  /** As last seen. */
  #end = HEAD
  #opening: Promise<disk.OpenFile | undefined> | undefined

  constructor(home: Home, boot: string) {
    this.#home = home
    this.boot = boot
  }

  get #path(): string {
    return this.#home.own(LOG)
  }

  get #opened(): number {
    if (this.#file === undefined) throw new Error('The log is not open.')
    return this.#file.fd
  }

  /** The file, for the lock that is on it. Creates it if there is none. */
  async openToWrite(): Promise<disk.OpenFile> {
    this.#file ??= await disk.OpenFile.at(this.#path, disk.TO_CREATE)
    this.#home.tag = this.#file.tag
    return this.#file
  }

  /** Under the lock. Undefined if another file has taken the place of the one that is open. */
  async begin(): Promise<LogState | undefined> {
    const [state, size] = await Promise.all([this.#state(), this.#file?.sizeAt(this.#path)])
    if (size === undefined) return undefined
    this.#size = size
    if (state === 'torn') throw damaged()
    if (size < FIRST_SIZE) await this.#grow(FIRST_SIZE)
    // On disk before any record: it says in which start of the machine they were written.
    if (state.head.seq === 0) {
      await disk.syncAt(this.#home.own('.'))
      await this.mark(state.head, true)
    }
    return state
  }

  /** In parts, so that the time limit sees that the disk answers. */
  async #write(file: number, bytes: Uint8Array, position: number): Promise<void> {
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      await disk.writeAt(file, bytes.subarray(at, at + PART_BYTES), position + at)
      this.#home.noteProgress()
    }
  }

  /** By zeros, so that a record is written to blocks that are there. */
  async #grow(size: number): Promise<void> {
    try {
      const zeros = new Uint8Array(Math.min(size - this.#size, PART_BYTES))
      for (let at = this.#size; at < size; at += zeros.length) await this.#write(this.#opened, zeros.subarray(0, size - at), at)
      await disk.fsync(this.#opened)
      this.#size = size
    } catch (error) {
      // A disk that is full is not to stay so.
      await disk.ftruncate(this.#opened, this.#size)
      throw error
    }
  }

  async #openToRead(): Promise<disk.OpenFile | undefined> {
    await this.close()
    this.#file = await disk.orMissing(disk.OpenFile.at(this.#path, disk.TO_READ))
    return this.#file
  }

  /** For readers, without the lock. Undefined if there is no log; `torn` while the header is being written. */
  async look(): Promise<LogState | 'torn' | undefined> {
    const file = this.#file
    const [state, size] = await Promise.all([file && this.#stateAsSeen(), file?.sizeAt(this.#path)])
    if (state && size !== undefined) return state
    this.#opening ??= this.#openToRead().finally(() => {
      this.#opening = undefined
    })
    return (await this.#opening) && this.#stateAsSeen()
  }

  /** Another call of this process may have found that the log is another one now. */
  #stateAsSeen(): Promise<LogState | 'torn'> {
    return this.#state().catch((error: unknown) => {
      if (this.#file && !disk.isSystemError(error, 'EBADF')) throw error
      return 'torn' as const
    })
  }

  /** Of what `look` saw. */
  markOf(state: LogState | undefined): Mark {
    return state && this.#file ? `${this.#file.tag}:${state.head.seq}` : NO_LOG
  }

  async #state(): Promise<LogState | 'torn'> {
    // Mostly nobody has written since, and in a short log one call reads both.
    const known = this.#end
    const isShort = known + FRAME <= FIRST_SIZE
    const [bytes, guess] = await Promise.all([
      disk.readAt(this.#opened, 0, isShort ? known + FRAME : HEAD),
      isShort ? undefined : disk.readAt(this.#opened, known, FRAME),
    ])
    const head = decodeHead(bytes.subarray(0, HEAD)) ?? { seq: 0, end: HEAD, first: 1, boot: this.boot }
    if (head === 'torn') return head
    this.#end = head.end
    const next = head.end === known ? (guess ?? bytes.subarray(known)) : await disk.readAt(this.#opened, head.end, FRAME)
    const state = { head, isBehind: decodeFrame(next)?.number === head.seq + 1 }
    if (state.isBehind || (isShort && head.end === known)) return state
    // Between two calls a record may have been carried out and a checkpoint may have removed it.
    const again = decodeHead(await disk.readAt(this.#opened, 0, HEAD)) ?? head
    return again !== 'torn' && again.seq === head.seq && again.end === head.end ? state : 'torn'
  }

  /** The whole records from `number` on, which is at `position`, and where the last of them ends. */
  async recordsFrom(number: number, position: number): Promise<{ readonly records: readonly LogRecord[]; readonly end: number }> {
    const bytes = await disk.readAt(this.#opened, position, this.#size - position)
    const records: LogRecord[] = []
    let at = 0
    for (;;) {
      const frame = decodeFrame(bytes.subarray(at))
      const record = frame?.number === number + records.length && decodeRecord(bytes.subarray(at, at + FRAME + frame.length))
      if (!record) return { records, end: position + at }
      records.push(record)
      at += FRAME + frame.length
    }
  }

  /** Of the documents that are in place and perhaps not on disk. The records are whole, so the bytes of documents are not read. */
  async pathsOf({ first, seq }: Head): Promise<ReadonlySet<string>> {
    const paths = new Set<string>()
    let position = HEAD
    for (let number = first; number <= seq; number++) {
      const start = await disk.readAt(this.#opened, position, FRAME + 4)
      const frame = decodeFrame(start)
      if (frame?.number !== number) throw damaged()
      const json = metaOf(start)
      for (const path of pathsIn(await disk.readAt(this.#opened, position + json.at, json.length))) paths.add(path)
      position += FRAME + frame.length
    }
    return paths
  }

  /** Writes the record behind `head`; it is committed when this resolves. Returns the header that has it before its mark. */
  async append(head: Head, record: LogRecord, durable: boolean): Promise<Head> {
    await prepareChecksum(record.changes.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0))
    const bytes = await encodeRecord(record)
    const end = head.end + bytes.length
    if (end > this.#size) await this.#grow(Math.max(end, this.#size * 2))
    try {
      if (durable && !head.isUnsynced && WAITING !== undefined) {
        this.#waiting ??= await disk.open(this.#path, disk.TO_WRITE | WAITING)
        await this.#write(this.#waiting, bytes, head.end)
      } else {
        await this.#write(this.#opened, bytes, head.end)
        // Of records before it, too, that did not wait.
        if (durable) await disk.fdatasync(this.#opened)
      }
    } catch (error) {
      await this.blank(head)
      throw error
    }
    return { ...head, seq: record.number, end, isUnsynced: !durable }
  }

  /** What is behind the mark must not be found: it is not to be carried out, or not whole. */
  async blank({ end }: Head): Promise<void> {
    await disk.writeAt(this.#opened, new Uint8Array(FRAME), end)
    await disk.fdatasync(this.#opened)
  }

  /** Says which records are in place. `durable`: waits for the disk. */
  async mark(head: Head, durable = false): Promise<void> {
    this.#end = head.end
    await disk.writeAt(this.#opened, encodeHead(head), 0)
    if (durable) await disk.fdatasync(this.#opened)
    this.#home.lastMark = this.markOf({ head, isBehind: false })
  }

  /** Under the lock, once the documents of all records are on disk: nothing of their text is left in the log. */
  async empty({ seq, boot }: Head): Promise<Head> {
    const head: Head = { seq, end: HEAD, first: seq + 1, boot }
    await this.mark(head, true)
    if (this.#size > FIRST_SIZE) await disk.ftruncate(this.#opened, FIRST_SIZE)
    this.#size = FIRST_SIZE
    // Also behind the end: a record may be there that was refused, or whose forerunner a power cut has taken.
    await disk.writeAt(this.#opened, new Uint8Array(FIRST_SIZE - HEAD), HEAD)
    await disk.fdatasync(this.#opened)
    return head
  }

  async close(): Promise<void> {
    const files = [this.#file?.fd, this.#waiting]
    this.#file = undefined
    this.#waiting = undefined
    await Promise.all(files.map((file) => file !== undefined && disk.close(file)))
  }
}
