/**
 * Removes the provenance records of erased entries: they hold fingerprints, from which a short text can be guessed. Records are marked before their entries are
 * erased and removed afterwards, so that a process that is killed in between never leaves an external text without its record.
 */

import { decodeMemoryDocument } from '../memory/memory-document.ts'
import { MEMORY_TARGETS, type MemoryTarget } from '../memory/memory-op.ts'
import { type ProvenanceFile, type ProvenanceRecord, provenanceFileSchema } from '../memory/provenance.ts'
import { readProvenance } from '../memory/provenance-store.ts'
import { ok, type Result } from '../shared/result.ts'
import { sha256OfText } from '../shared/sha256.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { readDocument, UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { MEMORY_PATHS, PROVENANCE_PATH } from '../storage/storage-paths.ts'
import type { Erasure } from './redaction.ts'

const MARK = 'erasing'

const readFingerprints = async (
  storage: StorageBackend,
  isWanted: (entry: string) => boolean,
): Promise<Result<Readonly<Record<MemoryTarget, ReadonlySet<string>>>>> => {
  const found = { memory: new Set<string>(), user: new Set<string>() }
  for (const target of MEMORY_TARGETS) {
    const document = await readDocument(storage, MEMORY_PATHS[target])
    if (!document.ok) return document
    const decoded = decodeMemoryDocument(target, document.value?.bytes)
    for (const entry of decoded.ok ? decoded.value.entries.filter(isWanted) : []) found[target].add(await sha256OfText(entry))
  }
  return ok(found)
}

const mapRecords = (
  file: ProvenanceFile,
  change: (record: ProvenanceRecord, fingerprint: string, target: MemoryTarget) => ProvenanceRecord | undefined,
): ProvenanceFile => {
  const next = { ...file }
  for (const target of MEMORY_TARGETS) {
    next[target] = Object.fromEntries(
      Object.entries(file[target]).flatMap(([fingerprint, record]) => {
        const kept = change(record, fingerprint, target)
        return kept ? [[fingerprint, kept] as const] : []
      }),
    )
  }
  return next
}

const update = async (storage: StorageBackend, change: (file: ProvenanceFile) => ProvenanceFile): Promise<Result<void>> => {
  const updated = await updateJsonDocument(storage, PROVENANCE_PATH, provenanceFileSchema, (file) => {
    const next = file && change(file)
    return next && JSON.stringify(next) !== JSON.stringify(file) ? next : UNCHANGED
  })
  // An unreadable file has no records to remove; text in it is found as in any other document.
  return updated.ok || updated.error.code === 'unreadable' ? ok(undefined) : updated
}

/** Marks the records of entries that are about to be erased. */
export const markProvenance = async (storage: StorageBackend, { matches }: Erasure): Promise<Result<void>> => {
  const going = await readFingerprints(storage, matches)
  if (!going.ok) return going
  if (MEMORY_TARGETS.every((target) => going.value[target].size === 0)) return ok(undefined)
  return update(storage, (file) =>
    mapRecords(file, (record, fingerprint, target) => (going.value[target].has(fingerprint) ? { ...record, [MARK]: true } : record)),
  )
}

/** Removes the records of erased entries. `entries`: texts that were erased from any document, including entries that had left memory before. */
export const settleProvenance = async (
  storage: StorageBackend,
  { sessionId }: Erasure,
  entries: readonly string[],
): Promise<Result<void>> => {
  const file = await readProvenance(storage)
  if (!file.ok || !file.value) return ok(undefined)
  const present = await readFingerprints(storage, () => true)
  if (!present.ok) return present
  const erased = new Set(await Promise.all(entries.map(sha256OfText)))
  return update(storage, (current) =>
    mapRecords(current, (record, fingerprint, target) => {
      const { [MARK]: isMarked, ...rest } = record
      if ((isMarked === true || erased.has(fingerprint)) && !present.value[target].has(fingerprint)) return undefined
      const kept: ProvenanceRecord = isMarked === undefined ? record : (rest as ProvenanceRecord)
      if (sessionId === undefined || kept.sessionId !== sessionId) return kept
      const { sessionId: _, ...unnamed } = kept
      return unnamed as ProvenanceRecord
    }),
  )
}
