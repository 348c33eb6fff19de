/** Reads the documents of a queue over a storage, only those that have changed, and notes since when each claim has been seen unrenewed. */
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { type LimitedSchema, readJsonDocument } from '../storage/json-document.ts'
import type { DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import { entryKey, type QueueEntry, type QueueShard, queueOwnerKey } from './queue-shard.ts'

export const QUEUE_FOLDER = 'queue/reviews'

export interface SeenShard {
  readonly shard: QueueShard
  /** True if the claim of an entry has passed its lease, as far as this process can tell. */
  readonly isLost: (entry: QueueEntry) => boolean
  /** Due times of the entries that can be claimed at `at` (epoch milliseconds), at most `limit` of them, the earliest first. */
  readonly due: (at: number, limit: number) => readonly number[]
}

export interface ShardReader {
  /** By path. */
  read(): Promise<Result<ReadonlyMap<string, SeenShard>>>
}

export interface ShardReaderOptions {
  readonly storage: StorageBackend
  readonly schema: LimitedSchema<QueueShard>
  readonly clock: Clock
  readonly maxClockSkewMs: number
  readonly onProblem: (problem: HermesError) => void
}

type Claim = NonNullable<QueueEntry['claim']>

/** A claim as it was first seen with this end of its lease. */
interface Sighting {
  readonly fence: number
  readonly until: number
  /** Epoch milliseconds by the clock of this process. */
  readonly at: number
}

interface KnownShard extends SeenShard {
  readonly stamp: string
  readonly sightings: ReadonlyMap<string, Sighting>
  /** Without a claim, the earliest due time first. */
  readonly waiting: readonly QueueEntry[]
  readonly claimed: readonly QueueEntry[]
}

const READS_AT_ONCE = 16
/** Documents that are read before other work can run: some milliseconds. */
const READS_BEFORE_PAUSE = 8

const isSame = ({ fence, until }: Sighting, claim: Claim): boolean => fence === claim.fence && until === claim.until

/** A clock that was set back starts the observation anew. */
const look = (
  entries: readonly QueueEntry[],
  before: ReadonlyMap<string, Sighting> | undefined,
  at: number,
): ReadonlyMap<string, Sighting> => {
  const sightings = new Map<string, Sighting>()
  for (const entry of entries) {
    if (!entry.claim) continue
    const key = entryKey(entry)
    const seen = before?.get(key)
    const { fence, until } = entry.claim
    sightings.set(key, seen && isSame(seen, entry.claim) && seen.at <= at ? seen : { fence, until, at })
  }
  return sightings
}

export const shardReader = ({ storage, schema, clock, maxClockSkewMs, onProblem }: ShardReaderOptions): ShardReader => {
  let known: ReadonlyMap<string, KnownShard> = new Map()

  const toSeen = (shard: QueueShard, stamp: string, sightings: ReadonlyMap<string, Sighting>, before?: KnownShard): KnownShard => {
    // Sorted once for each change, since a claim looks into every shard.
    const waiting = before?.waiting ?? shard.entries.filter(({ claim }) => !claim).sort((a, b) => a.dueAt - b.dueAt)
    const claimed = before?.claimed ?? shard.entries.filter(({ claim }) => claim)

    const isLost = (entry: QueueEntry): boolean => {
      const { claim } = entry
      const seen = sightings.get(entryKey(entry))
      if (!claim || !seen || !isSame(seen, claim)) return false
      const at = clock()
      return at - seen.at > claim.leaseMs || at > claim.until + maxClockSkewMs
    }

    const due = (at: number, limit: number): readonly number[] => {
      const busy = new Set(claimed.filter((entry) => !isLost(entry)).map(({ owner }) => queueOwnerKey(owner)))
      const times: number[] = []
      const take = ({ owner, dueAt }: QueueEntry) => {
        const key = queueOwnerKey(owner)
        if (!busy.has(key)) times.push(dueAt)
        busy.add(key)
      }
      for (const entry of claimed) if (isLost(entry) && entry.dueAt <= at) take(entry)
      for (const entry of waiting) {
        if (entry.dueAt > at || times.length >= limit) break
        take(entry)
      }
      return times.sort((a, b) => a - b).slice(0, limit)
    }

    return { shard, stamp, sightings, waiting, claimed, isLost, due }
  }

  const readOne = async ({ path, stamp }: DocumentInfo, before: KnownShard | undefined): Promise<KnownShard | undefined> => {
    if (before?.stamp === stamp) return toSeen(before.shard, stamp, look(before.claimed, before.sightings, clock()), before)
    const found = await readJsonDocument(storage, path, schema)
    if (!found.ok) onProblem(found.error)
    if (!found.ok || !found.value) return undefined
    return toSeen(found.value, stamp, look(found.value.entries, before?.sightings, clock()))
  }

  return {
    async read() {
      const listed = await storage.list(QUEUE_FOLDER)
      if (!listed.ok) return listed
      const before = known
      const next = new Map<string, KnownShard>()
      const waiting = listed.value.values()
      let reads = 0
      const work = async () => {
        for (const info of waiting) {
          if (before.get(info.path)?.stamp !== info.stamp && ++reads % READS_BEFORE_PAUSE === 0) await pause()
          const shard = await readOne(info, before.get(info.path))
          if (shard) next.set(info.path, shard)
        }
      }
      await Promise.all(Array.from({ length: READS_AT_ONCE }, work))
      known = next
      return ok(next)
    },
  }
}
