/** Replaces records of origins that cannot be read: the damaged file is kept as a copy, and what is known of each entry is written anew. */

import { canonicalJson } from '../shared/canonical-json.ts'
import type { Clock } from '../shared/clock.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { keepCopy } from '../storage/keep-copy.ts'
import { readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { PROVENANCE_PATH } from '../storage/storage-paths.ts'
import type { EntryDates } from './entry-facts.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { readMemoryFile } from './memory-file.ts'
import { MEMORY_TARGETS, type MemoryTarget } from './memory-op.ts'
import { EMPTY_PROVENANCE, type ProvenanceFile, type ProvenanceRecord } from './provenance.ts'
import { readProvenance } from './provenance-store.ts'

/** What is known of an entry, such as from the journal. */
export interface KnownOrigin {
  /** `external` for an entry that was written by hand. Undefined: it counts as one from outside. */
  readonly dates?: EntryDates | undefined
  readonly pinned?: true | undefined
}

export interface OriginRepair {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly known: (target: MemoryTarget, entry: string) => KnownOrigin
}

export interface RepairedOrigins {
  /** Document path of the damaged file's copy. */
  readonly copy: string
  /** Number of entries whose origin is known. */
  readonly known: number
  /** Number of entries that count as from outside from now on. */
  readonly unknown: number
}

const toRecord = ({ dates, pinned }: KnownOrigin, at: number): ProvenanceRecord | undefined => {
  if (dates?.origin === 'external' && !pinned) return undefined
  const { origin, firstSeenAt, lastConfirmedAt } = dates ?? { origin: 'tool', firstSeenAt: at, lastConfirmedAt: at }
  return { origin, firstSeenAt, lastConfirmedAt, recordedAt: at, ...(pinned ? { pinned } : {}) }
}

/** Undefined if the records can be read. Fails, and changes nothing, if a memory file cannot be read: its entries would lose their records. */
export const repairOrigins = async ({ storage, clock, known }: OriginRepair): Promise<Result<RepairedOrigins | undefined>> => {
  const provenance = await readProvenance(storage)
  if (provenance.ok) return ok(undefined)
  const damaged = await readDocument(storage, PROVENANCE_PATH)
  if (!damaged.ok || !damaged.value) return damaged.ok ? ok(undefined) : damaged
  const at = clock()
  const file: ProvenanceFile = { ...EMPTY_PROVENANCE, memory: {}, user: {} }
  const count = { known: 0, unknown: 0 }
  for (const target of MEMORY_TARGETS) {
    const read = await readMemoryFile(storage, target)
    if (!read.ok)
      return err(new HermesError(read.error.code, `The origins were not repaired: ${read.error.message}`, { cause: read.error }))
    const { entries } = read.value
    const fingerprints = await fingerprintsOf(entries)
    for (const [index, entry] of entries.entries()) {
      const found = known(target, entry)
      count[found.dates ? 'known' : 'unknown']++
      const record = toRecord(found, at)
      if (record) file[target][fingerprints[index] ?? ''] = record
    }
  }
  const { bytes } = damaged.value
  const stamp = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')
  const copy = await keepCopy(
    storage,
    damaged.value,
    (serial) => `${PROVENANCE_PATH}.damaged-${stamp}${serial === 1 ? '' : `-${serial}`}`,
    PROVENANCE_PATH,
  )
  if (!copy.ok) return copy
  let isReplaced = false
  const written = await updateDocument(storage, PROVENANCE_PATH, (current) => {
    isReplaced = current !== undefined && equalBytes(current.bytes, bytes)
    return isReplaced ? new TextEncoder().encode(canonicalJson(file)) : UNCHANGED
  })
  if (!written.ok) return written
  if (isReplaced) return ok({ copy: copy.value, ...count })
  return err(
    new HermesError(
      'drift',
      `'${PROVENANCE_PATH}' was changed meanwhile, so it was left as it is. Run the repair again if it is still damaged.`,
    ),
  )
}
