/** Reads the stores at the start of a session, and renders the snapshot of each. */
import type { HermesError } from '../shared/hermes-error.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { Fingerprints } from './fingerprints.ts'
import type { KnownTexts } from './known-texts.ts'
import { renderMemoryBlock } from './memory-block.ts'
import { readMemoryFile } from './memory-file.ts'
import type { MemoryTarget } from './memory-op.ts'
import type { StoreState } from './memory-store-options.ts'
import { type LastProvenance, lookUpOrigins, provenanceBehind, readProvenance } from './provenance-store.ts'

export interface StoresToLoad {
  readonly storage: StorageBackend
  readonly targets: readonly MemoryTarget[]
  /** Maximum code points of each store. */
  readonly limits: Readonly<Record<MemoryTarget, number>>
  readonly scans: KnownTexts['scans']
  readonly fingerprints: Fingerprints
  readonly last: LastProvenance
}

export interface LoadedStores {
  readonly states: readonly (readonly [MemoryTarget, StoreState])[]
  /** What could not be read. */
  readonly problems: readonly HermesError[]
}

/** An unreadable file counts as empty. If the provenance is unreadable, every entry is shown as one from outside. */
export const loadStores = async ({ storage, targets, limits, scans, fingerprints, last }: StoresToLoad): Promise<LoadedStores> => {
  const reading = readProvenance(storage, last)
  const files = targets.map(async (target) => {
    const file = await readMemoryFile(storage, target)
    return { target, file, entries: file.ok ? file.value.entries : [] }
  })
  const [early, ...read] = await Promise.all([reading, ...files])
  const provenance = await provenanceBehind(early, read, { storage, last, fingerprints })
  const states = await Promise.all(
    read.map(async ({ target, entries }): Promise<readonly [MemoryTarget, StoreState]> => {
      const origins = await lookUpOrigins(provenance, target, entries, fingerprints)
      return [target, { entries, origins, snapshot: renderMemoryBlock(target, entries, origins, limits[target], scans[target]) }]
    }),
  )
  const problems = [provenance, ...read.map(({ file }) => file)].flatMap((each) => (each.ok ? [] : [each.error]))
  return { states, problems }
}
