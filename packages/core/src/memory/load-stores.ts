/** Reads the stores at the start of a session, and renders the snapshot of each. */
import type { HermesError } from '../shared/hermes-error.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { Fingerprints } from './fingerprints.ts'
import type { KnownTexts } from './known-texts.ts'
import { prepareBlock } from './memory-block.ts'
import { readMemoryFile } from './memory-file.ts'
import type { MemoryTarget } from './memory-op.ts'
import type { StoreState } from './memory-store-options.ts'
import { type LastProvenance, lookUpFacts, readProvenance } from './provenance-store.ts'

export interface StoresToLoad {
  readonly storage: StorageBackend
  readonly targets: readonly MemoryTarget[]
  /** Maximum code points of each store. */
  readonly limits: Readonly<Record<MemoryTarget, number>>
  /** Maximum code points of each snapshot. */
  readonly maxBlockChars: number
  readonly scans: KnownTexts['scans']
  readonly fingerprints: Fingerprints
  readonly last: LastProvenance
}

export interface LoadedStores {
  readonly states: readonly (readonly [MemoryTarget, StoreState])[]
  /** What could not be read. */
  readonly problems: readonly HermesError[]
}

/**
 * An unreadable file counts as empty. If the provenance is unreadable, every entry is shown as one from outside. It is read again if an entry has no record there:
 * an entry that was written in between has its record by now, and without it a text from outside would be shown as written by hand.
 */
export const loadStores = async ({
  storage,
  targets,
  limits,
  scans,
  fingerprints,
  last,
  maxBlockChars,
}: StoresToLoad): Promise<LoadedStores> => {
  const reading = readProvenance(storage, last)
  const files = targets.map(async (target) => {
    const file = await readMemoryFile(storage, target)
    return { target, file, entries: file.ok ? file.value.entries : [] }
  })
  const [early, ...read] = await Promise.all([reading, ...files])
  const factsBy = (provenance: typeof early) =>
    Promise.all(read.map(({ target, entries }) => lookUpFacts(provenance, target, entries, fingerprints)))
  const first = await factsBy(early)
  const isSure = !first.some((facts) => facts.some(({ origin }) => origin === 'external'))
  const provenance = isSure ? early : await readProvenance(storage, last)
  const isSame = provenance.ok && early.ok && provenance.value === early.value
  const facts = isSure || isSame ? first : await factsBy(provenance)
  const states = await Promise.all(
    read.map(async ({ target }, index): Promise<readonly [MemoryTarget, StoreState]> => {
      const known = facts[index] ?? []
      const store = { target, facts: known, charLimit: limits[target], scan: scans[target] }
      return [target, { facts: known, snapshot: await prepareBlock(store, maxBlockChars) }]
    }),
  )
  const problems = [provenance, ...read.map(({ file }) => file)].flatMap((each) => (each.ok ? [] : [each.error]))
  return { states, problems }
}
