/** The lock of a home where there is no flock(2). */
import { readFile, writeFile } from 'node:fs/promises'
import { systemClock } from '../../../shared/clock.ts'
import { stat, unlink } from '../../backends/file-system/file-calls.ts'
import { isSystemError } from '../../backends/file-system/io-error.ts'
import { temporaryName } from '../../backends/file-system/temporary-files.ts'

const SILENT_MS = 30_000
/** How often the holder shows that it is alive. */
const REFRESH_MS = 5_000

/** Undefined if there is no such file. */
export const orMissing = async <T>(doing: Promise<T>): Promise<T | undefined> => {
  try {
    return await doing
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  }
}

/** False if there is such a file. */
const create = async (file: string, words: string): Promise<boolean> => {
  try {
    await writeFile(file, words, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false
    throw error
  }
}

/** Milliseconds since its holder has shown that it is alive; 0 if there is no such file. */
const silence = async (file: string, now: number): Promise<number> => now - ((await orMissing(stat(file)))?.mtimeMs ?? now)

/** A file that exists while the lock is held, with words that no other holder has. A holder that has been silent for 30 s has lost it. */
export class LockFile {
  readonly #file: string
  #words: string | undefined
  #refreshing: ReturnType<typeof setInterval> | undefined
  #shownAt = 0

  constructor(file: string) {
    this.#file = file
  }

  async take(): Promise<boolean> {
    const words = temporaryName()
    const isMine = (await create(this.#file, words)) || ((await this.#removeSilent(words)) && (await create(this.#file, words)))
    if (!isMine) return false
    this.#words = words
    this.#show()
    this.#refreshing = setInterval(() => void this.#refresh(), REFRESH_MS)
    this.#refreshing.unref()
    return true
  }

  /** One at a time, or the second would remove the lock that the first has just taken. */
  async #removeSilent(words: string): Promise<boolean> {
    if ((await silence(this.#file, systemClock())) <= SILENT_MS) return false
    const takeover = `${this.#file}.takeover`
    if (!(await create(takeover, words))) {
      if ((await silence(takeover, systemClock())) > SILENT_MS) await orMissing(unlink(takeover))
      return false
    }
    try {
      // By the clock of the file system.
      const { mtimeMs: now } = await stat(takeover)
      if ((await silence(this.#file, now)) <= SILENT_MS) return false
      await orMissing(unlink(this.#file))
      return true
    } finally {
      await orMissing(unlink(takeover))
    }
  }

  #show(): void {
    this.#shownAt = performance.now()
  }

  async #refresh(): Promise<void> {
    try {
      if (await this.isHeld()) {
        await writeFile(this.#file, this.#words ?? '', { flag: 'r+' })
        this.#show()
      }
    } catch {
      // `isHeld` finds out before the next write.
    }
  }

  /** False if this process was silent for long, as when the machine slept, and another one has taken the lock. */
  async isHeld(): Promise<boolean> {
    if (performance.now() - this.#shownAt < SILENT_MS / 2) return true
    return this.#words !== undefined && (await orMissing(readFile(this.#file, 'utf8'))) === this.#words
  }

  async release(): Promise<void> {
    clearInterval(this.#refreshing)
    const words = this.#words
    this.#words = undefined
    if (words !== undefined && (await orMissing(readFile(this.#file, 'utf8'))) === words) await orMissing(unlink(this.#file))
  }
}
