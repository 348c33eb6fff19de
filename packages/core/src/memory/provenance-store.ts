/** Reads and writes the provenance records. Without a file and without a source nothing is hashed and nothing is written. */
import type { Clock } from '../shared/clock.ts'
import type { Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { PROVENANCE_PATH } from '../storage/storage-paths.ts'
import type { MemoryTarget } from './memory-op.ts'
import type { PlannedChange } from './plan-change.ts'
import {
  EMPTY_PROVENANCE,
  type EntryOrigin,
  fingerprintText,
  type MemorySource,
  nextProvenance,
  type ProvenanceFile,
  provenanceFileSchema,
} from './provenance.ts'

export type EntryOrigins = ReadonlyMap<string, EntryOrigin>

export const readProvenance = (storage: StorageBackend): Promise<Result<ProvenanceFile | undefined>> =>
  readJsonDocument(storage, PROVENANCE_PATH, provenanceFileSchema)

/** The origin of each entry. Without a file all are `external`; where it cannot be read, none is trusted: all count as `tool`. */
export const lookUpOrigins = async (
  provenance: Result<ProvenanceFile | undefined>,
  target: MemoryTarget,
  entries: readonly string[],
): Promise<EntryOrigins> => {
  if (!provenance.ok) return new Map(entries.map((entry) => [entry, 'tool']))
  const records = provenance.value?.[target] ?? {}
  if (Object.keys(records).length === 0) return new Map(entries.map((entry) => [entry, 'external']))
  const origins = await Promise.all(
    entries.map(async (entry) => [entry, records[await fingerprintText(entry)]?.origin ?? 'external'] as const),
  )
  return new Map(origins)
}

export interface RecordedWrite {
  readonly target: MemoryTarget
  readonly before: readonly string[]
  readonly planned: PlannedChange
  readonly source?: MemorySource | undefined
}

/**
 * To be called before the entries are written: a process killed in between then leaves a record without an entry, never a text from
 * outside without its record. A corrupt file is `unreadable` and stops the write. Resolves to the file as it is afterwards.
 */
export const recordProvenance = async (
  storage: StorageBackend,
  clock: Clock,
  { target, before, planned, source }: RecordedWrite,
): Promise<Result<ProvenanceFile | undefined>> => {
  if (!source) {
    const file = await readProvenance(storage)
    if (!file.ok || !file.value) return file
  }
  const fingerprints = (texts: readonly string[]) => Promise.all(texts.map(fingerprintText))
  const [present, confirmed, previous] = await Promise.all([
    fingerprints(before),
    fingerprints(planned.confirmed),
    fingerprints(planned.previous),
  ])
  const change = { target, source, at: clock(), present: new Set(present), confirmed, previous }
  return updateJsonDocument(
    storage,
    PROVENANCE_PATH,
    provenanceFileSchema,
    (current) => nextProvenance(current ?? EMPTY_PROVENANCE, change) ?? UNCHANGED,
  )
}
