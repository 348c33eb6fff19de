/**
 * The journal of a change of many documents: written before the first change and gone after the last, so that what was interrupted is
 * finished or taken back at the next start. Runs, merges and rollbacks each have one.
 */
import { ok, type Result } from '../shared/result.ts'
import { type LimitedSchema, readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'

export const writeAhead = <T>(path: string, schema: LimitedSchema<T>) => {
  const ownOf = (current: T | undefined, isOwn: (current: T) => boolean): T | undefined =>
    current !== undefined && isOwn(current) ? current : undefined
  return {
    /** `undefined` where nothing is under way or unfinished. */
    read: (storage: StorageBackend): Promise<Result<T | undefined>> => readJsonDocument(storage, path, schema),
    /** Answers the entry that was there first; `undefined`: this one is written. */
    open: async (storage: StorageBackend, entry: T): Promise<Result<T | undefined>> => {
      let first: T | undefined
      const written = await updateJsonDocument(storage, path, schema, (current) => {
        first = current
        return current === undefined ? entry : UNCHANGED
      })
      return written.ok ? ok(first) : written
    },
    /** `change` answers the next entry, or the current one to leave it. Answers what is there then; `undefined` where it is gone or another's. */
    advance: async (storage: StorageBackend, isOwn: (current: T) => boolean, change: (current: T) => T): Promise<Result<T | undefined>> => {
      const written = await updateJsonDocument(storage, path, schema, (current) => {
        const own = ownOf(current, isOwn)
        const next = own === undefined ? own : change(own)
        return next === undefined || next === own ? UNCHANGED : next
      })
      return written.ok ? ok(ownOf(written.value, isOwn)) : written
    },
    /** Does nothing where it is gone or another's. */
    close: async (storage: StorageBackend, isOwn: (current: T) => boolean): Promise<Result<void>> => {
      const written = await updateJsonDocument(storage, path, schema, (current) =>
        ownOf(current, isOwn) === undefined ? UNCHANGED : undefined,
      )
      return written.ok ? ok(undefined) : written
    },
  }
}
