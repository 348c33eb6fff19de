/** Whose words an entry is: the records beside the memory files, whose format does not change (DESIGN 5). Pure. */
import * as z from 'zod'
import { leastTrusted, ORIGINS, type Origin } from '../shared/origin.ts'
import type { MemoryTarget } from './memory-op.ts'

/** Where a write came from, stamped by the platform. */
export interface MemorySource {
  readonly origin: Origin
  readonly sessionId?: string
  /** Why, in words; the archive keeps it with what the write takes away. */
  readonly reason?: string
  /** Nothing from outside was in sight: an entry from outside that says the same becomes the source's. */
  readonly raises?: boolean
  /** `outside`: text from outside was in sight, so only entries from outside make room for it, whatever its origin. */
  readonly sight?: 'own' | 'outside'
}

/** Of an entry that comes back from the archive, or from an export: as old and as trusted as it was, never more. */
export interface RecordedSource extends MemorySource {
  /** Epoch milliseconds; 0 = not known. */
  readonly firstSeenAt?: number
  /** Epoch milliseconds. Default: now. */
  readonly lastConfirmedAt?: number
}

const recordSchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({
    /** `external`: nothing is known of it but that it is pinned. */
    origin: z.enum([...ORIGINS, 'external']),
    sessionId: z.string().optional(),
    /** Epoch milliseconds. */
    firstSeenAt: z.number(),
    /** Epoch milliseconds; moves when the same text is added again. */
    lastConfirmedAt: z.number(),
    /** Epoch milliseconds: when a record was written that was confirmed long before. */
    recordedAt: z.number().optional(),
    /** A person wants it to stay. */
    pinned: z.literal(true).optional(),
  }),
)

const recordsSchema = /* @__PURE__ */ z.lazy(() => z.record(z.string(), recordSchema))

/** Records by fingerprint, so that a removed note does not live on here in words. */
export const provenanceFileSchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({ version: z.literal(1), memory: recordsSchema, user: recordsSchema }),
)

export type ProvenanceRecord = z.infer<typeof recordSchema>
export type ProvenanceFile = z.infer<typeof provenanceFileSchema>

export const EMPTY_PROVENANCE: ProvenanceFile = { version: 1, memory: {}, user: {} }

// A record is written before its entry, so a record without an entry may belong to a write under way elsewhere.
const ORPHAN_GRACE_MS = 10 * 60 * 1000

/** One write, in fingerprints. */
export interface ProvenanceChange {
  readonly target: MemoryTarget
  readonly source?: RecordedSource | undefined
  /** Epoch milliseconds. */
  readonly at: number
  /** What the store holds before the write. */
  readonly present: ReadonlySet<string>
  /** What the operations add, or say again. */
  readonly confirmed: readonly string[]
  /** What they replace or remove. */
  readonly previous: readonly string[]
  /** What was replaced, and by what, in the order of the operations. */
  readonly replacements?: readonly (readonly [before: string, after: string])[]
}

const originOf = (record: ProvenanceRecord | undefined): Origin | undefined =>
  record === undefined || record.origin === 'external' ? undefined : record.origin

const knownOrigins = (origins: readonly (Origin | undefined)[]): Origin | undefined =>
  leastTrusted(origins.filter((origin) => origin !== undefined))

const mostTrusted = (origins: readonly Origin[]): Origin | undefined => ORIGINS.find((origin) => origins.includes(origin))

/**
 * Only own words raise an entry's origin, and nothing lowers that of an entry that stands. A new text is no more trusted than
 * its source, than the entries the same write takes away, and than what was known of the same text before. `undefined`: no record.
 */
const decideOrigin = (known: Origin | undefined, stands: boolean, source: RecordedSource | undefined, inherited: Origin | undefined) => {
  if (source?.raises) return mostTrusted([source.origin, ...(stands && known ? [known] : [])])
  if (source?.origin === 'user' && source.firstSeenAt === undefined) return source.origin
  if (stands) return known
  if (source) return knownOrigins([source.origin, inherited, known])
  return [inherited, known].find((origin) => origin === 'tool')
}

/** Those that a person wants to stay: a pinned entry that is rewritten hands its pin on. */
const pinnedAfter = (records: ProvenanceFile[MemoryTarget], { present, replacements = [] }: ProvenanceChange): ReadonlySet<string> => {
  const pinned = new Set([...present].filter((fingerprint) => records[fingerprint]?.pinned))
  for (const [before, after] of replacements) if (pinned.has(before)) pinned.add(after)
  return pinned
}

const UNKNOWN_DATES = { firstSeenAt: 0, lastConfirmedAt: 0 } as const

/** With a pin, and without one. A record that says nothing but that it is pinned goes with the pin. */
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
  // What own words came to by themselves is as old as they are.
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

/** The file after the write, or `undefined` where it stays as it is. */
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
  // Only distrust is handed on: a rewritten entry of the user's is not the user's own words.
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
