/** The lock and the log of a home in one: commits batches of updates, finishes what others left, and makes checkpoints. */
import { HermesError } from '../../../shared/hermes-error.ts'
import { removeEmptyFolder } from '../../backends/file-system/walk-documents.ts'
import type { Batch } from './batch.ts'
import { toError } from './disk.ts'
import { fileOf, Preparation, sweepAgain } from './documents.ts'
import type { HomeLock } from './home-lock.ts'
import { type Appended, Log } from './log.ts'
import type { Head, LogRecord } from './log-record.ts'
import { type HomePaths, LOG_PATH } from './paths.ts'
import { type Conflict, redo, syncDocuments } from './recover.ts'

/** Moments of a commit, for tests that end the process or fail there. */
export type Step = 'locked' | 'planned' | 'prepared' | 'logged' | 'filled' | 'placed' | 'marked' | 'recovered' | 'synced'

export interface TransactionOptions {
  readonly boot: string
  readonly atStep: ((step: Step) => void | Promise<void>) | undefined
  readonly onConflict: (conflict: Conflict) => void
}

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

export class Transactions {
  readonly #home: HomePaths
  readonly #lock: HomeLock
  readonly #log: Log
  readonly #options: TransactionOptions
  /** While the lock is held. */
  #head: Head | undefined
  /** As last seen under the lock. */
  #last: Head | undefined
  #syncing: Promise<void> | undefined
  #synced: { readonly head: Head; readonly isComplete: boolean } | undefined

  constructor(home: HomePaths, lock: HomeLock, options: TransactionOptions) {
    this.#home = home
    this.#lock = lock
    this.#log = new Log(home, options.boot)
    this.#options = options
  }

  async #step(step: Step): Promise<void> {
    if (this.#options.atStep) await this.#options.atStep(step)
  }

  /** Under the lock of the home. `false`: something is left to finish, which needs Python's locks (`finish`). */
  async begin(): Promise<boolean> {
    await this.#log.openToWrite()
    const { head, isBehind } = await this.#log.state()
    this.#setHead(head)
    await this.#step('locked')
    return !isBehind && head.boot === this.#log.boot
  }

  #setHead(head: Head): void {
    this.#head = head
    this.#last = head
  }

  get #now(): Head {
    if (!this.#head) throw new Error('The lock is not held.')
    return this.#head
  }

  /** Under all locks. Throws the system's errors and HermesErrors; the next holder of the lock tries again then. */
  async finish(): Promise<void> {
    const before = this.#now
    const isPowerCut = before.boot !== this.#log.boot
    const [number, position] = isPowerCut ? [before.first, before.start] : [before.seq + 1, before.end]
    const { records, head } = await this.#log.recordsFrom(before, number, position)
    sweepAgain()
    const conflicts = await redo(this.#home, records, isPowerCut)
    await this.#step('recovered')
    await this.#log.clearBehind(head)
    await this.#log.mark(head)
    this.#setHead(head)
    for (const conflict of conflicts) this.#options.onConflict(conflict)
  }

  /** Commits what the plans of a batch came to. Throws the system's errors and HermesErrors; nothing was written then, unless `isInLog` says so. */
  async commit(batch: Batch, durable: boolean): Promise<void> {
    if (batch.isEmpty) return
    await this.#step('planned')
    const record = batch.toRecord(this.#now.seq + 1)
    const preparation = new Preparation(this.#home, record)
    const head = await this.#write(batch, record, preparation, durable)
    try {
      await this.#step('filled')
      await preparation.putInPlace()
      await this.#step('placed')
      await this.#log.mark(head)
      this.#setHead(head)
      await this.#step('marked')
    } catch (cause) {
      await preparation.undo(true)
      throw notInPlace(toError(cause, 'write'))
    }
  }

  async #write(batch: Batch, record: LogRecord, preparation: Preparation, durable: boolean): Promise<Head> {
    try {
      for (const path of batch.emptyFolders) await removeEmptyFolder(await fileOf(this.#home, path))
      await preparation.createShared()
      await this.#step('prepared')
      if (!(await this.#lock.isHeld())) throw lostLock()
      const [appended, filled] = await Promise.allSettled([this.#append(record, durable), preparation.fill()])
      if (appended.status === 'rejected') throw appended.reason
      try {
        await this.#step('logged')
        if (filled.status === 'rejected') throw filled.reason
      } catch (cause) {
        await this.#log.blank(appended.value.position)
        throw cause
      }
      return appended.value.head
    } catch (cause) {
      await preparation.undo()
      throw cause
    }
  }

  async #append(record: LogRecord, durable: boolean): Promise<Appended> {
    const appended = await this.#log.append(this.#now, record, durable)
    if (appended) return appended
    await this.#startCheckpoint()
    await this.finishCheckpoint()
    const again = await this.#log.append(this.#now, record, durable)
    if (!again) throw new HermesError('io', `'${LOG_PATH}' is full and cannot be emptied. Nothing was written; try again.`)
    return again
  }

  /** Called when the lock is given back. A checkpoint that could not be finished is begun anew by a later one. */
  end(): void {
    this.#head = undefined
    this.#synced = undefined
  }

  /** Begins to bring the documents of the log to the disk, if the log has become long. `always`: if there is anything in it. */
  checkpoint(always = false): void {
    const last = this.#last
    if (!last || this.#syncing || this.#synced || last.seq < last.first) return
    if (!always && this.#log.used(last) < this.#log.size / 2) return
    this.#syncing = this.#startCheckpoint()
      // The documents stay in the log, and the next one tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#syncing = undefined
      })
  }

  /** Without the lock. Resolves when nothing is being brought to the disk. */
  async settled(): Promise<void> {
    await this.#syncing
  }

  /** The documents of a checkpoint are on disk; `finishCheckpoint` says so in the log. */
  get isSynced(): boolean {
    return this.#synced !== undefined
  }

  async #startCheckpoint(): Promise<void> {
    const head = this.#last
    if (!head) return
    const { records } = await this.#log.recordsFrom(head, head.first, head.start)
    const until = records.filter(({ number }) => number <= head.seq)
    if (until.length !== head.seq - head.first + 1) return
    const isComplete = await syncDocuments(this.#home, until)
    await this.#step('synced')
    this.#synced = { head, isComplete }
  }

  /** Under the lock. */
  async finishCheckpoint(): Promise<void> {
    const synced = this.#synced
    this.#synced = undefined
    const now = this.#now
    if (!synced || synced.head.first !== now.first || now.boot !== this.#log.boot) return
    if (now.seq === synced.head.seq) this.#setHead(await this.#log.empty(now))
    else {
      const { records } = await this.#log.recordsFrom(now, synced.head.seq + 1, synced.head.end)
      // A document may have moved before it could be brought to the disk.
      if (!synced.isComplete && records.some(({ moves }) => moves.length > 0)) return
      const head = { ...now, first: synced.head.seq + 1, start: synced.head.end }
      await this.#log.mark(head, true)
      this.#setHead(head)
    }
  }

  close(): Promise<void> {
    return this.#log.close()
  }
}
