/** Replaces facts about entries that cannot be read: the damaged document is kept as a copy, and what is known of each entry is written anew. */
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { Plan, StorageBackend } from '../storage/storage-backend.ts'
import { isSameTime, timeOf } from './entry-time.ts'
import { encodeFacts, type FactRecord, parseFacts } from './facts.ts'
import { decodeMemoryDocument, documentIn } from './memory-document.ts'
import { byTarget, type EntryDates, type MemoryTarget, PERSON_TARGETS } from './memory-op.ts'
import { memoryPathsOf } from './memory-paths.ts'

/** What is known of an entry, such as from the journal. */
export interface KnownOrigin {
  /** `external` for an entry that was written by hand. Undefined: it counts as one from outside. */
  readonly dates?: EntryDates | undefined
  readonly pinned?: true | undefined
}

export interface OriginRepair {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Repairs what is known of the entries of this project. Default: of the person's entries. */
  readonly project?: string | undefined
  readonly known: (target: MemoryTarget, entry: string) => KnownOrigin
}

export interface RepairedOrigins {
  /** Document path of the damaged document's copy. */
  readonly copy: string
  /** Number of entries whose origin is known. */
  readonly known: number
  /** Number of entries that count as from outside from now on. */
  readonly unknown: number
}

const toRecord = ({ dates, pinned }: KnownOrigin, at: number): FactRecord | undefined => {
  if (dates?.origin === 'external' && !pinned && isSameTime(dates)) return undefined
  const { origin, firstSeenAt, lastConfirmedAt } = dates ?? { origin: 'tool', firstSeenAt: at, lastConfirmedAt: at }
  return { origin, firstSeenAt, lastConfirmedAt, ...(pinned ? { pinned } : {}), ...timeOf(dates) }
}

const notRepaired = (cause: HermesError): HermesError =>
  new HermesError(cause.code, `The origins were not repaired: ${cause.message}`, { cause })

/** Undefined if the facts can be read. Fails, and changes nothing, if a memory file cannot be read: its entries would lose their records. */
export const repairOrigins = async ({ storage, clock, project, known }: OriginRepair): Promise<Result<RepairedOrigins | undefined>> => {
  const at = clock()
  const targets: readonly MemoryTarget[] = project === undefined ? PERSON_TARGETS : ['project']
  const files = targets.map((target) => memoryPathsOf(target, project).file)
  const { facts: path, folder } = memoryPathsOf(project === undefined ? 'memory' : 'project', project)
  const repaired = await storage.update([...files, path, `${folder}/`], (cut): Plan<Result<RepairedOrigins | undefined>> => {
    const damaged = cut.document(path)
    if (!damaged || parseFacts(damaged.bytes, path).ok) return { value: ok(undefined) }
    const facts = byTarget({ project: true, profile: true }, () => new Map<string, FactRecord>())
    const count = { known: 0, unknown: 0 }
    for (const target of targets) {
      const { file: name } = memoryPathsOf(target, project)
      const file = documentIn(cut, name)
      const document = file.ok ? decodeMemoryDocument(name, file.value?.bytes) : file
      if (!document.ok) return { value: err(notRepaired(document.error)) }
      for (const entry of document.value.entries) {
        const found = known(target, entry)
        count[found.dates ? 'known' : 'unknown']++
        const record = toRecord(found, at)
        if (record) facts[target]?.set(entry, record)
      }
    }
    const taken = new Set(cut.list(folder).map(({ path }) => path))
    const stamp = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')
    const copyName = (serial: number) => `${path}.damaged-${stamp}${serial === 1 ? '' : `-${serial}`}`
    let serial = 1
    while (taken.has(copyName(serial))) serial++
    return { put: { [copyName(serial)]: damaged.bytes, [path]: encodeFacts(facts) }, value: ok({ copy: copyName(serial), ...count }) }
  })
  return repaired.ok ? repaired.value : repaired
}
