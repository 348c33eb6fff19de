/** What is done with the log of a home under its lock: commits, recoveries, checkpoints. */
import { HermesError } from '../../shared/hermes-error.ts'
import type { Commit } from './commit.ts'
import { toError } from './disk.ts'
import type { Home } from './home.ts'
import type { HomeLock } from './home-lock.ts'
import type { Log } from './log.ts'
import { HEAD, type Head, type LogRecord } from './log-record.ts'
import { Placing, removeIfEmpty, syncDocuments } from './placing.ts'
import { type Conflict, recover } from './recover.ts'

/** Moments of a commit, for tests that end the process or fail there. */
export type Step = 'locked' | 'planned' | 'prepared' | 'logged' | 'placed' | 'marked' | 'recovered'

export interface HomeWriterOptions {
  readonly atStep: ((step: Step) => void | Promise<void>) | undefined
  readonly onConflict: (conflict: Conflict) => void
}

/** From this length of the log on, a checkpoint is made once nobody waits for what was written, and before the next update from the other. Bytes. */
const LONG = 256 * 1024
const TOO_LONG = 1024 * 1024

const notInPlace = (cause: HermesError): HermesError =>
  new HermesError(
    cause.code,
    `${cause.message} The update is in the log already, so do not repeat it: the next read or write finishes it.`,
    { cause, details: { ...cause.details, isInLog: true } },
  )

const reasonOf = (results: readonly PromiseSettledResult<unknown>[]): PromiseRejectedResult | undefined =>
  results.find((each) => each.status === 'rejected')

export class HomeWriter {
  readonly #home: Home
  readonly #lock: HomeLock
  readonly #log: Log
  readonly #options: HomeWriterOptions
  #head: Head | undefined
  #marking: Promise<void> | undefined

  constructor(home: Home, lock: HomeLock, log: Log, options: HomeWriterOptions) {
    this.#home = home
    this.#lock = lock
    this.#log = log
    this.#options = options
  }

  async #step(step: Step): Promise<void> {
    if (this.#options.atStep) await this.#options.atStep(step)
  }

  get #now(): Head {
    if (!this.#head) throw new Error('The lock is not held.')
    return this.#head
  }

  /**
   * Under the lock. `unfinished`: something is left to finish, which needs Python's locks (`finish`); `replaced`: the log, which the lock is on, is another file
   * now.
   */
  async begin(): Promise<'unfinished' | 'replaced' | 'ready'> {
    const state = await this.#log.begin()
    if (!state) return 'replaced'
    this.#head = state.head
    await this.#step('locked')
    return state.isBehind || state.head.boot !== this.#log.boot ? 'unfinished' : 'ready'
  }

  /** Under all locks. Throws the system's errors and HermesErrors; the next holder of the lock tries again then. */
  async finish(): Promise<void> {
    const before = this.#now
    const isPowerCut = before.boot !== this.#log.boot
    const { records, end } = isPowerCut
      ? await this.#log.recordsFrom(before.first, HEAD)
      : await this.#log.recordsFrom(before.seq + 1, before.end)
    const conflicts = await recover(this.#home, records, isPowerCut)
    await this.#step('recovered')
    const seq = records.at(-1)?.number ?? (isPowerCut ? before.first - 1 : before.seq)
    const head: Head = { ...before, seq, end, boot: this.#log.boot, isUnsynced: true }
    // Half a record.
    if (records.length === 0) await this.#log.blank(head)
    await this.#log.mark(head)
    this.#head = head
    if (isPowerCut || records.some(hasMoves)) await this.checkpoint()
    for (const conflict of conflicts) this.#options.onConflict(conflict)
  }

  /**
   * Commits what some plans came to. False if a document or a lock is another one since they saw it: nothing was written, and they have to run again under a
   * new lock. Throws the system's errors and HermesErrors; nothing was written then, unless `isInLog` says so.
   */
  async commit(commit: Commit, durable: boolean): Promise<boolean> {
    if (commit.isEmpty) return true
    await this.#marking
    await this.#step('planned')
    const record = commit.toRecord(this.#now.seq + 1)
    if (hasMoves(record) || this.#now.end > TOO_LONG) await this.checkpoint()
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
    await commit.remember(placing.identities)
    // The documents are in place: whoever waits need not wait for this. If it fails, the next holder of the lock finds the record again.
    this.#marking = this.#log.mark(head).then(
      () => this.#step('marked'),
      () => undefined,
    )
    // A recovery never has to know where a document was at which record. The update is durable without it.
    if (hasMoves(record)) await this.checkpoint().catch(() => undefined)
    return true
  }

  async #write(record: LogRecord, placing: Placing, commit: Commit, durable: boolean): Promise<Head | undefined> {
    try {
      const looks = await Promise.allSettled([placing.prepare(commit.bases), commit.isUpToDate(), this.#lock.isHeld()])
      const fault = reasonOf(looks)
      if (fault) throw fault.reason
      if (looks.some((each) => each.status === 'fulfilled' && each.value === false)) {
        await placing.undo()
        return undefined
      }
      await this.#step('prepared')
      const [logged, finished] = await Promise.allSettled([this.#log.append(this.#now, record, durable), placing.finish()])
      if (logged.status === 'rejected') throw logged.reason
      if (finished.status === 'fulfilled') return logged.value
      await this.#log.blank(this.#now)
      throw finished.reason
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
    await syncDocuments(this.#home, await this.#log.pathsOf(this.#now))
    this.#head = await this.#log.empty(this.#now)
  }

  /** The log is so long that a checkpoint is due; otherwise only once there is time for it. */
  get isLong(): boolean {
    return this.#now.end > LONG
  }

  /** As far as this process knows. */
  get hasRecords(): boolean {
    return this.#head !== undefined && this.#head.seq >= this.#head.first
  }

  /**
   * Under the lock: of what the last commits have replaced or removed nothing is left in the log and in the names of folders. Returns the number of the last record:
   * nothing may be left in temporary files up to it either.
   */
  async forget(folders: readonly string[]): Promise<number> {
    await this.checkpoint()
    await removeIfEmpty(this.#home, folders)
    return this.#now.seq
  }
}

const hasMoves = ({ moves }: LogRecord): boolean => moves.length > 0
