/** The lock of a home where there is no flock(2). */
import { link, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ensureFolder } from '../../backends/file-system/durable-folder.ts'
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
    const own = `${dirname(this.#file)}/${words}`
    await ensureFolder(dirname(this.#file))
    await writeFile(own, words, { mode: 0o600 })
    try {
      if (!(await this.#create(own)) && !((await this.#removeSilent(own)) && (await this.#create(own)))) return false
    } finally {
      await unlink(own)
    }
    this.#words = words
    this.#show()
    this.#refreshing = setInterval(() => void this.#refresh(), REFRESH_MS)
    this.#refreshing.unref()
    return true
  }

  async #create(own: string): Promise<boolean> {
    try {
      await link(own, this.#file)
      return true
    } catch (error) {
      if (isSystemError(error, 'EEXIST')) return false
      throw error
    }
  }

  /** By the clock of the file system. */
  async #isSilent(own: string, file: string): Promise<boolean> {
    const [mine, there] = await Promise.all([stat(own), orMissing(stat(file))])
    return there !== undefined && mine.mtimeMs - there.mtimeMs > SILENT_MS
  }

  /** One at a time, or the second would remove the lock that the first has just taken. */
  async #removeSilent(own: string): Promise<boolean> {
    if (!(await this.#isSilent(own, this.#file))) return false
    const takeover = `${this.#file}.takeover`
    try {
      await link(own, takeover)
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error
      if (await this.#isSilent(own, takeover)) await orMissing(unlink(takeover))
      return false
    }
    try {
      if (await this.#isSilent(own, this.#file)) await orMissing(unlink(this.#file))
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
