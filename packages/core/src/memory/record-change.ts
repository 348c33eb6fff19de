/** Stores what must exist before the entries change: the origins of new texts and a copy of each removed entry. */
import type { Clock } from '../shared/clock.ts'
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { LostEntry } from './archive/lost-entries.ts'
import { archiveEntries } from './archive/memory-archive.ts'
import type { MemoryTarget } from './memory-op.ts'
import type { ProvenanceFile } from './provenance.ts'
import { lookUpFacts, type RecordedWrite, readProvenance, recordProvenance } from './provenance-store.ts'

export interface RecordedChange extends RecordedWrite {
  readonly lost: readonly LostEntry[]
  /** The provenance read for this change. Default: it is read if entries are lost. */
  readonly known?: Result<ProvenanceFile | undefined> | undefined
}

const factsOf = async (target: MemoryTarget, lost: readonly LostEntry[], provenance: ProvenanceFile | undefined): Promise<string> => {
  const texts = lost.map(({ text }) => text)
  return JSON.stringify(await lookUpFacts(ok(provenance), target, texts))
}

/**
 * Returns the provenance as it is afterwards. On a storage error the change must not be written. Record and copies are written
 * concurrently: a process killed in between leaves a surplus record or copy, never a text without its record or a lost entry.
 */
export const recordChange = async (
  storage: StorageBackend,
  clock: Clock,
  { lost, known, ...write }: RecordedChange,
): Promise<Result<ProvenanceFile | undefined>> => {
  if (lost.length === 0) return recordProvenance(storage, clock, write)
  const before = known ?? (await readProvenance(storage, write.lastProvenance))
  if (!before.ok) return before
  const { target, source } = write
  const forgottenAt = clock()
  const archive = (provenance: ProvenanceFile | undefined) => archiveEntries(storage, { target, lost, provenance, source, forgottenAt })
  const [recorded, kept] = await Promise.all([recordProvenance(storage, clock, write), archive(before.value)])
  if (!recorded.ok) return recorded
  if (!kept.ok) return kept
  // Another writer may have updated these entries since the provenance was read.
  const isCurrent = (await factsOf(target, lost, before.value)) === (await factsOf(target, lost, recorded.value))
  const again = isCurrent ? kept : await archive(recorded.value)
  return again.ok ? recorded : again
}
