/** Dependencies for applying a proposal; any `MemoryStore` can serve as the store. */
import type { GateContext, ReviewGate } from '../../gate/review-gate.ts'
import type { Journal } from '../../journal/journal.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import type { Pending } from '../../journal/pending.ts'
import type { MemorySource } from '../../memory/facts.ts'
import type { EntryFacts, EntryOrigin, MemoryOp, MemoryOpOutcome, MemoryTarget } from '../../memory/memory-op.ts'
import type { MemoryWriter } from '../../memory/memory-store-options.ts'
import type { Clock } from '../../shared/clock.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import type { Result } from '../../shared/result.ts'
import type { SkillReader } from '../../skills/skill-reader.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageStore } from '../../usage/usage-store.ts'

export interface SkillDisposeDeps {
  /** The skills of the home, for writing and the reads that writing needs. */
  readonly store: SkillStore
  /** The skills that the agent sees: those of the store, then shared ones. Default: `store`. */
  readonly reader?: SkillReader
  readonly usage: UsageStore
  /** Holds the marks that show which skills came with the product, from a hub, or were handed over. */
  readonly storage: StorageBackend
  /** Determines which grants of a person are still valid. Default: the system clock. */
  readonly clock?: Clock
  /**
   * An unattended review may change only what it was shown in full: document path (such as `skills/devops/deploy/SKILL.md`) → version shown. Undefined: not
   * checked, for calls in front of the user.
   */
  readonly shown?: ReadonlyMap<string, string>
  /** Names of the skills that the session under review had loaded. Default: none. */
  readonly loaded?: ReadonlySet<string>
  /** Called with each written file and its new version: the writer knows that text as if it had been shown. */
  readonly onWritten?: (path: string, version: string) => void
}

/** The part of a `MemoryStore` that a review writes to. */
export interface WritableStore {
  apply(
    target: MemoryTarget,
    op: MemoryOp | readonly MemoryOp[],
    source?: MemorySource,
    writer?: MemoryWriter,
  ): Promise<Result<MemoryOpOutcome>>
  /** The current entries; without it the gate sees none. */
  current?(target: MemoryTarget): Promise<Result<readonly string[]>>
  origins?(target: MemoryTarget): ReadonlyMap<string, EntryOrigin>
  /** Facts about the entries, pins included; without it no entry counts as pinned. */
  facts?(target: MemoryTarget): Promise<Result<readonly EntryFacts[]>>
}

export interface DisposeDeps {
  readonly gate: ReviewGate
  readonly store: WritableStore
  /** Where skills are written. Default: a proposal for a skill fails with `disabled`. */
  readonly skills?: SkillDisposeDeps
  /**
   * The gate's context, requested for each proposal. Missing fields are read from the store; without a context there is no transcript, and only the agent's
   * own calls are attended.
   */
  readonly context?: () => Partial<GateContext> | Promise<Partial<GateContext>>
  readonly journal?: Pick<Journal, 'append'>
  /** The queue of held proposals. */
  readonly pending?: Pick<Pending, 'hold'>
  /** An approved change that the storage fails to write is held: no later review tries it again. Default false: it fails. */
  readonly holdsUnwritten?: boolean
  /** For a review that reads turns again: whether what would wait has already been decided, by its pending id. */
  readonly wasDecided?: (pendingId: string) => Promise<boolean>
  /** For the pass over the user's own words: pending proposals that its writes settle. */
  readonly waiting?: Pick<Pending, 'list' | 'remove'>
  readonly sessionId?: string
  /** The review under way, for the journal. */
  readonly reviewId?: string
  /** The proposing model, as its provider names it; undefined if unknown. Recorded with what is written to skills. */
  readonly model?: () => string | undefined
  /** What the reviewer was shown, for the journal. */
  readonly pass?: JournalRecord['pass']
  /** Default `review`. */
  readonly actor?: JournalRecord['actor']
  /** Called if a journal or a queue could not be written. */
  readonly onFailure?: (error: HermesError, operation: string) => void
}
