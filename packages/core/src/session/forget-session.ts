/** Removes what is kept of a session: its record, with what no review has read, and copies of records that could not be read. */
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { sessionPath } from './session-record.ts'
import { isCopyOf, UNREADABLE_FOLDER } from './unreadable-copy.ts'

/** Whether a document is the record of a session, or an unreadable copy of it. */
export const isOfSession = (path: string, id: string): boolean => path === sessionPath(id) || isCopyOf(path, sessionPath(id))

/** Removing what is not there is fine. */
export const removeSession = async (storage: StorageBackend, id: string): Promise<Result<void>> => {
  const path = sessionPath(id)
  const copies = await storage.list(UNREADABLE_FOLDER)
  if (!copies.ok) return copies
  const paths = [path, ...copies.value.map((copy) => copy.path).filter((copy) => isCopyOf(copy, path))]
  for (const each of paths) {
    const removed = await storage.update(each, () => undefined)
    if (!removed.ok) return removed
  }
  return ok(undefined)
}
