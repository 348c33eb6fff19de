/**
 * The write-ahead journal of a change of many documents: written before the first change and removed after the last, so that an
 * interrupted change is finished or undone at the next start. Used by runs, merges and rollbacks.
 */

import { ok, type Result } from '../shared/result.ts'
import { type LimitedSchema, readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'

export const writeAhead = <T>(path: string, schema: LimitedSchema<T>) => {
  const ownOf = (current: T | undefined, isOwn: (current: T) => boolean): T | undefined =>
    current !== undefined && isOwn(current) ? current : undefined
  return {
    /** `undefined` if nothing is in progress or unfinished. */
    read: (storage: StorageBackend): Promise<Result<T | undefined>> => readJsonDocument(storage, path, schema),
    /** Returns the entry that already exists; `undefined`: this one was written. */
    open: async (storage: StorageBackend, entry: T): Promise<Result<T | undefined>> => {
      let first: T | undefined
      const written = await updateJsonDocument(storage, path, schema, (current) => {
        first = current
        return current === undefined ? entry : UNCHANGED
      })
      return written.ok ? ok(first) : written
    },
    /**
     * `change` returns the next entry, or the current one for no change. Returns the stored entry; `undefined` if it is gone or not own.
     */
    advance: async (storage: StorageBackend, isOwn: (current: T) => boolean, change: (current: T) => T): Promise<Result<T | undefined>> => {
      const written = await updateJsonDocument(storage, path, schema, (current) => {
        const own = ownOf(current, isOwn)
        const next = own === undefined ? own : change(own)
        return next === undefined || next === own ? UNCHANGED : next
      })
      return written.ok ? ok(ownOf(written.value, isOwn)) : written
    },
    /** Does nothing if the entry is gone or not own. */
    close: async (storage: StorageBackend, isOwn: (current: T) => boolean): Promise<Result<void>> => {
      const written = await updateJsonDocument(storage, path, schema, (current) =>
        ownOf(current, isOwn) === undefined ? UNCHANGED : undefined,
      )
      return written.ok ? ok(undefined) : written
    },
  }
}
