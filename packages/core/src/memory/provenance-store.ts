/** Reads and writes the provenance records. Without a file and without a source nothing is hashed or written. */
import type { Clock } from '../shared/clock.ts'
import { ok, type Result } from '../shared/result.ts'
import { type LastValue, readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { PROVENANCE_PATH } from '../storage/storage-paths.ts'
import type { EntryFacts, EntryOrigin } from './entry-facts.ts'
import { type Fingerprints, fingerprintsOf } from './fingerprints.ts'
import type { MemoryTarget } from './memory-op.ts'
import type { PlannedChange } from './plan-change.ts'
import { EMPTY_PROVENANCE, nextProvenance, type ProvenanceFile, provenanceFileSchema, type RecordedSource } from './provenance.ts'

export type EntryOrigins = ReadonlyMap<string, EntryOrigin>

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
  if (Object.keys(records).length === 0) return texts.map((entry) => ({ entry, ...nothing }))
  const names = await fingerprints(texts)
  return texts.map((entry, index) => {
    const record = records[names[index] ?? '']
    const { origin, firstSeenAt, lastConfirmedAt } = record ?? nothing
    return { entry, origin, firstSeenAt, lastConfirmedAt, ...(record?.pinned ? { pinned: true as const } : {}) }
  })
}

/** The origin of each entry, by `lookUpFacts`. */
export const lookUpOrigins = async (
  provenance: Result<ProvenanceFile | undefined>,
  target: MemoryTarget,
  entries: readonly string[],
  fingerprints?: Fingerprints,
): Promise<EntryOrigins> =>
  new Map((await lookUpFacts(provenance, target, entries, fingerprints)).map(({ entry, origin }) => [entry, origin]))

export interface ReadEntries {
  readonly target: MemoryTarget
  readonly entries: readonly string[]
}

export interface ProvenanceSource {
  readonly storage: StorageBackend
  readonly last: LastProvenance
  readonly fingerprints: Fingerprints
}

/**
 * The provenance of entries that were read at the same time as `early`: read again if an entry has no record there. An entry that was
 * written in between has its record by now; without it, a text from outside would be shown as written by hand.
 */
export const provenanceBehind = async (
  early: Result<ProvenanceFile | undefined>,
  read: readonly ReadEntries[],
  { storage, last, fingerprints }: ProvenanceSource,
): Promise<Result<ProvenanceFile | undefined>> => {
  const origins = await Promise.all(read.map(({ target, entries }) => lookUpOrigins(early, target, entries, fingerprints)))
  return origins.some((each) => [...each.values()].includes('external')) ? readProvenance(storage, last) : early
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
