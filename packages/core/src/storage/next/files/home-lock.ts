/**
 * One lock for a home, and Python Hermes' own beside the documents that it writes too. A home remembers the kind of its lock, so that no two kinds guard it:
 * `flock`, or `file` where there is no flock(2).
 */
import { constants } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { HermesError } from '../../../shared/hermes-error.ts'
import { ensureFolder } from '../../backends/file-system/durable-folder.ts'
import { type OpenFile, open } from '../../backends/file-system/file-calls.ts'
import { bindFlock, type Native } from '../../backends/file-system/flock.ts'
import { isSystemError } from '../../backends/file-system/io-error.ts'
import { isAt, letGo } from '../../backends/file-system/pinned-folder.ts'
import { LockFile, orMissing } from './lock-file.ts'
import { type HomePaths, OWN_FOLDER } from './paths.ts'

export type LockKind = 'flock' | 'file'

const LOCK_NAME = 'lock'
const KIND_NAME = 'kind'
const HELD_NAME = 'lock.held'

const EXCLUSIVE_NOW = 6
const UNLOCK = 8

let bound: { readonly native: Native | undefined } | undefined

const flockCalls = (): Native | undefined => {
  bound ??= { native: bindFlock() }
  return bound.native
}

const wrongKind = (kind: string): HermesError =>
  new HermesError(
    'unwritable',
    kind === 'flock'
      ? `This home is locked by flock(2), which this program cannot call. Install the optional package koffi beside @hermes/core ('npm install koffi'). Nothing was written.`
      : `'${OWN_FOLDER}/${KIND_NAME}' says '${kind}', which is no kind of lock that this version of the library knows. Update @hermes/core in this program. Nothing was written.`,
    { details: { kind } },
  )

/** Files that flock(2) locks: each stays open, since another open file of the same path would exclude this one. */
class Flocks {
  readonly #native: Native
  readonly #open = new Map<string, OpenFile>()
  readonly #held = new Map<string, OpenFile>()

  constructor(native: Native) {
    this.#native = native
  }

  async #opened(file: string): Promise<OpenFile> {
    const known = this.#open.get(file)
    if (known && (await isAt(known, file))) return known
    if (known) letGo(known)
    const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
    const opened = await open(file, flags, 0o600).catch(async (error: unknown) => {
      if (!isSystemError(error, 'ENOENT')) throw error
      await ensureFolder(dirname(file))
      return open(file, flags, 0o600)
    })
    this.#open.set(file, opened)
    return opened
  }

  /** False if somebody else holds it. */
  async take(file: string): Promise<boolean> {
    if (this.#held.has(file)) return true
    const opened = await this.#opened(file)
    const { flock, busy, interrupted } = this.#native
    const failure = flock(opened.fd, EXCLUSIVE_NOW)
    if (failure === busy || failure === interrupted) return false
    if (failure !== 0) throw Object.assign(new Error(`flock of ${file} failed with error number ${failure}`), { code: 'ENOLCK' })
    this.#held.set(file, opened)
    // Another file may have taken its place before it was locked.
    if (await isAt(opened, file)) return true
    this.release(file)
    return false
  }

  release(file: string): void {
    const held = this.#held.get(file)
    if (held) this.#native.flock(held.fd, UNLOCK)
    this.#held.delete(file)
  }

  releaseAll(): void {
    for (const file of [...this.#held.keys()].reverse()) this.release(file)
  }

  async close(): Promise<void> {
    this.releaseAll()
    await Promise.all([...this.#open.values()].map((file) => file.close()))
    this.#open.clear()
  }
}

/** One holder at a time; the caller sees to it that nobody takes it twice. */
export class HomeLock {
  readonly #home: HomePaths
  readonly #wanted: LockKind | undefined
  readonly #flocks: Flocks | undefined
  #file: LockFile | undefined
  #kind: LockKind | undefined

  /** `wanted`: the kind of a new home. Default: flock if there is one. */
  constructor(home: HomePaths, wanted: LockKind | undefined) {
    this.#home = home
    this.#wanted = wanted
    const native = flockCalls()
    this.#flocks = native && new Flocks(native)
  }

  /** Creates the home if there is none. Throws `unwritable` if this process cannot do the kind of the home. */
  async #findKind(): Promise<LockKind> {
    const file = this.#home.own(KIND_NAME)
    const mine: LockKind = this.#flocks && this.#wanted !== 'file' ? 'flock' : 'file'
    let kind = await orMissing(readFile(file, 'utf8'))
    if (kind === undefined) {
      await ensureFolder(dirname(file))
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
    if (found === 'file' || (found === 'flock' && this.#flocks && this.#wanted !== 'file')) return found
    throw wrongKind(found)
  }

  /** False if somebody else holds it. Throws the system's errors. */
  async take(): Promise<boolean> {
    this.#kind ??= await this.#findKind()
    return this.#kind === 'flock' ? ((await this.#flocks?.take(this.#home.own(LOCK_NAME))) ?? false) : this.#lockFile().take()
  }

  #lockFile(): LockFile {
    this.#file ??= new LockFile(this.#home.own(HELD_NAME))
    return this.#file
  }

  /** Python's lock of a document, beside it. Without flock there is none. */
  async takeShared(path: string): Promise<boolean> {
    if (!this.#flocks) return true
    const folder = await this.#home.locate(`${dirname(path)}/x`)
    if (!folder.ok) throw folder.error
    return this.#flocks.take(join(dirname(folder.value.file), `${basename(path)}.lock`))
  }

  /** Whether it is still held, before a write. */
  async isHeld(): Promise<boolean> {
    return this.#file?.isHeld() ?? true
  }

  async release(): Promise<void> {
    this.#flocks?.releaseAll()
    await this.#file?.release()
  }

  async close(): Promise<void> {
    await this.release()
    await this.#flocks?.close()
  }
}
