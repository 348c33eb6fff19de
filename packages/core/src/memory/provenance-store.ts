/** Reads and writes the provenance records. Without a file and without a source nothing is hashed or written. */

import type { Clock } from '../shared/clock.ts'
import { mapInSlices } from '../shared/map-in-slices.ts'
import { ok, type Result } from '../shared/result.ts'
import { type LastValue, readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { PROVENANCE_PATH } from '../storage/storage-paths.ts'
import type { EntryFacts } from './entry-facts.ts'
import { type Fingerprints, fingerprintsOf } from './fingerprints.ts'
import type { MemoryTarget } from './memory-op.ts'
import type { PlannedChange } from './plan-change.ts'
import { EMPTY_PROVENANCE, nextProvenance, type ProvenanceFile, provenanceFileSchema, type RecordedSource } from './provenance.ts'

export type LastProvenance = LastValue<ProvenanceFile>

export const readProvenance = (storage: StorageBackend, last?: LastProvenance): Promise<Result<ProvenanceFile | undefined>> =>
  readJsonDocument(storage, PROVENANCE_PATH, provenanceFileSchema, last)

/** As it was last read or written, if it is known; for callers that compare it with the present one later. */
export const recentProvenance = async (storage: StorageBackend, last?: LastProvenance): Promise<Result<ProvenanceFile | undefined>> =>
  last?.known ? ok(last.known.value) : readProvenance(storage, last)

/**
 * The facts about each text. Unrecorded texts are `external` with unknown times; if the records are unreadable, all texts count as
 * `tool`.
 */
export const lookUpFacts = async (
  provenance: Result<ProvenanceFile | undefined>,
  target: MemoryTarget,
  texts: readonly string[],
  fingerprints: Fingerprints = fingerprintsOf,
): Promise<readonly EntryFacts[]> => {
  const nothing = { origin: provenance.ok ? 'external' : 'tool', firstSeenAt: 0, lastConfirmedAt: 0 } as const
  const records = provenance.ok ? (provenance.value?.[target] ?? {}) : {}
  const hasRecords = Object.keys(records).length > 0
  return mapInSlices(texts, async (slice) => {
    const names = hasRecords ? await fingerprints(slice) : []
    return slice.map((entry, index): EntryFacts => {
      const record = records[names[index] ?? '']
      const { origin, firstSeenAt, lastConfirmedAt } = record ?? nothing
      return { entry, origin, firstSeenAt, lastConfirmedAt, ...(record?.pinned ? { pinned: true } : {}) }
    })
  })
}

export interface RecordedWrite {
  readonly target: MemoryTarget
  readonly before: readonly string[]
  readonly planned: PlannedChange
  readonly source?: RecordedSource | undefined
  readonly fingerprints?: Fingerprints | undefined
  readonly lastProvenance?: LastProvenance | undefined
}

/**
 * Call it before the entries are written: a process killed in between leaves a record without an entry, never a text from outside without
 * its record. A corrupt file is `unreadable` and stops the write. Returns the file as it is afterwards.
 */
export const recordProvenance = async (
  storage: StorageBackend,
  clock: Clock,
  { target, before, planned, source, fingerprints = fingerprintsOf, lastProvenance }: RecordedWrite,
): Promise<Result<ProvenanceFile | undefined>> => {
  if (!source) {
    const file = await readProvenance(storage, lastProvenance)
    if (!file.ok || !file.value) return file
  }
  const [present, confirmed, previous] = await Promise.all([
    fingerprints(before),
    fingerprints(planned.confirmed),
    fingerprints(planned.previous),
  ])
  const replaced = await fingerprints([...planned.replacements.keys()])
  const replacing = await fingerprints([...planned.replacements.values()])
  const replacements = replaced.map((name, index) => [name, replacing[index] ?? ''] as const)
  const change = { target, source, at: clock(), present: new Set(present), confirmed, previous, replacements }
  return updateJsonDocument(
    storage,
    PROVENANCE_PATH,
    provenanceFileSchema,
    (current) => nextProvenance(current ?? EMPTY_PROVENANCE, change) ?? UNCHANGED,
    lastProvenance,
  )
}
