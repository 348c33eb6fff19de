/** A back end for work that may lose its right to write: checks the right before each change; reads are not checked. */
import type { Clock } from '../shared/clock.ts'
import type { Result } from '../shared/result.ts'
import { type StorageBackend, UNCHANGED } from './storage-backend.ts'

/** `until`: epoch milliseconds until which nobody else takes the right. An error: the right is lost. */
export type MayWrite = () => Promise<Result<{ readonly until: number }>>

/**
 * If `until` has passed when a change is to be made, as after a suspension, the right is checked again. If the right is revoked early, a
 * change or move in progress is still made. Closing does not close `backend`.
 */
export const fencedBackend = (backend: StorageBackend, mayWrite: MayWrite, clock: Clock): StorageBackend => ({
  read: (path) => backend.read(path),
  list: (prefix) => backend.list(prefix),
  async update(path, change, options) {
    for (;;) {
      const allowed = await mayWrite()
      if (!allowed.ok) return allowed
      let isLate = false
      const unlessLate: typeof change = (current) => {
        isLate = clock() > allowed.value.until
        return isLate ? UNCHANGED : change(current)
      }
      const updated = await backend.update(path, unlessLate, options)
      if (!isLate) return updated
    }
  },
  async move(fromPrefix, toPrefix) {
    const allowed = await mayWrite()
    return allowed.ok ? backend.move(fromPrefix, toPrefix) : allowed
  },
  close: async () => {},
})
