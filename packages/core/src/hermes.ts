/** One home as a host has it: sessions, stores, decisions and upkeep. Made by `createHermes`, or by the homes of a server. */

import type { HermesCurator } from './curator/hermes-curator.ts'
import type { ForgetTarget } from './erasure/erase-target.ts'
import type { ForgetOptions } from './erasure/forget.ts'
import type { ForgetReceipt } from './erasure/forget-receipt.ts'
import type { Journal } from './journal/journal.ts'
import type { MemoryStore } from './memory/memory-store.ts'
import type { HostModel } from './model/host-model.ts'
import type { ImportOptions, ImportReport } from './portability/import-report.ts'
import type { PendingDecisions } from './session/decide-pending.ts'
import type { WiringFailure } from './session/hermes-event.ts'
import type { ReviewRun } from './session/run-review.ts'
import type { EndOptions, Session, SessionCheckpoint } from './session/session.ts'
import type { ToolCallReference } from './session/session-of-call.ts'
import type { SharedTools } from './session/shared-tools.ts'
import type { Result } from './shared/result.ts'
import type { SkillReader } from './skills/skill-reader.ts'
import type { SkillStore } from './skills/skill-store.ts'
import type { UsageStore } from './usage/usage-store.ts'

export interface ReviewOptions extends EndOptions {
  /** Default: `review.model`, else the model of the newest turn in this process. */
  readonly model?: HostModel
}

/** The memory of one person, shared by all their sessions. A server of many people has `createHermesHomes`. */
export interface Hermes extends SharedTools {
  /**
   * A cheap handle; it loads or resumes on first use. The same id is the same session, in whichever process. Without an id: a new session.
   * Throws a TypeError for an id that is empty, over 512 characters or holds half a character.
   * `checkpoint`: for adapters whose framework keeps state of its own; it counts only where the storage has no record of the session.
   */
  session(id?: string, checkpoint?: SessionCheckpoint): Session
  /**
   * A store over the same files with the same limits, for a host that shows or edits memory itself. Call `load()` first. What is written through it is in the
   * journal; where that fails the write stands, and the failure is an event.
   */
  memoryStore(): MemoryStore
  /** The skills of this home, for a host that shows or edits them itself; always the same store, journalled like `memoryStore()`. Not affected by `skills.enabled`. */
  skillStore(): SkillStore
  /** What the agent can read: the skills of this home, and those of `skills.shared` behind them, which have `sharedFrom`. Not affected by `skills.enabled`. */
  skillReader(): SkillReader
  /** What is counted for each skill, and its state; always the same store. */
  usageStore(): UsageStore
  /** Every proposal of the loop and what became of it, and every write of a person or the host's code through this object, kept for `journal.retainDays`. */
  readonly journal: Pick<Journal, 'list'>
  /** Held proposals: a person or the host's code approves or rejects them. Never hand this to the agent. */
  readonly pending: PendingDecisions
  /** The upkeep of the skills of this home: `await hermes.curator.maybeRun()` at start and when nobody works. Not affected by `skills.enabled`. */
  readonly curator: HermesCurator
  /**
   * Removes what is kept of a session: its record with the text that no review has read, and copies of it that could not be read. What was learned from it stays. It does not come back with
   * a save that is under way, in whichever process. Handles of it keep nothing any more; `session(id)` begins anew. Throws a TypeError as `session` does.
   */
  forgetSession(id: string): Promise<Result<void>>
  /**
   * Reviews now what no review has read, over all sessions of the home, where it is at least `minTurns` turns (default `nudge.minTurns`). The model is the one given
   * here, else `review.model`, else that of the newest turn in this process. Resolves when the review is over; an error where it failed. Never rejects.
   */
  review(options?: ReviewOptions): Promise<Result<ReviewRun>>
  /**
   * For tools that serve many sessions: the session whose model made the call, by what `session.noteToolCall` reported. Undefined where that is not known, or in
   * doubt. Never throws.
   */
  sessionOfCall(call: ToolCallReference): Session | undefined
  /**
   * What was learned, as one `.tar.gz` that any tool opens: memory, skills, journal, what waits for a decision. Equal homes give equal bytes. Not in it: conversations,
   * settings, backups.
   */
  export(): Promise<Result<Uint8Array>>
  /**
   * Merges an export into this home. It overwrites nothing; what is refused is named in the report, and a second time changes nothing. An archive may claim whose
   * words its entries are, so a person runs this, never the agent; `trusted: false` takes all of it as text from outside.
   */
  import(archive: Uint8Array, options?: ImportOptions): Promise<Result<ImportReport>>
  /**
   * Erases a text, an entry of memory or a session from everything that this home keeps: memory, its archive and copies, journal, held proposals, session
   * records, reports, backups. The receipt says what went and what remains where. The frozen text of open sessions loses it too. The same call again finishes
   * what was interrupted. `invalid` for what cannot be searched for, `ambiguous` where several entries hold the text.
   */
  forget(target: ForgetTarget, options?: ForgetOptions): Promise<Result<ForgetReceipt>>
  /** A call that belongs to no session was wired up wrongly: an event. For adapters. Never throws. */
  reportWiring(failure: WiringFailure): void
  /** Resolves when everything behind the turns of all sessions is done, and every run of the curator that was begun here. Never rejects. */
  settled(): Promise<void>
  /**
   * Calls off the reviews and runs of the curator that are under way, saves what there is to save, and closes the storage. Takes at most a second on a storage that
   * answers. What a review had not read yet the next one reads.
   */
  close(): Promise<void>
}
