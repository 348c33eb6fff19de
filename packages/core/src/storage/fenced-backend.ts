/** A back end for work that may lose its right to write: checks the right before each change; reads are not checked. */
import type { Clock } from '../shared/clock.ts'
import type { Result } from '../shared/result.ts'
import type { StorageBackend } from './storage-backend.ts'

/** `until`: epoch milliseconds until which nobody else takes the right. An error: the right is lost. */
export type MayWrite = () => Promise<Result<{ readonly until: number }>>

/** Thrown out of a plan, so that nothing is written. */
class Late extends Error {}

/**
 * If `until` has passed when an update is to be made, as after a suspension, the right is checked again. If the right is revoked early, an
 * update in progress is still made. Closing does not close `backend`.
 */
export const fencedBackend = (backend: StorageBackend, mayWrite: MayWrite, clock: Clock): StorageBackend => ({
  read: (paths) => backend.read(paths),
  list: (prefix) => backend.list(prefix),
  async update(paths, plan, options) {
    for (;;) {
      const allowed = await mayWrite()
      if (!allowed.ok) return allowed
      try {
        return await backend.update(
          paths,
          (cut) => {
            if (clock() > allowed.value.until) throw new Late()
            return plan(cut)
          },
          options,
        )
      } catch (cause) {
        if (!(cause instanceof Late)) throw cause
      }
    }
  },
  close: async () => {},
})
