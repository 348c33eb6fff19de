/** What writes under the lock of a home: its code, which is most of the back end, is loaded with the first such update. */
import type { Home } from './home.ts'
import { HomeLock } from './home-lock.ts'
import { HomeWriter, type HomeWriterOptions } from './home-writer.ts'
import { UpdateQueue } from './update-queue.ts'

export interface WritingOptions extends HomeWriterOptions {
  readonly timeoutMs: number
  /** A new home gets a lock file. */
  readonly withoutFlock: boolean
  /** Called if the home is guarded by a lock file. */
  readonly onLockFile: () => void
}

export const openUpdateQueue = (home: Home, { timeoutMs, withoutFlock, onLockFile, ...writing }: WritingOptions): UpdateQueue => {
  const lock = new HomeLock(home, withoutFlock, onLockFile)
  return new UpdateQueue(home, lock, new HomeWriter(home, lock, writing), timeoutMs)
}
