/** What was found out about texts: it depends on the text alone, so a new session need not search all entries of its home again. */
import type { StorageBackend } from '../storage/storage-backend.ts'
import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { createMemoryScan, type MemoryScan } from '../threats/scan.ts'
import { type Fingerprints, MAX_REMEMBERED_TEXTS, rememberFingerprints } from './fingerprints.ts'
import type { MemoryTarget } from './memory-op.ts'

/** Of the entries of one load of each file, and of some texts of later changes. */
export interface KnownTexts {
  readonly scans: Readonly<Record<MemoryTarget, MemoryScan>>
  readonly fingerprints: Fingerprints
  /** As `holdsCredential`. */
  readonly isSecret: (text: string) => boolean
}

const rememberSecrets = (): KnownTexts['isSecret'] => {
  const known = new Map<string, boolean>()
  return (text) => {
    const found = known.get(text) ?? holdsCredential(text)
    known.set(text, found)
    const [oldest] = known.keys()
    if (known.size > MAX_REMEMBERED_TEXTS && oldest !== undefined) known.delete(oldest)
    return found
  }
}

const known = new WeakMap<StorageBackend, KnownTexts>()

/** Shared by the stores of one storage object, which is that of one home, and dropped with it. */
export const knownTextsOf = (storage: StorageBackend): KnownTexts => {
  const found = known.get(storage)
  if (found) return found
  const scans = { memory: createMemoryScan(), user: createMemoryScan() }
  const texts = { scans, fingerprints: rememberFingerprints(), isSecret: rememberSecrets() }
  known.set(storage, texts)
  return texts
}
