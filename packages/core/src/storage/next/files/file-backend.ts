/** Storage in a folder of the file system: one lock and one log for the home, beside a running Python Hermes. */
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { callSafely } from '../../../shared/call-safely.ts'
import { systemClock } from '../../../shared/clock.ts'
import type { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { checkFolder, closedError } from '../../document-tree.ts'
import { makeCut } from '../../make-cut.ts'
import type { NamedPaths } from '../../named-paths.ts'
import type { Cut, DocumentInfo, Paths, Plan, StorageBackend, StoredDocument, UpdateOptions } from '../../storage-backend.ts'
import { findDocument, hangingError, listDocuments, toError } from './disk.ts'
import { HomeLock, type LockKind } from './home-lock.ts'
import { Log } from './log.ts'
import { checkNames, HomePaths } from './paths.ts'
import type { Conflict } from './recover.ts'
import { type Step, Transactions } from './transactions.ts'
import { random, UpdateQueue } from './update-queue.ts'

export interface FileBackendOptions {
  /** Milliseconds until a call fails with `locked`, or `io` if the disk hangs. Default 10,000. */
  readonly timeLimitMs?: number
  /** Called when an update that a crash had interrupted met a document that somebody else had written meanwhile. Its errors are ignored. */
  readonly onConflict?: (conflict: Conflict) => void
  /** The kind of lock of a new home. Default: `flock` if the system and koffi have it. */
  readonly lock?: LockKind
  /** What tells two starts of the machine apart. For tests. */
  readonly boot?: string
  /** Called at the moments of a commit. For tests. */
  readonly atStep?: (step: Step) => void | Promise<void>
}

const TIME_LIMIT_MS = 10_000
/** How often a reader looks again before it waits for the lock. */
const MOST_LOOKS = 20
const bootOfMachine = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return String(Math.round((systemClock() / 1000 - uptime()) / 60))
  }
}

class FileBackend implements StorageBackend {
  readonly #home: HomePaths
  readonly #queue: UpdateQueue
  /** For readers. */
  readonly #log: Log
  readonly #boot: string
  readonly #timeLimitMs: number
  readonly #underWay = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(folder: string, { timeLimitMs = TIME_LIMIT_MS, onConflict, lock, boot = bootOfMachine(), atStep }: FileBackendOptions) {
    this.#home = new HomePaths(folder)
    const tell = (conflict: Conflict) => onConflict && callSafely(onConflict, conflict)
    const locks = new HomeLock(this.#home, lock)
    this.#queue = new UpdateQueue(this.#home, locks, new Transactions(this.#home, locks, { boot, atStep, onConflict: tell }), timeLimitMs)
    this.#log = new Log(this.#home, boot)
    this.#boot = boot
    this.#timeLimitMs = timeLimitMs
  }

  async #track<T>(call: Promise<T>): Promise<T> {
    this.#underWay.add(call)
    try {
      return await call
    } finally {
      this.#underWay.delete(call)
    }
  }

  async update<T>(paths: Paths, plan: (cut: Cut) => Plan<T>, { durable = true }: UpdateOptions = {}): Promise<Result<T>> {
    if (this.#isClosed) return err(closedError())
    const named = checkNames(paths)
    return named.ok ? this.#track(this.#queue.update(named.value, plan, durable)) : named
  }

  async read(paths: Paths): Promise<Result<Cut>> {
    if (this.#isClosed) return err(closedError())
    const named = checkNames(paths)
    return named.ok ? this.#track(this.#read(named.value)) : named
  }

  async #read(named: NamedPaths): Promise<Result<Cut>> {
    const seen = await this.#inTime(this.#look(named))
    if (seen !== 'unfinished' && seen !== 'other boot') return seen
    const result = await this.#queue.update(named, (cut) => ({ value: cut }), false)
    // What was done is visible in a home that nobody can write to, such as a copy.
    const isReadOnly = !result.ok && result.error.code === 'unwritable'
    return isReadOnly && seen === 'other boot' ? this.#inTime(this.#cut(named)) : result
  }

  async #inTime<T>(call: Promise<T>): Promise<T | Result<never>> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<Result<never>>((resolve) => {
      timer = setTimeout(() => resolve(err(hangingError(this.#timeLimitMs, false))), this.#timeLimitMs)
    })
    try {
      return await Promise.race([call, late])
    } catch (cause) {
      return err(toError(cause, 'read'))
    } finally {
      clearTimeout(timer)
    }
  }

  /** A cut with nothing behind the mark before and after it, and the same mark: no update was put in place meanwhile. */
  async #look(named: NamedPaths): Promise<Result<Cut> | 'unfinished' | 'other boot'> {
    const opened = await this.#home.open()
    if (!opened.ok) return opened
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const before = await this.#log.look()
      if (before !== undefined && before !== 'torn' && !before.isBehind && before.head.boot !== this.#boot) return 'other boot'
      if (before === undefined || (before !== 'torn' && !before.isBehind)) {
        const cut = await this.#cut(named)
        const after = await this.#log.look()
        if (after !== 'torn' && !after?.isBehind && after?.head.seq === before?.head.seq) return cut
      }
      await pause(Math.min(looks, 4) * random())
    }
    return 'unfinished'
  }

  async #cut(named: NamedPaths): Promise<Result<Cut>> {
    const documents = new Map<string, StoredDocument | HermesError>()
    const reading = [...named.documents].map(async (path) => {
      const found = await findDocument(this.#home, path)
      if (found.kind === 'document') documents.set(path, found.document)
      if (found.kind === 'fault') documents.set(path, found.error)
    })
    const [listed] = await Promise.all([listDocuments(this.#home, named.folders, false), ...reading])
    if (!listed.ok) return listed
    if (listed.value.unsettledMs > 0) await pause(listed.value.unsettledMs)
    return ok(makeCut(named, { documents, infos: listed.value.infos }))
  }

  async list(prefix: string): Promise<Result<readonly DocumentInfo[]>> {
    const folder = checkFolder(prefix)
    if (!this.#isClosed && !folder.ok) return folder
    const cut = await this.read([`${prefix}/`])
    return cut.ok ? ok(cut.value.list(prefix)) : cut
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#underWay)
    await this.#inTime(this.#finish())
  }

  async #finish(): Promise<void> {
    await this.#queue.close()
    await this.#log.close()
  }
}

/**
 * Documents below `folder` (`~` is the user's home folder), created on demand with 0700 for folders and 0600 for files. An update is durable and visible when it
 * resolves. Safe among processes, and beside a running Python Hermes if flock(2) is available.
 */
export const fileBackend = (folder: string, options: FileBackendOptions = {}): StorageBackend => {
  if (typeof folder !== 'string' || folder === '' || folder.includes('\0'))
    throw new TypeError("fileBackend: 'folder' must be the path of a folder, such as '~/.hermes'.")
  return new FileBackend(folder, options)
}
