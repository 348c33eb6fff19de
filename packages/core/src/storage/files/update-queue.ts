/** The updates of this process that wait for the lock of their home. Those that wait together are one commit. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { HermesError } from '../../shared/hermes-error.ts'
import { err, type Result } from '../../shared/result.ts'
import type { NamedPaths } from '../named-paths.ts'
import type { Cut, Plan, UpdateOptions } from '../storage-backend.ts'
import { Commit } from './commit.ts'
import { type Found, toError } from './documents.ts'
import { type Home, LOG, OWN_FOLDER, SHARED_DOCUMENTS, sharedWithin } from './home.ts'
import type { HomeLock } from './home-lock.ts'
import type { HomeWriter } from './home-writer.ts'
import { hangingError, lockedError, pauseFor } from './waits.ts'

/** How long the lock is kept while more updates wait. */
const HOLD_MS = 50
const MOST_AT_ONCE = 64
/** Gives others the lock that have waited meanwhile. */
const REST_MS = 3
const HOME_LOCK = `${OWN_FOLDER}/${LOG}`

interface Waiting extends Required<UpdateOptions> {
  readonly named: NamedPaths
  readonly shared: readonly string[]
  readonly run: (commit: Commit) => Promise<Result<unknown> | 'later'>
  readonly settle: (result: Result<unknown>) => void
  readonly reject: (cause: unknown) => void
  isUnderWay: boolean
  /** The lock that could not be had for it. */
  missing: string | undefined
}

export class UpdateQueue {
  readonly #home: Home
  readonly #lock: HomeLock
  readonly #writer: HomeWriter
  readonly #timeoutMs: number
  #queue: Waiting[] = []
  #draining: Promise<void> | undefined
  #isPolling = false
  /** Locks that are being taken for the next commit. */
  readonly #ahead: Promise<unknown>[] = []
  /** A checkpoint is on disk, and the log has to be told. */
  #hasSynced = false

  constructor(home: Home, lock: HomeLock, writer: HomeWriter, timeoutMs: number) {
    this.#home = home
    this.#lock = lock
    this.#writer = writer
    this.#timeoutMs = timeoutMs
  }

  update<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>, { durable = true, forget = false }: UpdateOptions): Promise<Result<T>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void this.#giveUp(waiting), this.#timeoutMs)
      const waiting: Waiting = {
        named,
        durable,
        forget,
        shared: sharedWithin(named),
        run: (commit) => commit.run(named, plan),
        settle: (result) => {
          clearTimeout(timer)
          resolve(result as Result<T>)
        },
        reject: (cause) => {
          clearTimeout(timer)
          reject(cause)
        },
        isUnderWay: false,
        missing: undefined,
      }
      this.#queue.push(waiting)
      this.#startDraining()
    })
  }

  async #giveUp(waiting: Waiting): Promise<void> {
    this.#queue = this.#queue.filter((each) => each !== waiting)
    const missing = waiting.missing ?? (this.#isPolling ? HOME_LOCK : undefined)
    if (waiting.isUnderWay || missing === undefined) return waiting.settle(err(hangingError(this.#timeoutMs, waiting.isUnderWay)))
    const holder = await this.#lock.holder(missing === HOME_LOCK ? undefined : missing)
    waiting.settle(err(lockedError(missing, this.#timeoutMs, holder)))
  }

  get #hasWork(): boolean {
    return this.#queue.length > 0 || this.#hasSynced
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
        if (!found) {
          this.#hasSynced = false
          return
        }
        await this.#work(found)
      } catch (cause) {
        this.#failAll(cause)
      } finally {
        await Promise.allSettled([this.#writer.end(), ...this.#ahead.splice(0)])
        await this.#lock.release().catch(() => undefined)
        this.sync()
      }
      if (this.#hasWork) await pause(REST_MS)
    }
  }

  #failAll(cause: unknown): void {
    this.#hasSynced = false
    const all = this.#queue
    this.#queue = []
    try {
      const error = toError(cause, 'write')
      for (const { settle } of all) settle(err(error))
    } catch (fault) {
      for (const { reject } of all) reject(fault)
    }
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

  /** Those of Python's locks, in order of name, as far as nobody holds one; else that one. */
  async #takeShared(paths: readonly string[], onTaken: (path: string) => void = () => {}): Promise<string | undefined> {
    for (const path of SHARED_DOCUMENTS)
      if (paths.includes(path) && !(await this.#lock.takeShared(path, () => onTaken(path)))) return `${path}.lock`
    return undefined
  }

  /** Begins to read what the updates name; Python's documents once its locks are held. */
  #lookAhead(found: Map<string, Promise<Found>>): void {
    const commit = new Commit(this.#home, found)
    for (const { named, shared } of this.#queue.slice(0, MOST_AT_ONCE)) {
      for (const path of named.documents) if (!SHARED_DOCUMENTS.includes(path)) void commit.find(path)
      this.#ahead.push(this.#takeShared(shared, (path) => named.documents.has(path) && void commit.find(path)))
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
    if (this.#hasSynced) await this.#writer.endCheckpoint()
    this.#hasSynced = false
  }

  /** One commit of those that wait. False if the lock has to be taken anew. */
  async #commit(found: Map<string, Promise<Found>>): Promise<boolean> {
    const commit = new Commit(this.#home, found)
    const done: (readonly [Waiting, Result<unknown>])[] = []
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
    const planned = done.flatMap(([waiting, { ok }]) => (ok ? waiting : []))
    const failure = await this.#write(commit, planned)
    for (const [{ settle }, result] of done) settle(failure && result.ok ? err(failure) : result)
    return failure === undefined && isTried
  }

  /** Undefined if its plan threw. */
  async #run(commit: Commit, waiting: Waiting): Promise<Result<unknown> | 'later' | undefined> {
    try {
      return await waiting.run(commit)
    } catch (cause) {
      waiting.reject(cause)
      return undefined
    }
  }

  async #write(commit: Commit, of: readonly Waiting[]): Promise<HermesError | undefined> {
    try {
      const durable = of.some((each) => each.durable)
      await this.#writer.commit(commit, durable)
      commit.remember()
      if (of.some(({ forget }) => forget)) {
        await this.#writer.checkpoint()
        await this.#home.sweepAll()
      }
      return undefined
    } catch (cause) {
      return toError(cause, 'write')
    }
  }

  /** Begins a checkpoint without the lock, if one is due. */
  sync(always = false): void {
    this.#writer.sync(always, () => {
      this.#hasSynced = true
      this.#startDraining()
    })
  }

  /** Brings the documents of the log to the disk, unless somebody else has the lock, so that a power cut leaves nothing to do again. */
  async close(): Promise<void> {
    await this.#draining
    this.sync(true)
    await this.#writer.settled()
    await this.#draining
    await Promise.all([this.#writer.close(), this.#lock.close()])
  }
}
