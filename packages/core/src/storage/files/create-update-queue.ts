/** What writes under the lock of a home: its code, which is most of the back end, is loaded with the first such update. */
import type { Home } from './home.ts'
import { HomeLock } from './home-lock.ts'
import { HomeWriter, type HomeWriterOptions } from './home-writer.ts'
import { Log } from './log.ts'
import { UpdateQueue } from './update-queue.ts'

export interface WritingOptions extends HomeWriterOptions {
  readonly boot: string
  readonly timeoutMs: number
  /** A new home gets a lock file. */
  readonly withoutFlock: boolean
  /** Called if the home is guarded by a lock file. */
  readonly onLockFile: () => void
}

export const createUpdateQueue = (home: Home, { boot, timeoutMs, withoutFlock, onLockFile, ...writing }: WritingOptions): UpdateQueue => {
  const lock = new HomeLock(home, withoutFlock, onLockFile)
  const log = new Log(home, boot)
  return new UpdateQueue(home, lock, log, new HomeWriter(home, lock, log, writing), timeoutMs)
}
