/**
 * The log of a home, `.hermes/log`: the records since the last checkpoint. A record behind the mark (the header's `seq`) is committed, and its documents are
 * not all in place yet.
 */
import { HermesError } from '../../shared/hermes-error.ts'
import { close, fdatasync, fsync, ftruncate, OpenFile, orMissing, readAt, syncAt, TO_CREATE, TO_READ, writeAt } from './disk.ts'
import { type Home, LOG } from './home.ts'
import { isSystemError } from './io-error.ts'
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
} from './log-record.ts'

const FIRST_SIZE = 16 * 1024

export interface LogState {
  readonly head: Head
  /** There is a record behind the mark. */
  readonly isBehind: boolean
}

const damaged = (): HermesError =>
  new HermesError(
    'unreadable',
    `The header of '${LOG_PATH}' is damaged. Move the file away and try again: the documents are kept as they are, but what was written in the last moments before a power cut may be missing.`,
  )

const hasMoves = ({ moves }: LogRecord): boolean => moves.length > 0

export class Log {
  readonly #home: Home
  readonly boot: string
  #file: OpenFile | undefined
  #size = 0
  /** As last seen. */
  #end = HEAD
  #opening: Promise<boolean> | undefined

  constructor(home: Home, boot: string) {
    this.#home = home
    this.boot = boot
  }

  get #opened(): number {
    if (this.#file === undefined) throw new Error('The log is not open.')
    return this.#file.fd
  }

  /** Under the lock. Creates the log if there is none. `locked`: the file that the lock is on. */
  async openToWrite(locked: OpenFile | undefined): Promise<LogState> {
    const path = this.#home.own(LOG)
    if (!this.#file || !(locked ? this.#file.isSame(locked) : await this.#file.isAt(path))) {
      await this.close()
      this.#file = await OpenFile.at(path, TO_CREATE)
    }
    this.#home.tag = this.#file.tag
    const [state, size] = await Promise.all([this.#state(), this.#file.size()])
    this.#size = size
    if (state === 'torn') throw damaged()
    if (size < FIRST_SIZE) await this.#grow(FIRST_SIZE)
    // On disk before any record: it says in which start of the machine they were written.
    if (state.head.seq === 0) {
      await syncAt(this.#home.own('.'))
      await this.mark(state.head, true)
    }
    return state
  }

  /** By zeros, so that a record is written to blocks that are there. */
  async #grow(size: number): Promise<void> {
    await writeAt(this.#opened, new Uint8Array(size - this.#size), this.#size)
    await fsync(this.#opened)
    this.#size = size
  }

  async #openToRead(path: string): Promise<boolean> {
    if (await this.#file?.isAt(path)) return true
    await this.close()
    this.#file = await orMissing(OpenFile.at(path, TO_READ))
    return this.#file !== undefined
  }

  /** For readers, without the lock. Undefined if there is no log; `torn` while the header is being written. */
  async look(): Promise<LogState | 'torn' | undefined> {
    this.#opening ??= this.#openToRead(this.#home.own(LOG)).finally(() => {
      this.#opening = undefined
    })
    if (!(await this.#opening)) return undefined
    // Another call of this process may have found that the log is another one now.
    return this.#state().catch((error: unknown) => {
      if (this.#file && !isSystemError(error, 'EBADF')) throw error
      return 'torn' as const
    })
  }

  async #state(): Promise<LogState | 'torn'> {
    // Mostly nobody has written since.
    const known = this.#end
    const [bytes, guess] = await Promise.all([readAt(this.#opened, 0, HEAD), readAt(this.#opened, known, FRAME)])
    const head = decodeHead(bytes) ?? { seq: 0, end: HEAD, first: 1, start: HEAD, boot: this.boot }
    if (head === 'torn') return head
    this.#end = head.end
    const next = head.end === known ? guess : await readAt(this.#opened, head.end, FRAME)
    return { head, isBehind: decodeFrame(next)?.number === head.seq + 1 }
  }

  /** The whole records from `number` on, which is at `position`, and the header that has them before its mark. */
  async recordsFrom(
    head: Head,
    number: number,
    position: number,
  ): Promise<{ readonly records: readonly LogRecord[]; readonly head: Head }> {
    const bytes = await readAt(this.#opened, position, this.#size - position)
    const records: LogRecord[] = []
    let at = 0
    for (;;) {
      const frame = decodeFrame(bytes.subarray(at))
      const record = frame?.number === number + records.length && decodeRecord(bytes.subarray(at, at + FRAME + frame.length))
      if (!record) break
      records.push(record)
      at += FRAME + frame.length
    }
    const seq = number + records.length - 1
    return { records, head: { ...head, seq, end: position + at, boot: this.boot, isAlone: records.some(hasMoves) } }
  }

  /** Those whose documents are in place and perhaps not on disk. */
  async recordsOf(head: Head): Promise<readonly LogRecord[]> {
    const { records } = await this.recordsFrom(head, head.first, head.start)
    return records.filter(({ number }) => number <= head.seq)
  }

  /** Writes the record behind `head`; it is committed when this resolves. Returns the header that has it before its mark. */
  async append(head: Head, record: LogRecord, durable: boolean): Promise<Head> {
    const bytes = encodeRecord(record)
    const end = head.end + bytes.length
    if (end > this.#size) await this.#grow(Math.max(end, this.#size * 2))
    try {
      await writeAt(this.#opened, bytes, head.end)
      // Of records before it, too, that did not wait.
      if (durable) await fdatasync(this.#opened)
    } catch (error) {
      await this.blank(head)
      throw error
    }
    return { ...head, seq: record.number, end, isAlone: hasMoves(record) }
  }

  /** What is behind the mark must not be found: it is not to be carried out, or not whole. */
  async blank({ end }: Head): Promise<void> {
    await writeAt(this.#opened, new Uint8Array(FRAME), end)
    await fdatasync(this.#opened)
  }

  /** Says which records are in place. `durable`: waits for the disk. */
  async mark(head: Head, durable = false): Promise<void> {
    await writeAt(this.#opened, encodeHead(head), 0)
    if (durable) await fdatasync(this.#opened)
  }

  /**
   * Under the lock, once the documents of the records before `synced` are on disk: these go, and those behind it are moved to the beginning, if there is room.
   * Where all go, none of their text is left in the log.
   */
  async drop(head: Head, synced: Head): Promise<Head> {
    const rest = await readAt(this.#opened, synced.end, head.end - synced.end)
    if (rest.length > synced.start - HEAD) return this.#keep({ ...head, first: synced.seq + 1, start: synced.end })
    await writeAt(this.#opened, rest, HEAD)
    const dropped = await this.#keep({
      ...head,
      first: synced.seq + 1,
      start: HEAD,
      end: HEAD + rest.length,
      isAlone: rest.length > 0 && head.isAlone === true,
    })
    if (rest.length > 0) return dropped
    if (this.#size > FIRST_SIZE) await ftruncate(this.#opened, FIRST_SIZE)
    this.#size = FIRST_SIZE
    // Also behind the end: a record may be there that was refused, or whose forerunner a power cut has taken.
    await writeAt(this.#opened, new Uint8Array(FIRST_SIZE - HEAD), HEAD)
    await fdatasync(this.#opened)
    return dropped
  }

  async #keep(head: Head): Promise<Head> {
    if (head.start === HEAD && head.end > HEAD) await fdatasync(this.#opened)
    await this.mark(head, true)
    return head
  }

  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    if (file) await close(file.fd)
  }
}
