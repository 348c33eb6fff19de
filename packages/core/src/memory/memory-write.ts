/** What a `MemoryStore` tells of a change that it has written, so that whoever hands the store out can keep a record of it. */
import type { EntryChanges } from './entry-changes.ts'
import type { MemoryOp, MemoryOpOutcome, MemoryTarget } from './memory-op.ts'
import type { MemorySource } from './provenance.ts'

/** Whose doing a write is, where one store writes for several. */
export interface MemoryWriter {
  readonly actor: 'review' | 'agent' | 'host' | 'person' | 'curator'
  readonly sessionId?: string | undefined
}

export interface MemoryWrite {
  readonly target: MemoryTarget
  /** As they were carried out, in order. */
  readonly ops: readonly MemoryOp[]
  readonly outcome: MemoryOpOutcome
  readonly changes: EntryChanges
  /** Undefined where the caller named none. */
  readonly source: MemorySource | undefined
  /** Undefined where the caller said nothing of it. */
  readonly writer: MemoryWriter | undefined
  /** The id in the archive, for an entry that came back from there. */
  readonly restoredFrom: string | undefined
}
