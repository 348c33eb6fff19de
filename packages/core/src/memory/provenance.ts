/** Whose words an entry is: the records beside the memory files, whose format does not change (DESIGN 5). Pure. */
import { z } from 'zod'
import { leastTrusted, ORIGINS, type Origin } from '../shared/origin.ts'
import type { MemoryTarget } from './memory-op.ts'

/** Where a write came from, stamped by the platform. */
export interface MemorySource {
  readonly origin: Origin
  readonly sessionId?: string
  /** Why, in words; the archive keeps it with what the write takes away. */
  readonly reason?: string
}

/** Of an entry that comes back from the archive: as old and as trusted as it was, never more. */
export interface RecordedSource extends MemorySource {
  /** Epoch milliseconds; 0 = not known. */
  readonly firstSeenAt?: number
}

const recordSchema = z.looseObject({
  origin: z.enum(ORIGINS),
  sessionId: z.string().optional(),
  /** Epoch milliseconds. */
  firstSeenAt: z.number(),
  /** Epoch milliseconds; moves when the same text is added again. */
  lastConfirmedAt: z.number(),
})

const recordsSchema = z.record(z.string(), recordSchema)

/** Records by fingerprint, so that a removed note does not live on here in words. */
export const provenanceFileSchema = z.looseObject({ version: z.literal(1), memory: recordsSchema, user: recordsSchema })

export type ProvenanceRecord = z.infer<typeof recordSchema>
export type ProvenanceFile = z.infer<typeof provenanceFileSchema>

export const EMPTY_PROVENANCE: ProvenanceFile = { version: 1, memory: {}, user: {} }

// A record is written before its entry, so a record without an entry may belong to a write under way elsewhere.
const ORPHAN_GRACE_MS = 10 * 60 * 1000

/** SHA-256 of the text, in hex. */
export const fingerprintText = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

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
}

const knownOrigins = (origins: readonly (Origin | undefined)[]): Origin | undefined =>
  leastTrusted(origins.filter((origin) => origin !== undefined))

/**
 * Only the user's own words raise an entry's origin, and nothing lowers that of an entry that stands. A new text is no more trusted than
 * its source, than the entries the same write takes away, and than what was known of the same text before. `undefined`: no record.
 */
const decideOrigin = (
  known: ProvenanceRecord | undefined,
  stands: boolean,
  source: RecordedSource | undefined,
  inherited: Origin | undefined,
) => {
  if (source?.origin === 'user' && source.firstSeenAt === undefined) return source.origin
  if (stands) return known?.origin
  if (source) return knownOrigins([source.origin, inherited, known?.origin])
  return [inherited, known?.origin].find((origin) => origin === 'tool')
}

/** The file after the write, or `undefined` where it stays as it is. */
export const nextProvenance = (file: ProvenanceFile, change: ProvenanceChange): ProvenanceFile | undefined => {
  const { target, source, at, present, confirmed, previous } = change
  const records = file[target]
  const next: Record<string, ProvenanceRecord> = {}
  let changed = false
  for (const [fingerprint, record] of Object.entries(records)) {
    if (present.has(fingerprint) || confirmed.includes(fingerprint) || record.lastConfirmedAt >= at - ORPHAN_GRACE_MS)
      next[fingerprint] = record
    else changed = true
  }
  // Only distrust is handed on: a rewritten entry of the user's is not the user's own words.
  const inherited = previous.map((fingerprint) => records[fingerprint]?.origin).find((origin) => origin === 'tool')
  for (const fingerprint of confirmed) {
    const stands = present.has(fingerprint)
    const known = records[fingerprint]
    const origin = decideOrigin(known, stands, source, inherited)
    if (origin === undefined) continue
    const fresh = {
      origin,
      ...(source?.sessionId === undefined ? {} : { sessionId: source.sessionId }),
      firstSeenAt: Math.min(at, source?.firstSeenAt ?? at),
      lastConfirmedAt: at,
    }
    next[fingerprint] = stands && known ? { ...known, origin, lastConfirmedAt: Math.max(at, known.lastConfirmedAt) } : fresh
    changed = true
  }
  return changed ? { ...file, [target]: next } : undefined
}
