/** Reads session records that are there already, and creates one where more than a free name is needed. */
import type { TurnCounts } from '../nudge/nudge-intervals.ts'
import { ok, type Result } from '../shared/result.ts'
import { jsonBytes, jsonIn, readableJsonIn, readJsonDocument } from '../storage/json-document.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut, StorageBackend } from '../storage/storage-backend.ts'
import { type CountingHome, HomeCounts } from './home-counts.ts'
import { countsOf, type SessionRecord, sessionPath } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'
import { withinLimit } from './within-limit.ts'

export const recordIn = (cut: Cut, path: string): Promise<Result<SessionRecord | undefined>> =>
  orError(async () => ok(jsonIn(cut, path, sessionRecordSchema)))

export const readRecord = (storage: StorageBackend, path: string): Promise<Result<SessionRecord | undefined>> =>
  readJsonDocument(storage, path, sessionRecordSchema)

/**
 * The record as stored after one durable update, which also counts turns that were before it: if another process created the session first, its text is used; a
 * broken record is moved to `copy`. `undefined` if the storage does not answer in time.
 */
export const createRecord = async (
  home: CountingHome,
  begun: SessionRecord,
  { copy, reviewed }: { readonly copy?: string; readonly reviewed: TurnCounts | undefined },
) => {
  const { storage, options } = home
  const counts = new HomeCounts(home)
  const path = sessionPath(begun.id)
  const plan = (cut: Cut) => {
    const found = copy === undefined ? jsonIn(cut, path, sessionRecordSchema) : readableJsonIn(cut, path, sessionRecordSchema)
    if (found) return { value: { record: found, isOurs: false } }
    const broken = copy === undefined ? undefined : cut.document(path)
    const put = { [path]: jsonBytes(path, begun, sessionRecordSchema), ...(copy !== undefined && broken ? { [copy]: broken } : {}) }
    return { put, value: { record: begun, isOurs: true } }
  }
  const paths = [path, ...(copy === undefined ? [] : [copy])]
  const isCounted = reviewed !== undefined && begun.userTurns > 0
  const written = isCounted
    ? counts.update(paths, (state, cut) => {
        const planned = plan(cut)
        return planned.value.isOurs
          ? { ...planned, state: counts.askAfterTurn(state, { ...countsOf(begun), reviewed }, 0, begun.createdAt).state }
          : planned
      })
    : orError(() => storage.update(paths, plan))
  return withinLimit(written, Math.ceil(options.loadTimeoutMs / 4))
}
