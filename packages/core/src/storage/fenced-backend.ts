/** A back end for work that may lose its right to write: it asks before each change, and reads freely. */
import type { Clock } from '../shared/clock.ts'
import type { Result } from '../shared/result.ts'
import { type StorageBackend, UNCHANGED } from './storage-backend.ts'

/** `until`: epoch milliseconds, the last moment at which nobody else takes that right without being asked. An error: the right is lost. */
export type MayWrite = () => Promise<Result<{ readonly until: number }>>

/**
 * A change for which the time was over when it came to be made, as in a process that was stopped meanwhile, asks again. Where the right is called off early, a change
 * that is being made then is still made, and so is a move. Closing leaves `backend` open.
 */
export const fencedBackend = (backend: StorageBackend, mayWrite: MayWrite, clock: Clock): StorageBackend => ({
  read: (path) => backend.read(path),
  list: (prefix) => backend.list(prefix),
  async update(path, change) {
    for (;;) {
      const allowed = await mayWrite()
      if (!allowed.ok) return allowed
      let isLate = false
      const updated = await backend.update(path, (current) => {
        isLate = clock() > allowed.value.until
        return isLate ? UNCHANGED : change(current)
      })
      if (!isLate) return updated
    }
  },
  async move(fromPrefix, toPrefix) {
    const allowed = await mayWrite()
    return allowed.ok ? backend.move(fromPrefix, toPrefix) : allowed
  },
  close: async () => {},
})
