/** A connection to one file: its calls wait for other processes without blocking the thread, and end before it is closed. */
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { err, ok, type Result } from '@hermes/core'
import { closedError } from '@hermes/core/storage'
import { inTurn } from './in-turn.ts'
import { judgeFailure } from './judge-failure.ts'
import { type Database, loadSqlite, openDatabase } from './open-database.ts'

const MAX_TIMEOUT_MS = 600_000
const LONGEST_PAUSE_MS = 16

const checkFile = (caller: string, file: unknown): string => {
  if (typeof file === 'string' && file !== '' && !/\0|^file:|^:memory:$/.test(file)) return resolve(file)
  const got = typeof file === 'string' ? JSON.stringify(file) : `a value of type ${typeof file}`
  throw new TypeError(`${caller} takes the path of a file such as '/var/lib/app/hermes.db', but got ${got}.`)
}

const checkTimeout = (value: unknown): number => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_TIMEOUT_MS) return value
  throw new TypeError(`timeoutMs must be a whole number from 1 to ${MAX_TIMEOUT_MS}, but is ${String(value)}.`)
}

/** From 0 to 1, so that processes do not repeat in step. */
const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

export class Connection {
  readonly location: string
  readonly #longestMs: number
  readonly #underWay = new Set<Promise<unknown>>()
  #database: Database | undefined
  #closed = false

  /** Opens nothing yet. Throws a TypeError for a path or a limit that cannot be used, and an Error on a Node without node:sqlite. */
  constructor(caller: string, file: unknown, timeoutMs: unknown = 15_000) {
    this.location = checkFile(caller, file)
    this.#longestMs = checkTimeout(timeoutMs)
    loadSqlite()
  }

  get database(): Database {
    this.#database ??= openDatabase(this.location)
    return this.#database
  }

  /** Never blocks the thread to wait for a lock: `work` fails at once and is repeated after a pause. */
  async attempt<T>(doing: 'read' | 'write', work: () => Result<T>): Promise<Result<T>> {
    const end = performance.now() + this.#longestMs
    for (let longest = 1; ; longest = Math.min(LONGEST_PAUSE_MS, longest * 2)) {
      try {
        return await inTurn(work)
      } catch (cause) {
        const { retry, error } = judgeFailure(cause, this.location, doing)
        const pause = longest * random()
        if (!retry || performance.now() + pause > end) return err(error)
        await setTimeout(pause)
      }
    }
  }

  /** Runs a call whose arguments are valid, unless the connection was closed. */
  async call<A, T>(checked: Result<A>, work: (argument: A) => Promise<Result<T>>): Promise<Result<T>> {
    if (this.#closed) return err(closedError())
    if (!checked.ok) return checked
    const mine = work(checked.value)
    this.#underWay.add(mine)
    return mine.finally(() => this.#underWay.delete(mine))
  }

  /** Text that was replaced may still be in the write-ahead log. Waits for other connections that keep it as long as a call may last. */
  async emptyLog(): Promise<void> {
    const end = performance.now() + this.#longestMs
    for (;;) {
      const emptied = await this.attempt('write', () => ok(this.database.emptyLog()))
      if (!emptied.ok || emptied.value || performance.now() + LONGEST_PAUSE_MS > end) return
      await setTimeout(LONGEST_PAUSE_MS * random())
    }
  }

  /** Waits for the calls under way. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#underWay)
    await inTurn(() => {
      this.#database?.close()
      this.#database = undefined
    })
  }
}
