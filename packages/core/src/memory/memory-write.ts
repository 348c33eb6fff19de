/** What a `MemoryStore` tells of a change that it has written, so that whoever hands the store out can keep a record of it. */
import type { MemoryOp, MemoryOpOutcome, MemoryTarget } from './memory-op.ts'
import type { MemorySource } from './provenance.ts'

export interface MemoryWrite {
  readonly target: MemoryTarget
  /** As they were carried out, in order. */
  readonly ops: readonly MemoryOp[]
  readonly outcome: MemoryOpOutcome
  /** Undefined where the caller named none. */
  readonly source: MemorySource | undefined
  /** The id in the archive, for an entry that came back from there. */
  readonly restoredFrom: string | undefined
}
