/** The updates of this process that wait for the lock of their home. Those that wait together are one commit. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { HermesError } from '../../../shared/hermes-error.ts'
import { err, type Result } from '../../../shared/result.ts'
import { lateCrypto } from '../../backends/file-system/late-crypto.ts'
import { pollPause } from '../../backends/file-system/poll-pause.ts'
import type { NamedPaths } from '../../named-paths.ts'
import type { Cut, Plan } from '../../storage-backend.ts'
import { Batch } from './batch.ts'
import { type Found, hangingError, lockedError, toError } from './disk.ts'
import type { HomeLock } from './home-lock.ts'
import { type HomePaths, OWN_FOLDER, SHARED_DOCUMENTS, sharedWithin } from './paths.ts'
import type { Transactions } from './transactions.ts'

/** How long the lock is kept while more updates wait. */
const HOLD_MS = 50
const MOST_AT_ONCE = 64
/** Gives others the lock that have waited meanwhile. */
const REST_MS = 3

interface Waiting {
  readonly named: NamedPaths
  readonly shared: readonly string[]
  readonly durable: boolean
  readonly run: (batch: Batch) => Promise<Result<unknown> | 'later'>
  readonly settle: (result: Result<unknown>) => void
  readonly reject: (cause: unknown) => void
  isUnderWay: boolean
  /** The lock of Python's that could not be had for it. */
  missing?: string
}

/** 0 to 1. */
export const random = (): number => lateCrypto().randomInt(65_536) / 65_536

export class UpdateQueue {
  readonly #home: HomePaths
  readonly #lock: HomeLock
  readonly #transactions: Transactions
  readonly #timeLimitMs: number
  #queue: Waiting[] = []
  #draining: Promise<void> | undefined
  /** Documents read since the lock was taken. */
  readonly #found = new Map<string, Promise<Found>>()
  /** What is waited for now: a lock of others, or undefined if the disk. */
  #waitsFor: string | undefined

  constructor(home: HomePaths, lock: HomeLock, transactions: Transactions, timeLimitMs: number) {
    this.#home = home
    this.#lock = lock
    this.#transactions = transactions
    this.#timeLimitMs = timeLimitMs
  }

  update<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>, durable: boolean): Promise<Result<T>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(waiting), this.#timeLimitMs)
      const waiting: Waiting = {
        named,
        shared: sharedWithin(named),
        durable,
        run: (batch) => batch.run(named, plan),
        settle: (result) => {
          clearTimeout(timer)
          resolve(result as Result<T>)
        },
        reject: (cause) => {
          clearTimeout(timer)
          reject(cause)
        },
        isUnderWay: false,
      }
      this.#queue.push(waiting)
      this.#startDraining()
    })
  }

  #giveUp(waiting: Waiting): void {
    this.#queue = this.#queue.filter((each) => each !== waiting)
    const lock = waiting.missing === undefined ? this.#waitsFor : `'${waiting.missing}.lock'`
    const isLocked = !waiting.isUnderWay && lock !== undefined
    waiting.settle(err(isLocked ? lockedError(lock, this.#timeLimitMs) : hangingError(this.#timeLimitMs, waiting.isUnderWay)))
  }

  #startDraining(): void {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
      // One may have come at the very end.
      if (this.#hasWork) this.#startDraining()
    })
  }

  get #hasWork(): boolean {
    return this.#queue.length > 0 || this.#transactions.isSynced
  }

  async #drain(): Promise<void> {
    while (this.#hasWork) {
      try {
        if (!(await this.#takeLock())) return
        await this.#work()
      } catch (cause) {
        this.#failAll(cause)
      } finally {
        this.#transactions.end()
        await this.#lock.release().catch(() => undefined)
      }
      if (this.#hasWork) await pause(REST_MS)
    }
  }

  #failAll(cause: unknown): void {
    const all = this.#queue
    this.#queue = []
    try {
      const error = toError(cause, 'write')
      for (const { settle } of all) settle(err(error))
    } catch (fault) {
      for (const { reject } of all) reject(fault)
    }
  }

  /** Tries until it has the lock or nobody waits any more. */
  async #poll(lock: string, take: () => Promise<boolean>, mayWait: (waitedMs: number) => boolean): Promise<boolean> {
    const since = performance.now()
    try {
      for (let attempt = 0; !(await take()); attempt++) {
        this.#waitsFor = lock
        const waitedMs = performance.now() - since
        if (!mayWait(waitedMs)) return false
        await pause(pollPause({ attempt, waitedMs, random: random() }))
      }
      return true
    } finally {
      this.#waitsFor = undefined
    }
  }

  async #takeLock(): Promise<boolean> {
    const opened = await this.#home.open()
    if (!opened.ok) throw opened.error
    return this.#poll(
      `'${OWN_FOLDER}/lock'`,
      () => this.#lock.take(),
      (waitedMs) => this.#queue.length > 0 || waitedMs < this.#timeLimitMs,
    )
  }

  /** Those of Python's locks that could be had in a short time, in order of name. */
  async #takeShared(paths: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const until = performance.now() + HOLD_MS
    const held = new Set<string>()
    for (const path of SHARED_DOCUMENTS.filter((each) => paths.has(each))) {
      const isHeld = await this.#poll(
        `'${path}.lock'`,
        () => this.#lock.takeShared(path),
        () => performance.now() < until,
      )
      if (isHeld) held.add(path)
    }
    return held
  }

  async #work(): Promise<void> {
    const since = performance.now()
    this.#found.clear()
    this.#readAhead()
    if (!(await this.#transactions.begin())) {
      const all = new Set(SHARED_DOCUMENTS)
      if ((await this.#takeShared(all)).size < all.size) return
      await this.#transactions.finish()
      this.#found.clear()
    }
    do {
      if (!(await this.#commit())) return
      // The next update of a caller is often on its way.
      await nextTurn()
    } while (this.#queue.length > 0 && performance.now() - since < HOLD_MS)
    if (this.#transactions.isSynced) await this.#transactions.finishCheckpoint()
    this.#transactions.checkpoint()
  }

  /** Python's documents are read once its locks are held. */
  #readAhead(): void {
    const batch = new Batch(this.#home, this.#found)
    for (const { named } of this.#queue.slice(0, MOST_AT_ONCE))
      for (const path of named.documents) if (!SHARED_DOCUMENTS.includes(path)) void batch.find(path)
  }

  /** One commit of those that wait. False if the lock has to be taken anew. */
  async #commit(): Promise<boolean> {
    if (this.#queue.length === 0) return true
    const held = await this.#takeShared(new Set(this.#queue.flatMap(({ shared }) => shared)))
    const able = this.#queue.filter(({ shared }) => shared.every((path) => held.has(path))).slice(0, MOST_AT_ONCE)
    for (const waiting of able) waiting.isUnderWay = true
    for (const waiting of this.#queue) {
      const missing = waiting.shared.find((path) => !held.has(path))
      if (missing !== undefined) waiting.missing = missing
    }
    const batch = new Batch(this.#home, this.#found)
    for (const { named } of able) for (const path of named.documents) void batch.find(path)
    const done: (readonly [Waiting, Result<unknown>])[] = []
    for (const waiting of able) {
      const outcome = await this.#runIn(batch, waiting)
      if (outcome === 'later') break
      this.#queue = this.#queue.filter((each) => each !== waiting)
      if (outcome) done.push([waiting, outcome])
    }
    for (const waiting of this.#queue) waiting.isUnderWay = false
    const failure = await this.#write(
      batch,
      done.map(([waiting]) => waiting),
    )
    for (const [{ settle }, result] of done) settle(failure && result.ok ? err(failure) : result)
    return failure === undefined && able.length > 0
  }

  /** Undefined if its plan threw. */
  async #runIn(batch: Batch, waiting: Waiting): Promise<Result<unknown> | 'later' | undefined> {
    try {
      return await waiting.run(batch)
    } catch (cause) {
      waiting.reject(cause)
      return undefined
    }
  }

  async #write(batch: Batch, of: readonly Waiting[]): Promise<HermesError | undefined> {
    try {
      await this.#transactions.commit(
        batch,
        of.some(({ durable }) => durable),
      )
      batch.remember()
      return undefined
    } catch (cause) {
      return toError(cause, 'write')
    }
  }

  /** Brings the documents of the log to the disk, so that a power cut leaves nothing to do again. */
  async close(): Promise<void> {
    await this.#draining
    this.#transactions.checkpoint(true)
    await this.#transactions.settled()
    if (this.#hasWork) this.#startDraining()
    await this.#draining
    await Promise.all([this.#transactions.close(), this.#lock.close()])
  }
}
