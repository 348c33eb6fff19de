/** The lock of a home where there is no flock(2). */
import { link, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { systemClock } from '../../shared/clock.ts'
import { isSystemError, orMissing } from './disk.ts'
import { currentProcess, isProcessRunning } from './process-identity.ts'

const SILENT_MS = 30_000
/** How often the holder shows that it is alive. */
const REFRESH_MS = 5_000

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

let taken = 0

/** A file that exists while the lock is held, with words that no other holder has. A holder that has been silent for 30 s, or whose process has
 * ended, has lost it. */
export class LockFile {
  readonly #file: string
  #words: string | undefined
  #refreshing: ReturnType<typeof setInterval> | undefined
  #shownAt = 0

  constructor(file: string) {
    this.#file = file
  }

  async take(): Promise<boolean> {
    const words = `${currentProcess.pid}-${currentProcess.host}-${process.hrtime.bigint()}-${++taken}`
    const isMine = (await create(this.#file, words)) || ((await this.#removeSilent(words)) && (await create(this.#file, words)))
    if (!isMine) return false
    this.#words = words
    this.#shownAt = performance.now()
    this.#refreshing = setInterval(() => void this.#refresh(), REFRESH_MS)
    this.#refreshing.unref()
    return true
  }

  /** By the clock of the file system, which a file of this moment tells. True if a silent lock has been removed. */
  async #removeSilent(words: string): Promise<boolean> {
    const [lock, holder = ''] = await Promise.all([orMissing(stat(this.#file)), orMissing(readFile(this.#file, 'utf8'))])
    if (!lock) return true
    const [pid, host] = holder.split('-')
    const isGone = host === currentProcess.host && !isProcessRunning(Number(pid))
    if (!isGone && systemClock() - lock.mtimeMs <= SILENT_MS) return false
    const mine = `${this.#file}.${words}`
    await create(mine, words)
    try {
      if (!isGone && (await stat(mine)).mtimeMs - lock.mtimeMs <= SILENT_MS) return false
      // Whoever takes it away has it alone; if it was a new one, it goes back.
      await rename(this.#file, mine)
      const { ino, mtimeMs } = await stat(mine)
      if (ino === lock.ino && mtimeMs === lock.mtimeMs) return true
      await link(mine, this.#file)
      return false
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'EEXIST')) return false
      throw error
    } finally {
      await orMissing(unlink(mine))
    }
  }

  async #refresh(): Promise<void> {
    try {
      if (!(await this.isHeld())) return
      await writeFile(this.#file, this.#words ?? '', { flag: 'r+' })
      this.#shownAt = performance.now()
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
    if (this.#words === undefined) return
    const remove = async () => (await this.isHeld()) && (await orMissing(unlink(this.#file)))
    // Left behind, it would keep others out for 30 s.
    await remove().catch(remove)
    this.#words = undefined
  }
}
