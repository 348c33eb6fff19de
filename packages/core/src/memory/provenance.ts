/** Provenance records: who wrote each entry. Stored beside the memory files, whose format does not change (DESIGN 5). Pure. */
import * as z from 'zod/mini'
import { leastTrusted, ORIGINS, type Origin } from '../shared/origin.ts'
import type { MemoryTarget } from './memory-op.ts'

/** The source of a write, set by the platform. */
export interface MemorySource {
  readonly origin: Origin
  readonly sessionId?: string
  /** Free text; archived with the entries that the write removes. */
  readonly reason?: string
  /** True if no text from outside was in the context: an entry from outside with the same text gets this origin. */
  readonly raises?: boolean
  /** `outside`: text from outside was in the context, so only entries from outside are evicted for it, whatever its origin. */
  readonly sight?: 'own' | 'outside'
}

/** The source of an entry restored from the archive or imported: its age and trust are kept, never raised. */
export interface RecordedSource extends MemorySource {
  /** Epoch milliseconds; 0 if unknown. */
  readonly firstSeenAt?: number
  /** Epoch milliseconds. Default: now. */
  readonly lastConfirmedAt?: number
}

const recordSchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({
    /** `external`: only a pin is recorded. */
    origin: z.enum([...ORIGINS, 'external']),
    sessionId: z.optional(z.string()),
    /** Epoch milliseconds. */
    firstSeenAt: z.number(),
    /** Epoch milliseconds; updated when the same text is added again. */
    lastConfirmedAt: z.number(),
    /** Epoch milliseconds: time of writing, for a record confirmed long before. */
    recordedAt: z.optional(z.number()),
    /** Pinned by a person. */
    pinned: z.optional(z.literal(true)),
  }),
)

const recordsSchema = /* @__PURE__ */ z.lazy(() => z.record(z.string(), recordSchema))

/** Records are keyed by fingerprint, so that the text of a removed note is not kept here. */
export const provenanceFileSchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({ version: z.literal(1), memory: recordsSchema, user: recordsSchema }),
)

export type ProvenanceRecord = z.infer<typeof recordSchema>
export type ProvenanceFile = z.infer<typeof provenanceFileSchema>

export const EMPTY_PROVENANCE: ProvenanceFile = { version: 1, memory: {}, user: {} }

// A record is written before its entry, so a record without an entry may belong to a write in progress elsewhere.
const ORPHAN_GRACE_MS = 10 * 60 * 1000

/** One write, as fingerprints. */
export interface ProvenanceChange {
  readonly target: MemoryTarget
  readonly source?: RecordedSource | undefined
  /** Epoch milliseconds. */
  readonly at: number
  /** What the store holds before the write. */
  readonly present: ReadonlySet<string>
  /** Texts that the operations add or confirm. */
  readonly confirmed: readonly string[]
  /** Texts that the operations replace or remove. */
  readonly previous: readonly string[]
  /** Replaced texts and their replacements, in the order of the operations. */
  readonly replacements: readonly (readonly [before: string, after: string])[]
}

const originOf = (record: ProvenanceRecord | undefined): Origin | undefined =>
  record === undefined || record.origin === 'external' ? undefined : record.origin

const knownOrigins = (origins: readonly (Origin | undefined)[]): Origin | undefined =>
  leastTrusted(origins.filter((origin) => origin !== undefined))

const mostTrusted = (origins: readonly Origin[]): Origin | undefined => ORIGINS.find((origin) => origins.includes(origin))

/**
 * Only own words raise an entry's origin, and nothing lowers that of an existing entry. A new text is trusted at most as much as its
 * source, the entries that the same write removes, and earlier records of the same text. `undefined`: no record.
 */
const decideOrigin = (known: Origin | undefined, stands: boolean, source: RecordedSource | undefined, inherited: Origin | undefined) => {
  if (source?.raises) return mostTrusted([source.origin, ...(stands && known ? [known] : [])])
  if (source?.origin === 'user' && source.firstSeenAt === undefined) return source.origin
  if (stands) return known
  if (source) return knownOrigins([source.origin, inherited, known])
  return [inherited, known].find((origin) => origin === 'tool')
}

/** Pinned entries; an entry that replaces a pinned one is pinned too. */
const pinnedAfter = (records: ProvenanceFile[MemoryTarget], { present, replacements }: ProvenanceChange): ReadonlySet<string> => {
  const pinned = new Set([...present].filter((fingerprint) => records[fingerprint]?.pinned))
  for (const [before, after] of replacements) if (pinned.has(before)) pinned.add(after)
  return pinned
}

const UNKNOWN_DATES = { firstSeenAt: 0, lastConfirmedAt: 0 } as const

/** Sets or removes the pin. A record that holds only a pin is removed with it. */
export const withPin = (record: ProvenanceRecord | undefined, pinned: boolean, at: number): ProvenanceRecord | undefined => {
  if (pinned) return { ...(record ?? { origin: 'external', ...UNKNOWN_DATES, recordedAt: at }), pinned }
  if (record === undefined || record.origin === 'external') return undefined
  const { pinned: _, ...rest } = record
  return rest as ProvenanceRecord
}

const nextRecord = (
  known: ProvenanceRecord | undefined,
  origin: Origin,
  isPinned: boolean,
  { source, at }: ProvenanceChange,
  stands: boolean,
): ProvenanceRecord => {
  // If own words raise an entry's origin, its age starts with them.
  const isRaised = known?.origin === 'external' || (source?.raises === true && known?.origin === 'tool')
  if (stands && known && !isRaised) return { ...known, origin, lastConfirmedAt: Math.max(at, known.lastConfirmedAt) }
  return {
    origin,
    ...(source?.sessionId === undefined ? {} : { sessionId: source.sessionId }),
    firstSeenAt: Math.min(at, source?.firstSeenAt ?? at),
    lastConfirmedAt: Math.min(at, source?.lastConfirmedAt ?? at),
    ...(source?.lastConfirmedAt === undefined ? {} : { recordedAt: at }),
    ...(isPinned ? { pinned: true as const } : {}),
  }
}

/** The file after the write, or `undefined` for no change. */
export const nextProvenance = (file: ProvenanceFile, change: ProvenanceChange): ProvenanceFile | undefined => {
  const { target, source, at, present, confirmed, previous } = change
  const records = file[target]
  const next: Record<string, ProvenanceRecord> = {}
  let changed = false
  for (const [fingerprint, record] of Object.entries(records)) {
    const writtenAt = Math.max(record.lastConfirmedAt, record.recordedAt ?? 0)
    if (present.has(fingerprint) || confirmed.includes(fingerprint) || writtenAt >= at - ORPHAN_GRACE_MS) next[fingerprint] = record
    else changed = true
  }
  // Only low trust is inherited: a rewritten entry of the user is not the user's own words.
  const inherited = previous.map((fingerprint) => originOf(records[fingerprint])).find((origin) => origin === 'tool')
  const pinned = pinnedAfter(records, change)
  for (const fingerprint of confirmed) {
    const stands = present.has(fingerprint)
    const known = records[fingerprint]
    const origin = decideOrigin(originOf(known), stands, source, inherited)
    const isPinned = pinned.has(fingerprint)
    if (origin === undefined && isPinned === (known?.pinned === true)) continue
    const record = origin === undefined ? withPin(known, isPinned, at) : nextRecord(known, origin, isPinned, change, stands)
    if (record) next[fingerprint] = record
    else delete next[fingerprint]
    changed = true
  }
  return changed ? { ...file, [target]: next } : undefined
}
