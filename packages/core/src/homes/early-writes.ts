/** Writes that resolve before the owner of the home is checked, for a caller with more to do meanwhile: with a database, the check is a round trip. */
import { ok, type Result } from '../shared/result.ts'
import { guardedBackend } from '../storage/guarded-backend.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'

export interface EarlyWrites {
  /** The documents of the home. An update resolves once it is written; the owner is checked behind it. */
  readonly storage: StorageBackend
  /** Resolves when the owner was checked after every update so far. Fails, with `closed`, if the owner was erased: what was written is then removed. */
  checked(): Promise<Result<void>>
}

/** `early` is undefined if the home has no owner who can be erased. */
export interface HomeStorage extends StorageBackend {
  readonly early?: EarlyWrites
}

export const earlyWritesOf = (storage: HomeStorage): EarlyWrites => ({
  storage: guardedBackend(storage.early?.storage ?? storage),
  checked: async () => storage.early?.checked() ?? ok(undefined),
})
