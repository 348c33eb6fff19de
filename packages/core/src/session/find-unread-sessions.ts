/** Looks through all session records of a home for turns that no review has read, for a home that was not told of them. */
import type { SavedCounts } from '../nudge/review-state.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'
import { countsOf, sessionPath, sessionRecordSchema } from './session-record.ts'

/** A record that cannot be read is told to `onProblem`, and left out. */
export const findUnreadSessions = async (
  storage: StorageBackend,
  onProblem: (problem: HermesError) => void,
): Promise<Result<readonly SavedCounts[]>> => {
  const listed = await storage.list(SESSIONS_FOLDER)
  if (!listed.ok) return listed
  const found: SavedCounts[] = []
  for (const { path } of listed.value) {
    // The folder also holds markers, and copies of records that were broken.
    if (path.split('/').length !== 2 || path.startsWith(`${SESSIONS_FOLDER}/.`)) continue
    const read = await readJsonDocument(storage, path, sessionRecordSchema)
    if (!read.ok) onProblem(read.error)
    else if (read.value && read.value.unread.length > 0 && sessionPath(read.value.id) === path) found.push(countsOf(read.value))
  }
  return ok(found)
}
