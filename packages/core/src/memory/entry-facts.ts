/** Facts about an entry besides its text: origin and times (DESIGN 5). */
import type { Origin } from '../shared/origin.ts'

/** `external`: a hand edit, another program, or a caller without a source. */
export type EntryOrigin = Origin | 'external'

export interface EntryDates {
  readonly origin: EntryOrigin
  /** Epoch milliseconds; 0 if not recorded, as for hand-written entries. */
  readonly firstSeenAt: number
  /** Epoch milliseconds; 0 if not recorded. Updated when the same text is added again. */
  readonly lastConfirmedAt: number
}

export interface EntryFacts extends EntryDates {
  readonly entry: string
  /** Pinned by a person: never evicted, and neither a review nor the agent's tool changes it. */
  readonly pinned?: true
}

/** The entries that one operation changed. */
export interface OpFacts {
  /** The entry that a replace or remove took away, as it was before. */
  readonly previous?: EntryDates
  /** The entry that an add or replace wrote or confirmed, as it is afterwards. */
  readonly content?: EntryDates
}

/** An entry that was archived to make room for another. */
export interface EvictedEntry {
  readonly text: string
  /** Never `external`: hand-written entries are not evicted. */
  readonly origin: Origin
}
