/** Imports the usage records of new skills. Other records stay unchanged. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readStoredRecord, writeStoredRecord } from '../usage/stored-record.ts'
import { checkUsageName, NO_TEXTS, type UsageRecord } from '../usage/usage-record.ts'
import { decodeSidecar, USAGE_PATH, updateSidecar } from '../usage/usage-sidecar.ts'
import type { ImportContext } from './import-context.ts'
import { isTime } from './newest-record.ts'

export type ExportedUsage = ReadonlyMap<string, UsageRecord>

const isSound = (record: UsageRecord): boolean =>
  [record.lastUsedAt, record.lastViewedAt, record.lastPatchedAt, record.createdAt, record.archivedAt, record.restoredAt].every(isTime)

/** Records by skill name, without those that are malformed or have an invalid time. */
export const readExportedUsage = ({ contents, trusted }: ImportContext): Result<ExportedUsage> => {
  const bytes = contents.get(USAGE_PATH)?.bytes
  const sidecar = decodeSidecar(bytes && { bytes })
  if (!sidecar.ok) return err(new HermesError('unreadable', 'It cannot be read, so skills are imported without their usage records.'))
  const records = [...sidecar.value].flatMap(([name, stored]): (readonly [string, UsageRecord])[] => {
    const record = readStoredRecord(stored)
    const believed = trusted || !record ? record : { ...record, createdBy: null, ownTexts: NO_TEXTS }
    return believed && checkUsageName(name).ok && isSound(believed) ? [[name, believed]] : []
  })
  return ok(new Map(records))
}

/** Must be called before the skill is written, so that an existing skill never gets a record from an archive. `unreadable` if the sidecar of this home is corrupt. */
export const bringUsage = async ({ storage }: ImportContext, usage: ExportedUsage, name: string): Promise<Result<void>> => {
  const record = usage.get(name)
  if (!record) return ok(undefined)
  const updated = await updateSidecar(storage, (sidecar) =>
    sidecar.has(name) ? sidecar : new Map([...sidecar, [name, writeStoredRecord(undefined, record)]]),
  )
  if (!updated.ok) return updated
  return updated.value.corrupt ? err(updated.value.error) : ok(undefined)
}
