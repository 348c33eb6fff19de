/** Loads a session's record, or starts one with newly frozen text. */

import { hydrateCount, type NudgeIntervals } from '../nudge/turn-counts.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { moveDocuments, UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { SessionCheckpoint } from './session.ts'
import { newSessionRecord, type SessionRecord, sessionPath, sessionRecordSchema, unreadableCopy, withReviewed } from './session-record.ts'
import { withinLimit } from './within-limit.ts'

export interface LoadRecordOptions {
  readonly id: string
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly intervals: NudgeIntervals
  /** Used if the storage has no record: its text, if any, stays frozen, and its counts continue. */
  readonly checkpoint?: SessionCheckpoint | undefined
  /** Milliseconds that the first prompt of a new session waits for its record to be written, so that processes that start it at once share one text. */
  readonly settleLimitMs: number
  /** The id was made up for this session, so a record is unlikely: the text is read while the record is looked for. */
  readonly isNew?: boolean | undefined
  /** Reads the stores and renders the text to freeze. */
  readonly freeze: () => Promise<string>
}

export interface LoadedRecord {
  readonly loaded: SessionRecord
  /** Started here, not found in the storage. */
  readonly isOurs: boolean
  /** Known to be in the storage. */
  readonly isWritten: boolean
  readonly fromCheckpoint: boolean
  /** Why the record could not be read. An invalid record was moved aside, and a new one begins. */
  readonly problem?: HermesError
}

/** A new record, or one that continues the framework's checkpoint. */
const beginRecord = async ({ id, checkpoint, clock, freeze, intervals }: LoadRecordOptions): Promise<SessionRecord> => {
  if (checkpoint === undefined) return newSessionRecord(id, await freeze(), clock())
  const { userTurns, toolIterations } = checkpoint
  const isFrozenAnew = checkpoint.block === undefined && userTurns > 0
  const begun = {
    ...newSessionRecord(id, checkpoint.block ?? (await freeze()), clock()),
    userTurns,
    iterations: toolIterations,
    ...(isFrozenAnew ? { changed: { times: 1, at: clock(), turns: userTurns } } : {}),
  }
  return withReviewed(
    begun,
    userTurns - hydrateCount(userTurns, intervals.memoryInterval),
    toolIterations - hydrateCount(toolIterations, intervals.skillInterval),
  )
}

/**
 * The record as stored after the write: if another process created the session first, its text is used. `undefined` if the storage does not answer in time. Other
 * processes have to see the write, but unless `durable`, a power cut may take it back: the text is then frozen anew. The save behind the first turn is durable.
 */
const settleRecord = async (path: string, begun: SessionRecord, durable: boolean, { storage, settleLimitMs }: LoadRecordOptions) => {
  let isOurs = false
  const visible: Pick<StorageBackend, 'update'> = { update: (paths, plan) => storage.update(paths, plan, { durable }) }
  const written = updateJsonDocument(visible, path, sessionRecordSchema, (current) => {
    isOurs = current === undefined
    return isOurs ? begun : UNCHANGED
  })
  const settled = await withinLimit(written, settleLimitMs)
  return settled?.ok && settled.value ? { record: settled.value, isOurs } : undefined
}

/** Moves an unreadable record aside, so that a person can look at it. */
const moveAside = async (problem: HermesError, path: string, { storage, clock }: LoadRecordOptions): Promise<HermesError> => {
  const copy = unreadableCopy(path, clock())
  const moved = await moveDocuments(storage, path, copy)
  const what = moved.ok
    ? `It was moved to '${copy}', and the session starts again.`
    : `It could not be moved out of the way, so nothing of this session is saved: ${moved.error.message}`
  const { cause, details } = problem
  return new HermesError('unreadable', `The record of the session, '${path}', ${String(details['why'] ?? 'cannot be read')}. ${what}`, {
    cause,
    details,
  })
}

/** If a record is found, nobody waits for the text. */
const startFreezing = (freeze: () => Promise<string>): (() => Promise<string>) => {
  const text = freeze()
  text.catch(() => undefined)
  return () => text
}

export const loadRecord = async (options: LoadRecordOptions): Promise<LoadedRecord> => {
  const { id, storage, checkpoint } = options
  const path = sessionPath(id)
  const freeze = options.isNew && checkpoint?.block === undefined ? startFreezing(options.freeze) : options.freeze
  const found = await readJsonDocument(storage, path, sessionRecordSchema)
  if (found.ok && found.value) return { loaded: found.value, isOurs: false, isWritten: true, fromCheckpoint: false }
  const isBroken = !found.ok && found.error.code === 'unreadable'
  const problem = found.ok ? undefined : isBroken ? await moveAside(found.error, path, options) : found.error
  const begun = await beginRecord({ ...options, freeze })
  // What was said before is unknown, so it counts as text from outside, for later processes too.
  const first = problem ? { ...begun, tainted: true } : begun
  // If the storage cannot even be read, do not wait for a write. What follows a broken record must not be lost: it says that text from outside was in sight.
  const settled = found.ok || isBroken ? await settleRecord(path, first, isBroken, options) : undefined
  const isOurs = settled?.isOurs !== false
  const loaded = settled?.record ?? first
  return {
    loaded: problem ? { ...loaded, tainted: true } : loaded,
    isOurs,
    isWritten: settled !== undefined,
    fromCheckpoint: isOurs && checkpoint !== undefined,
    ...(problem ? { problem } : {}),
  }
}
