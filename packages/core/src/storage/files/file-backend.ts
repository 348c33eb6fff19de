/** Storage in a folder of the file system, with the layout of Python Hermes, so that both can use one home: one lock and one log for it. */
import { uptime } from 'node:os'
import { callSafely } from '../../shared/call-safely.ts'
import { systemClock } from '../../shared/clock.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import { loadOnce, withLazy } from '../../shared/lazy.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { makeCut, type NamedPaths } from '../cut.ts'
import { checkFolder, closedError } from '../document-tree.ts'
import type { Cut, DocumentInfo, Paths, Plan, StorageBackend, StoredDocument, UpdateOptions } from '../storage-backend.ts'
import { claimDocument } from './claim-document.ts'
import { hangingError, toError } from './disk.ts'
import { findDocument } from './documents.ts'
import {
  checkFileSystemOptions,
  DEFAULT_LINKED_DOCUMENTS,
  DEFAULT_TIMEOUT_MS,
  type FileSystemBackendOptions,
  withoutFlockWarning,
} from './file-system-options.ts'
import { Home } from './home.ts'
import type { Step } from './home-writer.ts'
import { listDocuments, toStored } from './list-documents.ts'
import { Log, type Mark } from './log.ts'
import { checkNames } from './names.ts'
import { fs } from './node-fs.ts'
import { jitter, pause } from './pause.ts'
import { closeHome } from './permissions.ts'
import type { Conflict } from './recover.ts'
import type { UpdateQueue } from './update-queue.ts'

/** `boot` and `atStep` are for tests: what tells two starts of the machine apart, and what is called at the moments of a commit. */
export interface FileBackendOptions extends FileSystemBackendOptions {
  readonly boot?: string
  readonly atStep?: (step: Step) => void | Promise<void>
}

const conflictAt = ({ path, beside }: Conflict): string =>
  `Hermes storage: an update that a crash had interrupted met '${path}', which another program had changed meanwhile. What is there was kept.${beside === undefined ? '' : ` The update's own text is in '${beside}'.`}`

/** How often a reader looks again before it waits for the lock. */
const MOST_LOOKS = 20

/** Asks for every document, so that large ones are read, too; the error of one is for who asks for it later. */
const askedFor = ({ documents }: NamedPaths, cut: Cut): Cut => {
  for (const path of documents) {
    try {
      cut.document(path)
    } catch {}
  }
  return cut
}

const bootOfMachine = (): string => {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return String(Math.round((systemClock() / 1000 - uptime()) / 60))
  }
}

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}

export class FileBackend implements StorageBackend {
  readonly #home: Home
  /** Opened with the first update that needs the lock. */
  readonly #queue: () => Promise<UpdateQueue>
  #opened: UpdateQueue | undefined
  /** For readers. */
  readonly #log: Log
  readonly #boot: string
  readonly #timeoutMs: number
  readonly #withoutFlock: boolean
  readonly #prepare: () => Promise<void>
  readonly #underWay = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(folder: string, options: FileBackendOptions = {}) {
    const { timeoutMs = DEFAULT_TIMEOUT_MS, onWarning = () => {}, lock, permissions, boot = bootOfMachine(), atStep } = options
    this.#home = new Home(folder, options.linkedDocuments ?? DEFAULT_LINKED_DOCUMENTS)
    this.#withoutFlock = lock === 'exclusive-file'
    const writing = {
      ...{ boot, timeoutMs, atStep },
      withoutFlock: this.#withoutFlock,
      onLockFile: () => lock === undefined && onWarning(withoutFlockWarning(process.platform)),
      onConflict: (conflict: Conflict) => onWarning(conflictAt(conflict)),
    }
    this.#queue = loadOnce(async () => {
      const { createUpdateQueue } = await import('./create-update-queue.ts')
      this.#opened = createUpdateQueue(this.#home, writing)
      return this.#opened
    })
    this.#prepare = once(() => closeHome(this.#home.root, permissions, onWarning))
    this.#log = new Log(this.#home, boot)
    this.#boot = boot
    this.#timeoutMs = timeoutMs
  }

  async #track<T>(call: Promise<T>): Promise<T> {
    this.#underWay.add(call)
    try {
      return await call
    } finally {
      this.#underWay.delete(call)
    }
  }

  async update<T>(paths: Paths, plan: (cut: Cut) => Plan<T>, options: UpdateOptions = {}): Promise<Result<T>> {
    if (this.#isClosed) return err(closedError())
    const named = checkNames(paths)
    return named.ok ? this.#track(this.#update(named.value, plan, options)) : named
  }

  async #update<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>, options: UpdateOptions): Promise<Result<T>> {
    await this.#prepare()
    const isClaim = options.claim === true && options.durable === false
    const claimed = isClaim ? await this.#claim(named, plan, options) : 'under the lock'
    return claimed === 'under the lock' ? this.#underLock(named, plan, options) : claimed
  }

  /** Without the lock, so that those who claim a document by a call of the system are not overtaken by one that does it under the lock. */
  async #claim<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>, options: UpdateOptions): Promise<Result<T> | 'under the lock'> {
    const claim = () => this.#limited(claimDocument(this.#home, this.#log, named, plan, this.#withoutFlock), true)
    const claimed = await claim()
    if (claimed !== 'not ready') return claimed
    // The next holder of the lock creates the log, or finishes what is left.
    const ready = await this.#underLock(named, () => ({ value: undefined }), options)
    const again = ready.ok ? await claim() : ready
    return again === 'not ready' ? 'under the lock' : again
  }

  #underLock<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>, options: UpdateOptions): Promise<Result<T>> {
    return withLazy('The code that writes files', this.#queue, (queue) => queue.update(named, plan, options))
  }

  async read(paths: Paths): Promise<Result<Cut>> {
    if (this.#isClosed) return err(closedError())
    const named = checkNames(paths)
    return named.ok ? this.#track(this.#read(named.value)) : named
  }

  async #read(named: NamedPaths): Promise<Result<Cut>> {
    const seen = await this.#inTime(this.#look(named))
    if (seen !== 'unfinished' && seen !== 'other boot') return seen
    // Under the lock, which finishes what is left.
    const result = await this.#underLock(named, (cut) => ({ value: askedFor(named, cut) }), { durable: false })
    // What was done is visible in a home that nobody can write to, such as a copy.
    const isReadOnly = !result.ok && result.error.code === 'unwritable'
    return isReadOnly && seen === 'other boot' ? this.#inTime(this.#cut(named)) : result
  }

  async #limited<T>(call: Promise<T>, isUpdate = false): Promise<T | Result<never>> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<Result<never>>((resolve) => {
      timer = setTimeout(() => resolve(err(hangingError(this.#timeoutMs, isUpdate))), this.#timeoutMs)
    })
    try {
      return await Promise.race([call, late])
    } finally {
      clearTimeout(timer)
    }
  }

  async #inTime<T>(call: Promise<T>): Promise<T | Result<never>> {
    try {
      return await this.#limited(call)
    } catch (cause) {
      return err(toError(cause, 'read'))
    }
  }

  /** A cut between two looks at the log with the same mark and nothing behind it: no update was put in place meanwhile. The first look may be of earlier. */
  async #look(named: NamedPaths): Promise<Result<Cut> | 'unfinished' | 'other boot'> {
    await this.#home.open()
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const before = this.#home.lastMark ?? (await this.#lookAtLog())
      if (before === 'other boot') return before
      const cut = before === 'under way' ? undefined : await this.#cut(named)
      const after = await this.#lookAtLog()
      if (cut && after === before) return cut
      await pause(Math.min(looks, 4) * jitter())
    }
    return 'unfinished'
  }

  async #lookAtLog(): Promise<Mark | 'under way' | 'other boot'> {
    const state = await this.#log.look()
    const isSettled = state !== 'torn' && !state?.isBehind
    this.#home.lastMark = undefined
    if (!isSettled) return 'under way'
    if (state && state.head.boot !== this.#boot) return 'other boot'
    this.#home.lastMark = this.#log.markOf(state)
    return this.#home.lastMark
  }

  async #cut(named: NamedPaths): Promise<Result<Cut>> {
    const documents = new Map<string, StoredDocument | HermesError>()
    const reading = [...named.documents].map(async (path) => {
      const document = await toStored(this.#home, path, await findDocument(this.#home, path))
      if (document) documents.set(path, document)
    })
    const [{ infos, unsettledMs }] = await Promise.all([listDocuments(this.#home, named.folders), ...reading])
    if (unsettledMs > 0) await pause(unsettledMs)
    return ok(makeCut(named, { documents, infos }))
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
    if (this.#opened) await this.#inTime(this.#opened.close())
    await this.#log.close()
  }
}

const warned = new Set<string>()

const warnOnce = (message: string): void => {
  if (warned.has(message)) return
  warned.add(message)
  process.emitWarning(message, { type: 'HermesWarning', code: 'HERMES_STORAGE' })
}

/**
 * Documents below `home` (`~` is the user's home folder), created on demand with 0700 for folders and 0600 for files. An update is durable and visible when it
 * resolves. Safe among processes, and beside a running Python Hermes if flock(2) is available. Throws a TypeError for a wrong option.
 */
export const fileSystemBackend = (home: string, options: FileSystemBackendOptions = {}): StorageBackend => {
  checkFileSystemOptions(home, options)
  const { onWarning = warnOnce } = options
  const files = new FileBackend(home, { ...options, onWarning: (message) => callSafely(onWarning, message) })
  // Hosts may spread it, to watch or replace a method.
  return {
    read: (paths) => files.read(paths),
    update: (paths, plan, given) => files.update(paths, plan, given),
    list: (prefix) => files.list(prefix),
    close: () => files.close(),
  }
}
