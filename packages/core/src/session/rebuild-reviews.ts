/** Rebuilds the review state of a home from its session records. */
import { newReviewState, noteSession, REVIEW_STATE_PATH, reviewStateSchema, type SavedCounts } from '../nudge/review-state.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { jsonBytes, readableJsonIn, readJsonDocument } from '../storage/json-document.ts'
import { orError } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'
import type { SessionHome } from './session-home.ts'
import { countsOf, sessionPath, unreadableCopy } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'

/** Unread sessions by their records, for a review state that was lost. A record that cannot be read is skipped, and `onProblem` is called. */
export const findUnreadSessions = async (
  storage: StorageBackend,
  onProblem: (problem: HermesError) => void,
): Promise<Result<readonly SavedCounts[]>> => {
  const listed = await storage.list(SESSIONS_FOLDER)
  if (!listed.ok) return listed
  const found: SavedCounts[] = []
  for (const { path } of listed.value) {
    // The folder also holds markers and copies of broken records.
    if (path.split('/').length !== 2 || path.startsWith(`${SESSIONS_FOLDER}/.`)) continue
    const read = await readJsonDocument(storage, path, sessionRecordSchema)
    if (!read.ok) onProblem(read.error)
    else if (read.value && read.value.unread.length > 0 && sessionPath(read.value.id) === path) found.push(countsOf(read.value))
  }
  return ok(found)
}

/** A broken state is moved aside. Nothing is written if nothing is unread, or if another process was faster. */
export const rebuildReviews = async (
  { storage, clock }: Pick<SessionHome, 'storage' | 'clock'>,
  failed: (operation: string, error: HermesError) => void,
): Promise<Result<void>> => {
  const read = await findUnreadSessions(storage, (problem) => failed('load session', problem))
  if (!read.ok) return read
  const found = read.value
  const at = clock()
  const copy = unreadableCopy(REVIEW_STATE_PATH, at)
  const state = found.reduce((next, counts) => noteSession(next, counts, at), newReviewState(at))
  return orError(() =>
    storage.update([REVIEW_STATE_PATH, copy], (cut) => {
      const broken = cut.document(REVIEW_STATE_PATH)
      // Another process may have rebuilt it meanwhile.
      const isThere = readableJsonIn(cut, REVIEW_STATE_PATH, reviewStateSchema) !== undefined
      if (isThere || (!broken && found.length === 0)) return { value: undefined }
      const rebuilt = { [REVIEW_STATE_PATH]: jsonBytes(REVIEW_STATE_PATH, state, reviewStateSchema) }
      return { put: { ...rebuilt, ...(broken ? { [copy]: broken } : {}) }, value: undefined }
    }),
  )
}
