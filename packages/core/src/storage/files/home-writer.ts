/** The log of a home and what is done with it under the lock: commits, recoveries, checkpoints. */
import { HermesError } from '../../shared/hermes-error.ts'
import type { Commit } from './commit.ts'
import { toError } from './documents.ts'
import type { Home } from './home.ts'
import type { HomeLock } from './home-lock.ts'
import { Log, type LogState } from './log.ts'
import type { Head, LogRecord } from './log-record.ts'
import { Placing, removeIfEmpty, syncDocuments } from './placing.ts'
import { type Conflict, redo } from './recover.ts'

/** Moments of a commit, for tests that end the process or fail there. */
export type Step = 'locked' | 'planned' | 'prepared' | 'logged' | 'placed' | 'marked' | 'recovered' | 'synced'

export interface HomeWriterOptions {
  readonly boot: string
  readonly atStep: ((step: Step) => void | Promise<void>) | undefined
  readonly onConflict: (conflict: Conflict) => void
}

/** A checkpoint is made in the background from this length of the log on, and under the lock from the next. Bytes. */
const LONG = 256 * 1024
const TOO_LONG = 1024 * 1024

const lostLock = (): HermesError =>
  new HermesError(
    'locked',
    'This process was silent for so long that another one has taken the lock of the home. Nothing was written; try again.',
  )

const notInPlace = (cause: HermesError): HermesError =>
  new HermesError(
    cause.code,
    `${cause.message} The update is in the log already, so do not repeat it: the next read or write finishes it.`,
    { cause, details: { ...cause.details, isInLog: true } },
  )

export class HomeWriter {
  readonly #home: Home
  readonly #lock: HomeLock
  readonly #log: Log
  readonly #options: HomeWriterOptions
  #head: Head | undefined
  #isBehind = false
  #looking: Promise<LogState> | undefined
  /** Whose documents a checkpoint has brought to the disk. */
  #synced: Head | undefined
  #syncing: Promise<void> | undefined
  #marking: Promise<void> | undefined

  constructor(home: Home, lock: HomeLock, options: HomeWriterOptions) {
    this.#home = home
    this.#lock = lock
    this.#log = new Log(home, options.boot)
    this.#options = options
  }

  async #step(step: Step): Promise<void> {
    if (this.#options.atStep) await this.#options.atStep(step)
  }

  get #now(): Head {
    if (!this.#head) throw new Error('The lock is not held.')
    return this.#head
  }

  /** Under the lock: reads the state of the log, for `begin`. */
  look(): void {
    this.#looking = this.#log.openToWrite(this.#lock.lockedLog)
    this.#looking.catch(() => undefined)
  }

  /** Under the lock. False: something is left to finish, which needs Python's locks (`finish`). */
  async begin(): Promise<boolean> {
    const { head, isBehind } = await (this.#looking ?? this.#log.openToWrite(this.#lock.lockedLog))
    this.#looking = undefined
    this.#head = head
    this.#isBehind = isBehind
    await this.#step('locked')
    return !isBehind && head.boot === this.#log.boot
  }

  /** Under all locks. Throws the system's errors and HermesErrors; the next holder of the lock tries again then. */
  async finish(): Promise<void> {
    const before = this.#now
    const isPowerCut = before.boot !== this.#log.boot
    const [number, position] = isPowerCut ? [before.first, before.start] : [before.seq + 1, before.end]
    const { records, head } = await this.#log.recordsFrom(before, number, position)
    const conflicts = await redo(this.#home, records, isPowerCut)
    await this.#step('recovered')
    if (this.#isBehind && head.seq === before.seq) await this.#log.blank(head)
    await this.#log.mark(head)
    this.#head = head
    if (isPowerCut) await this.checkpoint()
    for (const conflict of conflicts) this.#options.onConflict(conflict)
  }

  /**
   * Commits what some plans came to. False if a document has changed since they saw it: nothing was written, and they have to run again. Throws the system's errors
   * and HermesErrors; nothing was written then, unless `isInLog` says so.
   */
  async commit(commit: Commit, durable: boolean): Promise<boolean> {
    if (commit.isEmpty) return true
    await this.#marking
    await this.#step('planned')
    const record = commit.toRecord(this.#now.seq + 1)
    const { isAlone, end } = this.#now
    if (record.moves.length > 0 || isAlone || end > TOO_LONG) await this.checkpoint()
    const placing = new Placing(this.#home, record)
    const head = await this.#write(record, placing, commit, durable)
    if (!head) return false
    try {
      await this.#step('logged')
      await placing.place()
      await this.#step('placed')
    } catch (cause) {
      throw notInPlace(toError(cause, 'write'))
    }
    this.#head = head
    commit.remember(placing.identities)
    // The documents are in place: whoever waits need not wait for this. If it fails, the next holder of the lock finds the record again.
    this.#marking = this.#log.mark(head).then(
      () => this.#step('marked'),
      () => undefined,
    )
    return true
  }

  async #write(record: LogRecord, placing: Placing, commit: Commit, durable: boolean): Promise<Head | undefined> {
    try {
      const preparing = placing.prepare((path) => commit.fileOf(path))
      const [upToDate, prepared] = await Promise.allSettled([commit.isUpToDate(), preparing])
      if (prepared.status === 'rejected') throw prepared.reason
      if (upToDate.status === 'rejected') throw upToDate.reason
      if (!upToDate.value) {
        await placing.undo()
        return undefined
      }
      await this.#step('prepared')
      if (!(await this.#lock.isHeld())) throw lostLock()
      const [logged, synced] = await Promise.allSettled([this.#log.append(this.#now, record, durable), placing.sync()])
      if (logged.status === 'rejected') throw logged.reason
      if (synced.status === 'fulfilled') return logged.value
      await this.#log.blank(this.#now)
      throw synced.reason
    } catch (cause) {
      await placing.undo().catch(() => undefined)
      throw cause
    }
  }

  /** Before the lock is given back. */
  async end(): Promise<void> {
    await this.#marking
  }

  /** Under the lock: brings the documents to the disk and empties the log, so that a power cut leaves nothing to do again and no text is left in it. */
  async checkpoint(): Promise<void> {
    await this.#marking
    const head = this.#now
    await syncDocuments(this.#home, await this.#log.recordsOf(head))
    this.#head = await this.#log.drop(head, head)
  }

  /** Under the lock: of what the last commits have replaced or removed nothing is left, in the log, in temporary files and in the names of folders. */
  async forget(folders: readonly string[]): Promise<void> {
    await this.checkpoint()
    await this.#home.sweepAll()
    await removeIfEmpty(this.#home, folders)
  }

  /**
   * When the lock has been given back: brings the documents of the log to the disk, if it is long, and then calls `onSynced`, which calls `endCheckpoint` under
   * the lock. `always`: if there is anything in it.
   */
  sync(always: boolean, onSynced: () => void): void {
    const head = this.#head
    if (!head || this.#syncing || this.#synced || head.seq < head.first) return
    if (!always && !head.isAlone && head.end - head.start < LONG) return
    this.#syncing = this.#sync(head)
      // If not, the documents stay in the log, and the next one tries again.
      .then(onSynced, () => undefined)
      .finally(() => {
        this.#syncing = undefined
      })
  }

  async #sync(head: Head): Promise<void> {
    await syncDocuments(this.#home, await this.#log.recordsOf(head))
    await this.#step('synced')
    this.#synced = head
  }

  /** A checkpoint is on disk, and the log has to be told. */
  get hasSynced(): boolean {
    return this.#synced !== undefined
  }

  /** The documents stay in the log, and a later checkpoint brings them to the disk again. */
  forgetSynced(): void {
    this.#synced = undefined
  }

  async settled(): Promise<void> {
    await this.#syncing
  }

  /** Under the lock. */
  async endCheckpoint(): Promise<void> {
    await this.#marking
    const synced = this.#synced
    this.#synced = undefined
    const now = this.#now
    // Another process has made one, or moved something meanwhile.
    if (!synced || synced.first !== now.first || now.boot !== this.#log.boot) return
    this.#head = await this.#log.drop(now, synced)
  }

  async close(): Promise<void> {
    await this.#syncing
    await this.#log.close()
  }
}
