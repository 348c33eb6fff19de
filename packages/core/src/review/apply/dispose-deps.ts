/** What disposing of a proposal needs; any `MemoryStore` fits the store. */
import type { GateContext, ReviewGate } from '../../gate/review-gate.ts'
import type { Journal } from '../../journal/journal.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import type { Pending } from '../../journal/pending.ts'
import type { EntryFacts, EntryOrigin } from '../../memory/entry-facts.ts'
import type { MemoryOp, MemoryOpOutcome, MemoryTarget } from '../../memory/memory-op.ts'
import type { MemoryWriter } from '../../memory/memory-write.ts'
import type { MemorySource } from '../../memory/provenance.ts'
import type { Clock } from '../../shared/clock.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import type { Result } from '../../shared/result.ts'
import type { SkillReader } from '../../skills/skill-reader.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageStore } from '../../usage/usage-store.ts'

export interface SkillDisposeDeps {
  /** What is written, and read for it: the skills of the home. */
  readonly store: SkillStore
  /** What the agent sees: those skills, and shared ones behind them. Default: `store`. */
  readonly reader?: SkillReader
  readonly usage: UsageStore
  /** Where the marks lie that say which skills came with the product, from a hub, or were handed over. */
  readonly storage: StorageBackend
  /** Tells which grants of a person still hold. Default: the machine's time. */
  readonly clock?: Clock
  /**
   * An unattended review may only change what it was shown in full: document path (such as `skills/devops/deploy/SKILL.md`) → version shown.
   * Undefined: not checked, for calls in front of the user.
   */
  readonly shown?: ReadonlyMap<string, string>
  /** Names of the skills that the session under review had loaded. Default: none. */
  readonly loaded?: ReadonlySet<string>
  /** Called with each file that was written, and its new version: its writer knows that text as if it had been shown. */
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
  /** The entries as they are now; without it the gate sees none. */
  current?(target: MemoryTarget): Promise<Result<readonly string[]>>
  origins?(target: MemoryTarget): ReadonlyMap<string, EntryOrigin>
  /** What is known of the entries, pins included; without it none counts as pinned. */
  facts?(target: MemoryTarget): Promise<Result<readonly EntryFacts[]>>
}

export interface DisposeDeps {
  readonly gate: ReviewGate
  readonly store: WritableStore
  /** Where skills are written. Default: a proposal for a skill fails with `disabled`. */
  readonly skills?: SkillDisposeDeps
  /**
   * What the gate sees, asked anew for each proposal. What it leaves out is the store's as it is then; without it there is no transcript, and all but the agent's own
   * calls are unattended.
   */
  readonly context?: () => Partial<GateContext> | Promise<Partial<GateContext>>
  readonly journal?: Pick<Journal, 'append'>
  /** Where held proposals wait. */
  readonly pending?: Pick<Pending, 'hold'>
  /** For the pass over the own words: what waits and is settled by what it writes. */
  readonly waiting?: Pick<Pending, 'list' | 'remove'>
  readonly sessionId?: string
  /** The model that proposes, as its provider names it; undefined where it is not known. Kept with what is written to skills. */
  readonly model?: () => string | undefined
  /** What the reviewer was shown, for the journal. */
  readonly pass?: JournalRecord['pass']
  /** Default `review`. */
  readonly actor?: JournalRecord['actor']
  /** Called where a journal or a queue could not be written; the write itself stays. */
  readonly onFailure?: (error: HermesError, operation: string) => void
}
