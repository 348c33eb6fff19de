/** What a `MemoryStore` reports about a change it has written, for the journal. */
import type { EntryChanges } from './entry-changes.ts'
import type { MemorySource, RecordedSource } from './facts.ts'
import type { MemoryOp, MemoryOpOutcome, MemoryTarget } from './memory-op.ts'

/** Who made the write, if one store has several writers. */
export interface MemoryWriter {
  readonly actor: 'review' | 'agent' | 'host' | 'person' | 'curator'
  readonly sessionId?: string | undefined
}

/** How a store carries out operations. */
export interface ChangeTerms {
  readonly source: RecordedSource | undefined
  /** The archive id of a restored entry. */
  readonly restoredFrom?: string
  readonly writer?: MemoryWriter | undefined
  /** See `ChangeRequest`. */
  readonly wholeEntries?: boolean
}

export interface MemoryWrite {
  readonly target: MemoryTarget
  /** In the order in which they were carried out. */
  readonly ops: readonly MemoryOp[]
  readonly outcome: MemoryOpOutcome
  readonly changes: EntryChanges
  /** Undefined for text that counts as written by hand. */
  readonly source: MemorySource | undefined
  /** Undefined if the caller named none. */
  readonly writer: MemoryWriter | undefined
  /** The archive id of a restored entry. */
  readonly restoredFrom: string | undefined
}
