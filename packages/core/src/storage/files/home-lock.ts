/**
 * One lock for a home, on its log, and Python Hermes' own beside the documents that it writes too. A home remembers the kind of its lock, so that no two kinds
 * guard it: `flock`, or `file` where there is no flock(2).
 */
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { HermesError } from '../../shared/hermes-error.ts'
import { close, createFolder, isSystemError, OpenFile, orMissing, TO_CREATE } from './disk.ts'
import { type Flock, flockCalls } from './flock.ts'
import type { Home } from './home.ts'
import { LockFile } from './lock-file.ts'
import { LOG, OWN_FOLDER } from './names.ts'

type LockKind = 'flock' | 'file'

const KIND = 'kind'
const HELD = 'lock.held'

const wrongKind = (kind: string): HermesError =>
  new HermesError(
    'unwritable',
    kind === 'flock'
      ? `This home is locked by flock(2), which this program cannot call. Install the optional package koffi beside @hermes/core ('npm install koffi'). Nothing was written.`
      : `'${OWN_FOLDER}/${KIND}' says '${kind}', which is no kind of lock that this version of the library knows. Update @hermes/core in this program. Nothing was written.`,
    { details: { kind } },
  )

const lostLock = (): HermesError =>
  new HermesError(
    'locked',
    'This process was silent for so long that another one has taken the lock of the home. Nothing was written; try again.',
  )

/** One holder at a time in a process; the caller sees to it that nobody takes it twice. */
export class HomeLock {
  readonly #home: Home
  readonly #flock: Flock | undefined
  readonly #onFile: () => void
  #kind: LockKind | undefined
  readonly #lockFile: LockFile
  #log: OpenFile | undefined
  /** Python's lock files by document. They stay open: another open file of one would exclude this one. */
  readonly #open = new Map<string, OpenFile>()
  readonly #held = new Set<string>()
  /** Whether each held one is still at its path. */
  readonly #checks = new Map<string, Promise<boolean>>()

  /** `withoutFlock`: a new home gets a lock file. `onFile`: called once if the home is guarded by one. */
  constructor(home: Home, withoutFlock: boolean, onFile: () => void) {
    this.#home = home
    this.#onFile = onFile
    this.#flock = withoutFlock ? undefined : flockCalls()
    this.#lockFile = new LockFile(this.#home.own(HELD))
  }

  /** Creates the home if there is none. Throws `unwritable` if this process cannot do the kind of the home. */
  async open(): Promise<void> {
    this.#kind ??= await this.#findKind()
  }

  async #findKind(): Promise<LockKind> {
    const file = this.#home.own(KIND)
    const mine: LockKind = this.#flock ? 'flock' : 'file'
    let kind = await orMissing(readFile(file, 'utf8'))
    if (kind === undefined) {
      await createFolder(this.#home.own('.'), { isSynced: true })
      await writeFile(file, `${mine}\n`, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
        if (!isSystemError(error, 'EEXIST')) throw error
      })
      kind = await readFile(file, 'utf8')
    }
    // Another process is about to write it; after a crash there, it is never written.
    for (let looks = 0; kind === '' && looks < 50; looks++) {
      await pause(2)
      kind = await readFile(file, 'utf8')
    }
    if (kind === '') await writeFile(file, `${mine}\n`)
    const found = kind.trim() || mine
    if (found !== mine && found !== 'file') throw wrongKind(found)
    if (found === 'file') this.#onFile()
    return found
  }

  /** False if somebody else holds it. Throws the system's errors. */
  async take(log: OpenFile): Promise<boolean> {
    if (this.#kind === 'file') return this.#lockFile.take()
    if (!this.#flock?.lock(log.fd)) return false
    this.#log = log
    return true
  }

  /** Python's locks of some documents, beside them, in this order; else the file of the first that somebody else holds. Without flock there is none. */
  async takeShared(paths: readonly string[]): Promise<string | undefined> {
    for (const path of this.#kind === 'file' ? [] : paths) {
      if (this.#held.has(path)) continue
      const file = `${await this.#home.fileOf(path)}.lock`
      const opened = this.#open.get(path) ?? (await OpenFile.at(file, TO_CREATE))
      this.#open.set(path, opened)
      if (!this.#flock?.lock(opened.fd)) return file
      this.#held.add(path)
      const check = opened.sizeAt(file).then((size) => size !== undefined)
      check.catch(() => undefined)
      this.#checks.set(path, check)
    }
    return undefined
  }

  /** Before a write. False: a lock file of Python's is another one now, and all has to begin anew. Throws `locked` if the home has another holder. */
  async isHeld(): Promise<boolean> {
    if (this.#kind === 'file' && !(await this.#lockFile.isHeld())) throw lostLock()
    return !(await Promise.all(this.#checks.values())).includes(false)
  }

  /** The file that is locked, or is the lock. */
  get file(): string {
    return this.#home.own(this.#kind === 'file' ? HELD : LOG)
  }

  async release(): Promise<void> {
    const held = [...this.#held].reverse()
    for (const path of held) this.#flock?.unlock(this.#open.get(path)?.fd ?? -1)
    if (this.#log) this.#flock?.unlock(this.#log.fd)
    this.#log = undefined
    this.#held.clear()
    if (this.#kind === 'file') await this.#lockFile.release()
    for (const path of held) if (!(await this.#checks.get(path)?.catch(() => false))) await this.#close(path)
    this.#checks.clear()
  }

  async #close(path: string): Promise<void> {
    const opened = this.#open.get(path)
    this.#open.delete(path)
    if (opened) await close(opened.fd)
  }

  async close(): Promise<void> {
    await this.release()
    for (const path of [...this.#open.keys()]) await this.#close(path)
  }
}
