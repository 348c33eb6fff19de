/** A storage that cannot write some documents, whatever else an update writes. */
import type { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

export const unwritableStorage = (
  inner: StorageBackend,
  isBroken: (path: string) => boolean,
  failureOf: (paths: readonly string[]) => HermesError,
): StorageBackend => ({
  ...inner,
  update: async (paths, plan, options) => {
    const failure = failureOf(paths)
    try {
      return await inner.update(
        paths,
        (cut) => {
          const planned = plan(cut)
          const written = [...Object.keys({ ...planned.put, ...planned.append }), ...(planned.move ?? []).flat()]
          if (written.some(isBroken)) throw failure
          return planned
        },
        options,
      )
    } catch (cause) {
      if (cause === failure) return err(failure)
      throw cause
    }
  },
})
