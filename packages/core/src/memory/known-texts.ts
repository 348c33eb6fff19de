/** What was found out about texts: it depends on the text alone, so a new session need not search all entries of its home again. */
import type { StorageBackend } from '../storage/storage-backend.ts'
import { createMemoryScan, type MemoryScan } from '../threats/scan.ts'
import { type Fingerprints, rememberFingerprints } from './fingerprints.ts'
import type { MemoryTarget } from './memory-op.ts'

/** Of the entries of one load of each file, and of some texts of later changes. */
export interface KnownTexts {
  readonly scans: Readonly<Record<MemoryTarget, MemoryScan>>
  readonly fingerprints: Fingerprints
}

const known = new WeakMap<StorageBackend, KnownTexts>()

/** Shared by the stores of one storage object, which is that of one home, and dropped with it. */
export const knownTextsOf = (storage: StorageBackend): KnownTexts => {
  const found = known.get(storage)
  if (found) return found
  const texts = { scans: { memory: createMemoryScan(), user: createMemoryScan() }, fingerprints: rememberFingerprints() }
  known.set(storage, texts)
  return texts
}
