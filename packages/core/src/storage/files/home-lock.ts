/**
 * One lock for a home, on its log, and Python Hermes' own beside the documents that it writes too. A home remembers the kind of its lock, so that no two kinds
 * guard it: `flock`, or `file` where there is no flock(2).
 */
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { HermesError } from '../../shared/hermes-error.ts'
import { createFolder, type OpenFile, orMissing } from './disk.ts'
import { Flocks, flockCalls } from './flock.ts'
import { type Home, LOG, OWN_FOLDER } from './home.ts'
import { isSystemError } from './io-error.ts'
import { LockFile } from './lock-file.ts'

export type LockKind = 'flock' | 'file'

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

/** One holder at a time in a process; the caller sees to it that nobody takes it twice. */
export class HomeLock {
  readonly #home: Home
  readonly #flocks: Flocks | undefined
  readonly #onFile: () => void
  #file: LockFile | undefined
  #kind: LockKind | undefined

  /** `withoutFlock`: a new home gets a lock file. `onFile`: called once if the home is guarded by one. */
  constructor(home: Home, withoutFlock: boolean, onFile: () => void) {
    this.#home = home
    this.#onFile = onFile
    const native = withoutFlock ? undefined : flockCalls()
    this.#flocks = native && new Flocks(native)
  }

  /** Creates the home if there is none. Throws `unwritable` if this process cannot do the kind of the home. */
  async #findKind(): Promise<LockKind> {
    const file = this.#home.own(KIND)
    const mine: LockKind = this.#flocks ? 'flock' : 'file'
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

  /** False if somebody else holds it. `onTaken`: as of `Flocks`. Throws the system's errors. */
  async take(onTaken: () => void): Promise<boolean> {
    this.#kind ??= await this.#findKind()
    if (this.#kind === 'flock') return (await this.#flocks?.take(this.#home.own(LOG), onTaken)) ?? false
    this.#file ??= new LockFile(this.#home.own(HELD))
    const isTaken = await this.#file.take()
    if (isTaken) onTaken()
    return isTaken
  }

  /** Python's lock of a document, beside it. Without flock there is none. */
  async takeShared(path: string, onTaken = () => {}): Promise<boolean> {
    if (this.#kind === 'flock' && this.#flocks) return this.#flocks.take(`${await this.#home.fileOf(path)}.lock`, onTaken)
    onTaken()
    return true
  }

  /** The log, if it is locked and still at its path. */
  get lockedLog(): OpenFile | undefined {
    return this.#flocks?.held(this.#home.own(LOG))
  }

  /** Whether it is still held, before a write. */
  async isHeld(): Promise<boolean> {
    return this.#file?.isHeld() ?? true
  }

  /** The file that is locked, or is the lock. */
  get file(): string {
    return this.#home.own(this.#kind === 'file' ? HELD : LOG)
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
