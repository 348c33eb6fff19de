/** The updates of this process that wait for the lock of their home. Those that wait together are one commit. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { err, type Result } from '../../shared/result.ts'
import type { NamedPaths } from '../cut.ts'
import type { Cut, Plan, UpdateOptions } from '../storage-backend.ts'
import { Commit } from './commit.ts'
import { hangingError } from './disk.ts'
import { FoundDocuments } from './documents.ts'
import { holderOf } from './flock.ts'
import type { Home } from './home.ts'
import type { HomeLock } from './home-lock.ts'
import type { HomeWriter } from './home-writer.ts'
import type { Log } from './log.ts'
import { SHARED_DOCUMENTS } from './names.ts'
import { changingError, lockedError, pauseFor, WaitingUpdate } from './waiting-update.ts'

/** How long the lock is kept while more updates wait. */
const HOLD_MS = 50
const MOST_AT_ONCE = 64
const MOST_TRIES = 10
/** Gives others the lock that have waited meanwhile. */
const REST_MS = 3
/** A checkpoint is made when nothing was written for so long. */
const IDLE_MS = 5_000

type Outcome = readonly [waiting: WaitingUpdate, result: Result<unknown>]

export class UpdateQueue {
  readonly #home: Home
  readonly #lock: HomeLock
  readonly #log: Log
  readonly #writer: HomeWriter
  readonly #timeoutMs: number
  readonly #found: FoundDocuments
  #queue: WaitingUpdate[] = []
  #draining: Promise<void> | undefined
  #isPolling = false
  /** A checkpoint is to be made, unless somebody else has the lock. */
  #isCheckpointDue = false
  #isClosing = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(home: Home, lock: HomeLock, log: Log, writer: HomeWriter, timeoutMs: number) {
    this.#home = home
    this.#lock = lock
    this.#log = log
    this.#writer = writer
    this.#timeoutMs = timeoutMs
    this.#found = new FoundDocuments(home)
  }

  update<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>, options: UpdateOptions): Promise<Result<T>> {
    const waiting = new WaitingUpdate(named, plan, options)
    waiting.giveUpAfter(this.#timeoutMs, () => void this.#giveUp(waiting))
    this.#queue.push(waiting)
    this.#startDraining()
    return waiting.done as Promise<Result<T>>
  }

  /** The time limit counts from the last progress, so that it says nothing of a long update whose disk answers. Nobody waits longer for a lock of Python's. */
  async #giveUp(waiting: WaitingUpdate): Promise<void> {
    const leftMs = this.#timeoutMs - this.#home.msSinceProgress
    if (waiting.missing === undefined && leftMs > 0) return waiting.giveUpAfter(leftMs, () => void this.#giveUp(waiting))
    this.#queue = this.#queue.filter((each) => each !== waiting)
    const lock = waiting.missing ?? (this.#isPolling ? this.#lock.file : undefined)
    if (waiting.isUnderWay || lock === undefined) return waiting.settle(err(hangingError(this.#timeoutMs, waiting.isUnderWay)))
    waiting.settle(err(lockedError(lock, this.#timeoutMs, await holderOf(lock))))
  }

  get #hasWork(): boolean {
    return this.#queue.length > 0 || this.#isCheckpointDue
  }

  #startDraining(): void {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
      // One may have come at the very end.
      if (this.#hasWork) this.#startDraining()
    })
  }

  async #drain(): Promise<void> {
    while (this.#hasWork) {
      try {
        if (await this.#takeLock()) await this.#work()
      } catch (cause) {
        for (const waiting of this.#queue.splice(0)) waiting.fail(cause)
      } finally {
        this.#isCheckpointDue = false
        this.#found.clear()
        await this.#writer.end()
        await this.#lock.release().catch(() => undefined)
      }
      this.#checkpointLater()
      if (this.#hasWork) await pause(REST_MS)
    }
  }

  /** Tries until it has the lock; false if nobody waits any more, or only a checkpoint does. */
  async #takeLock(): Promise<boolean> {
    await this.#home.open()
    await this.#lock.open()
    const log = await this.#log.openToWrite()
    const since = performance.now()
    try {
      for (let tries = 0; !(await this.#lock.take(log)); tries++) {
        this.#isPolling = true
        if (this.#queue.length === 0 && tries > 0) return false
        await pause(pauseFor(tries, performance.now() - since))
      }
      return true
    } finally {
      this.#isPolling = false
    }
  }

  /** As long as the lock is held. */
  async #work(): Promise<void> {
    const since = performance.now()
    const [begun, ahead] = await Promise.allSettled([this.#writer.begin(), this.#lookAhead()])
    if (begun.status === 'rejected') throw begun.reason
    if (ahead.status === 'rejected') throw ahead.reason
    if (begun.value === 'replaced') {
      await this.#lock.release()
      return this.#log.close()
    }
    if (begun.value === 'unfinished') {
      const missing = await this.#lock.takeShared(SHARED_DOCUMENTS)
      for (const waiting of this.#queue) waiting.missing = missing
      if (missing !== undefined || !(await this.#lock.isHeld())) return
      this.#found.clear()
      await this.#writer.finish()
    }
    do {
      if (!(await this.#commit())) break
      // The next update of a caller is often on its way.
      await nextTurn()
    } while (this.#queue.length > 0 && performance.now() - since < HOLD_MS)
    // If it fails, the documents stay in the log, and the next one tries again.
    if (this.#isCheckpointDue || this.#writer.isLong) await this.#writer.checkpoint().catch(() => undefined)
  }

  /** Begins to read what the updates name, while the state of the log is being read; Python's documents under its locks. */
  async #lookAhead(): Promise<void> {
    for (const waiting of this.#queue.slice(0, MOST_AT_ONCE)) {
      if ((await this.#lock.takeShared(waiting.shared)) !== undefined) continue
      for (const path of waiting.named.documents) void this.#found.find(path)
    }
  }

  /** One commit of those that wait. False if the lock has to be taken anew. */
  async #commit(): Promise<boolean> {
    const commit = new Commit(this.#home, this.#found)
    const done: Outcome[] = []
    let isTried = this.#queue.length === 0
    for (const waiting of this.#queue.slice(0, MOST_AT_ONCE)) {
      waiting.missing = await this.#lock.takeShared(waiting.shared)
      if (waiting.missing !== undefined || !this.#queue.includes(waiting)) continue
      waiting.isUnderWay = true
      isTried = true
      const outcome = await this.#run(commit, waiting)
      if (outcome === 'later') {
        waiting.isUnderWay = false
        break
      }
      this.#queue = this.#queue.filter((each) => each !== waiting)
      if (outcome) done.push([waiting, outcome])
    }
    const isWritten = await this.#write(commit, done)
    return isWritten && isTried
  }

  /** Undefined if its plan threw. */
  async #run(commit: Commit, waiting: WaitingUpdate): Promise<Result<unknown> | 'later' | undefined> {
    try {
      return await commit.run(waiting.named, waiting.plan)
    } catch (cause) {
      waiting.fail(cause)
      return undefined
    }
  }

  /** False if the lock has to be taken anew. */
  async #write(commit: Commit, done: readonly Outcome[]): Promise<boolean> {
    const planned = done.flatMap(([waiting, { ok }]) => (ok ? waiting : []))
    const durable = planned.some((each) => each.durable)
    try {
      if (!(await this.#writer.commit(commit, durable))) {
        this.#tryAgain(done.map(([waiting]) => waiting))
        this.#found.clear()
        return false
      }
      const forgetting = done.filter(([{ forget }, { ok }]) => forget && ok)
      if (forgetting.length > 0) await this.#forget(forgetting)
      for (const each of done) if (!forgetting.includes(each)) each[0].settle(each[1])
      // Python's lock files have not moved with their folder.
      return !commit.hasMoves
    } catch (cause) {
      this.#found.clear()
      for (const [waiting, result] of done) result.ok ? waiting.fail(cause) : waiting.settle(result)
      return false
    }
  }

  /** Temporary files are looked for without the lock, since a home may have many folders. */
  async #forget(all: readonly Outcome[]): Promise<void> {
    const settle = () => all.forEach(([waiting, result]) => void waiting.settle(result))
    const fail = (cause: unknown) => all.forEach(([waiting]) => void waiting.failToForget(cause))
    const forgotten = this.#writer.forget(all.flatMap(([{ named }]) => named.folders))
    void forgotten.then((number) => this.#home.sweepAll(number)).then(settle, fail)
    await forgotten.catch(() => undefined)
  }

  #tryAgain(all: readonly WaitingUpdate[]): void {
    for (const waiting of all) {
      waiting.isUnderWay = false
      if (++waiting.tries > MOST_TRIES && !waiting.isSettled) waiting.settle(err(changingError([...waiting.named.documents])))
    }
    this.#queue.unshift(...all.filter(({ isSettled }) => !isSettled))
  }

  /** What others do to the documents later is not to be done again after a power cut. */
  #checkpointLater(): void {
    clearTimeout(this.#timer)
    if (this.#isClosing || !this.#writer.hasRecords) return
    this.#timer = setTimeout(() => this.#checkpoint(), IDLE_MS)
    this.#timer.unref()
  }

  #checkpoint(): void {
    this.#isCheckpointDue = this.#writer.hasRecords
    if (this.#isCheckpointDue) this.#startDraining()
  }

  /** Brings the documents of the log to the disk, unless somebody else has the lock, so that a power cut leaves nothing to do again. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#timer)
    await this.#draining
    this.#checkpoint()
    await this.#draining
    await this.#lock.close()
    await this.#log.close()
  }
}
