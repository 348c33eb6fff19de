/** The updates of this process that wait for the lock of their home. Those that wait together are one commit. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { err, type Result } from '../../shared/result.ts'
import type { NamedPaths } from '../named-paths.ts'
import type { Cut, Plan, UpdateOptions } from '../storage-backend.ts'
import { Commit } from './commit.ts'
import type { Found } from './documents.ts'
import { holderOf } from './flock.ts'
import { type Home, SHARED_DOCUMENTS } from './home.ts'
import type { HomeLock } from './home-lock.ts'
import type { HomeWriter } from './home-writer.ts'
import { hangingError } from './io-error.ts'
import { changingError, lockedError, notForgottenError, pauseFor, WaitingUpdate } from './waiting-update.ts'

/** How long the lock is kept while more updates wait. */
const HOLD_MS = 50
const MOST_AT_ONCE = 64
const MOST_TRIES = 10
/** Gives others the lock that have waited meanwhile. */
const REST_MS = 3
/** A checkpoint is made when nothing was written for so long. */
const IDLE_MS = 5_000

export class UpdateQueue {
  readonly #home: Home
  readonly #lock: HomeLock
  readonly #writer: HomeWriter
  readonly #timeoutMs: number
  #queue: WaitingUpdate[] = []
  #draining: Promise<void> | undefined
  #isPolling = false
  #isClosing = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Locks that are being taken for the next commit. */
  readonly #ahead: Promise<unknown>[] = []

  constructor(home: Home, lock: HomeLock, writer: HomeWriter, timeoutMs: number) {
    this.#home = home
    this.#lock = lock
    this.#writer = writer
    this.#timeoutMs = timeoutMs
  }

  update<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>, options: UpdateOptions): Promise<Result<T>> {
    return new Promise((resolve, reject) => {
      const run = (commit: Commit) => commit.run(named, plan)
      const waiting = new WaitingUpdate(named, options, { run, resolve: (result) => resolve(result as Result<T>), reject })
      waiting.giveUpAfter(this.#timeoutMs, () => void this.#giveUp(waiting))
      this.#queue.push(waiting)
      this.#startDraining()
    })
  }

  async #giveUp(waiting: WaitingUpdate): Promise<void> {
    this.#queue = this.#queue.filter((each) => each !== waiting)
    const lock = waiting.missing ?? (this.#isPolling ? this.#lock.file : undefined)
    if (waiting.isUnderWay || lock === undefined) return waiting.settle(err(hangingError(this.#timeoutMs, waiting.isUnderWay)))
    waiting.settle(err(lockedError(lock, this.#timeoutMs, await holderOf(lock))))
  }

  get #hasWork(): boolean {
    return this.#queue.length > 0 || this.#writer.hasSynced
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
        const found = await this.#takeLock()
        if (!found) return this.#writer.forgetSynced()
        await this.#work(found)
      } catch (cause) {
        this.#failAll(cause)
      } finally {
        await Promise.allSettled([this.#writer.end(), ...this.#ahead.splice(0)])
        await this.#lock.release().catch(() => undefined)
      }
      this.sync()
      this.#syncLater()
      if (this.#hasWork) await pause(REST_MS)
    }
  }

  #failAll(cause: unknown): void {
    this.#writer.forgetSynced()
    for (const waiting of this.#queue.splice(0)) waiting.fail(cause)
  }

  /** Tries until it has the lock; undefined if nobody waits any more, or only a checkpoint does. Returns what is being found meanwhile. */
  async #takeLock(): Promise<Map<string, Promise<Found>> | undefined> {
    await this.#home.open()
    const since = performance.now()
    let found = new Map<string, Promise<Found>>()
    const begin = () => {
      found = new Map()
      this.#writer.look()
      this.#lookAhead(found)
    }
    try {
      for (let tries = 0; !(await this.#lock.take(begin)); tries++) {
        this.#isPolling = true
        if (this.#queue.length === 0 && tries > 0) return undefined
        await pause(pauseFor(tries, performance.now() - since))
      }
      return found
    } finally {
      this.#isPolling = false
    }
  }

  /** Those of Python's locks, in order of name, as far as nobody holds one; else the file of that one. */
  async #takeShared(paths: readonly string[], onTaken: (path: string) => void = () => {}): Promise<string | undefined> {
    for (const path of SHARED_DOCUMENTS)
      if (paths.includes(path) && !(await this.#lock.takeShared(path, () => onTaken(path)))) return `${await this.#home.fileOf(path)}.lock`
    return undefined
  }

  /** Begins to read what the updates name; Python's documents once its locks are held. */
  #lookAhead(found: Map<string, Promise<Found>>): void {
    const commit = new Commit(this.#home, found)
    for (const { named, shared } of this.#queue.slice(0, MOST_AT_ONCE)) {
      for (const path of named.documents) if (!SHARED_DOCUMENTS.includes(path)) void commit.find(path)
      const taking = this.#takeShared(shared, (path) => named.documents.has(path) && void commit.find(path))
      // The commit takes them again, and says what is wrong.
      this.#ahead.push(taking.catch(() => undefined))
    }
  }

  async #work(found: Map<string, Promise<Found>>): Promise<void> {
    const since = performance.now()
    if (!(await this.#writer.begin())) {
      const missing = await this.#takeShared(SHARED_DOCUMENTS)
      for (const waiting of this.#queue) waiting.missing = missing
      if (missing !== undefined) return
      await this.#writer.finish()
      found.clear()
    }
    do {
      if (!(await this.#commit(found))) return
      // The next update of a caller is often on its way.
      await nextTurn()
    } while (this.#queue.length > 0 && performance.now() - since < HOLD_MS)
    await this.#writer.endCheckpoint()
  }

  /** One commit of those that wait. False if the lock has to be taken anew. */
  async #commit(found: Map<string, Promise<Found>>): Promise<boolean> {
    const commit = new Commit(this.#home, found)
    const done: (readonly [WaitingUpdate, Result<unknown>])[] = []
    let isTried = this.#queue.length === 0
    for (const waiting of this.#queue.slice(0, MOST_AT_ONCE)) {
      waiting.missing = await this.#takeShared(waiting.shared)
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
    const isWritten = await this.#write(commit, done, found)
    return isWritten && isTried
  }

  /** Undefined if its plan threw. */
  async #run(commit: Commit, waiting: WaitingUpdate): Promise<Result<unknown> | 'later' | undefined> {
    try {
      return await waiting.run(commit)
    } catch (cause) {
      waiting.fail(cause)
      return undefined
    }
  }

  async #write(
    commit: Commit,
    done: readonly (readonly [WaitingUpdate, Result<unknown>])[],
    found: Map<string, Promise<Found>>,
  ): Promise<boolean> {
    const planned = done.flatMap(([waiting, { ok }]) => (ok ? waiting : []))
    try {
      const durable = planned.some((each) => each.durable)
      if (!(await this.#writer.commit(commit, durable))) {
        this.#tryAgain(done.map(([waiting]) => waiting))
        found.clear()
        return true
      }
      await this.#forget(planned.filter(({ forget }) => forget))
      for (const [waiting, result] of done) waiting.settle(result)
      return true
    } catch (cause) {
      for (const [waiting, result] of done) result.ok ? waiting.fail(cause) : waiting.settle(result)
      return false
    }
  }

  async #forget(all: readonly WaitingUpdate[]): Promise<void> {
    try {
      if (all.length > 0) await this.#writer.forget(all.flatMap(({ named }) => named.folders))
    } catch (cause) {
      const error = notForgottenError(cause)
      for (const waiting of all) waiting.settle(err(error))
    }
  }

  #tryAgain(all: readonly WaitingUpdate[]): void {
    for (const waiting of all) {
      waiting.isUnderWay = false
      if (++waiting.tries > MOST_TRIES && !waiting.isSettled) waiting.settle(err(changingError([...waiting.named.documents])))
    }
    this.#queue.unshift(...all.filter(({ isSettled }) => !isSettled))
  }

  /** What others do to the documents later is not to be done again after a power cut. */
  #syncLater(): void {
    clearTimeout(this.#timer)
    if (this.#isClosing) return
    this.#timer = setTimeout(() => this.sync(true), IDLE_MS)
    this.#timer.unref()
  }

  /** Begins a checkpoint without the lock, if one is due. */
  sync(always = false): void {
    this.#writer.sync(always, () => this.#startDraining())
  }

  /** Brings the documents of the log to the disk, unless somebody else has the lock, so that a power cut leaves nothing to do again. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#timer)
    await this.#draining
    this.sync(true)
    await this.#writer.settled()
    await this.#draining
    await Promise.all([this.#writer.close(), this.#lock.close()])
  }
}
