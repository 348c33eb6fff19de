/** What is known of an entry besides its words: whose it is, since when it is there, when it was last said again (DESIGN 5). */
import type { Origin } from '../shared/origin.ts'

/** `external`: a hand edit, another program, or a caller that named no source. */
export type EntryOrigin = Origin | 'external'

export interface EntryDates {
  readonly origin: EntryOrigin
  /** Epoch milliseconds; 0 where nothing is recorded, as for what was written by hand. */
  readonly firstSeenAt: number
  /** Epoch milliseconds; 0 where nothing is recorded. Moves when the same text is added again. */
  readonly lastConfirmedAt: number
}

export interface EntryFacts extends EntryDates {
  readonly entry: string
  /** A person wants it to stay: it never makes room, and neither a review nor the agent's tool changes it. */
  readonly pinned?: true
}

/** What one operation touched. */
export interface OpFacts {
  /** Of the entry that a replace or remove took away, as it was. */
  readonly previous?: EntryDates
  /** Of the entry that an add or replace wrote or said again, as it is afterwards. */
  readonly content?: EntryDates
}

/** An entry that went to the archive to make room for another. */
export interface EvictedEntry {
  readonly text: string
  /** Never `external`: what was written by hand stays. */
  readonly origin: Origin
}
