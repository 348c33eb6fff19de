/** Merges the usage sidecar after a rollback: lifecycle from the backup, counters and pins from the present. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { StorageBackend, StoredDocument } from '../../storage/storage-backend.ts'
import { readStoredRecord, writeStoredRecord } from '../../usage/stored-record.ts'
import type { UsageRecord, UsageRecordInput } from '../../usage/usage-record.ts'
import { applyState } from '../../usage/usage-record.ts'
import { decodeSidecar, USAGE_PATH, type UsageSidecar, updateSidecar } from '../../usage/usage-sidecar.ts'
import { keepReplaced } from './rollback-put.ts'

const MAX_ATTEMPTS = 5

/** 0 means never, even beside times before 1970. */
const later = (a: number, b: number): number => (a === 0 || b === 0 ? a || b : Math.max(a, b))

/** Pins are set by a person, so a rollback keeps them. */
const mergeRecords = (then: UsageRecord, now: UsageRecord): UsageRecordInput => ({
  ...now,
  createdBy: then.createdBy,
  createdByModel: then.createdByModel,
  patchedByModel: then.patchedByModel,
  state: then.state,
  archivedAt: then.archivedAt,
  createdAt: then.createdAt || now.createdAt,
  pinned: then.pinned || now.pinned,
  useCount: Math.max(then.useCount, now.useCount),
  viewCount: Math.max(then.viewCount, now.viewCount),
  patchCount: Math.max(then.patchCount, now.patchCount),
  lastUsedAt: later(then.lastUsedAt, now.lastUsedAt),
  lastViewedAt: later(then.lastViewedAt, now.lastViewedAt),
  lastPatchedAt: later(then.lastPatchedAt, now.lastPatchedAt),
  patchGeneration: Math.max(then.patchGeneration, now.patchGeneration),
  lastReusedPatchGeneration: Math.max(then.lastReusedPatchGeneration, now.lastReusedPatchGeneration),
  restoredAt: later(then.restoredAt, now.restoredAt),
  misjudgements: Math.max(then.misjudgements, now.misjudgements),
  successCount: Math.max(then.successCount, now.successCount),
  correctionCount: Math.max(then.correctionCount, now.correctionCount),
})

/** Keeps the records of both sides. Idempotent. Pure. */
export const mergeUsage = (then: UsageSidecar, now: UsageSidecar): UsageSidecar => {
  if (then.size === 0) return now
  const merged = new Map(now)
  for (const [name, stored] of then) {
    const current = now.get(name)
    const recordThen = readStoredRecord(stored)
    const recordNow = readStoredRecord(current)
    if (!recordThen) merged.set(name, current ?? stored)
    else if (!recordNow) merged.set(name, stored)
    else merged.set(name, writeStoredRecord({ ...Object(stored), ...Object(current) }, mergeRecords(recordThen, recordNow)))
  }
  return merged
}

/** Returns the same map if none of the skills has a record: nothing is written then. */
const markArchived = (sidecar: UsageSidecar, names: ReadonlySet<string>, at: number): UsageSidecar => {
  const marked = [...names].flatMap((name): (readonly [string, unknown])[] => {
    const stored = sidecar.get(name)
    const record = readStoredRecord(stored)
    return record ? [[name, writeStoredRecord(stored, applyState(record, 'archived', at))]] : []
  })
  return marked.length === 0 ? sidecar : new Map([...sidecar, ...marked])
}

export interface UsageRollback {
  /** Bytes of the sidecar in the backup. */
  readonly then: Uint8Array | undefined
  /** Names of skills that this rollback has archived. */
  readonly archived: ReadonlySet<string>
  readonly startedAt: number
  /** For a corrupt sidecar: see `replacedName`. */
  readonly folder: string
}

/**
 * If the present sidecar is corrupt, it is set aside and replaced by that of the backup. If the sidecar in the backup is corrupt, it is
 * skipped and returned as the problem.
 */
export const restoreUsage = async (
  storage: StorageBackend,
  { then, archived, startedAt, folder }: UsageRollback,
): Promise<Result<HermesError | undefined>> => {
  const decoded = decodeSidecar(then && { bytes: then })
  const before: UsageSidecar = decoded.ok ? decoded.value : new Map()
  const problem = decoded.ok
    ? undefined
    : new HermesError('unreadable', `'${USAGE_PATH}' was corrupt in the backup already and stays as it is now.`, { cause: decoded.error })
  if (before.size === 0 && archived.size === 0) return ok(problem)
  let replaceable: StoredDocument | undefined
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const updated = await updateSidecar(storage, (now) => markArchived(mergeUsage(before, now), archived, startedAt), replaceable)
    if (!updated.ok) return updated
    if (!updated.value.corrupt) return ok(problem)
    const kept = await keepReplaced(storage, USAGE_PATH, updated.value.document, folder)
    if (!kept.ok) return kept
    replaceable = updated.value.document
  }
  return err(new HermesError('unreadable', `'${USAGE_PATH}' keeps becoming corrupt. Find the program that writes it.`))
}
