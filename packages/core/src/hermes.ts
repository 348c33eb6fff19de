/** The interface of one home: sessions, stores, decisions and upkeep. Created by `createHermes` or `createHermesHomes`. */

import type { HermesCurator } from './curator/curator.ts'
import type { ForgetTarget } from './erasure/find-texts.ts'
import type { ForgetOptions } from './erasure/forget.ts'
import type { ForgetReceipt } from './erasure/forget-receipt.ts'
import type { HermesLearn } from './home-learn.ts'
import type { HermesMemory, OfProject } from './home-memory.ts'
import type { HermesProfile } from './home-profile.ts'
import type { RecallOptions, Remembered, RememberOptions } from './home-remember.ts'
import type { Undone, UndoOptions } from './home-undo.ts'
import type { Journal } from './journal/journal.ts'
import type { MemoryStore } from './memory/memory-store.ts'
import type { AnyProfile } from './memory/profile-schema.ts'
import type { HostModel } from './model/host-model.ts'
import type { ImportOptions, ImportReport } from './portability/import-report.ts'
import type { TurnMessage } from './proposal/turn-message.ts'
import type { PendingDecisions } from './review/decide-pending.ts'
import type { WiringFailure } from './session/hermes-event.ts'
import type { ReviewDue } from './session/review-due.ts'
import type { ReviewRun } from './session/review-request.ts'
import type { EndOptions, OpenOptions, Session } from './session/session.ts'
import type { ToolCallReference } from './session/session-nesting.ts'
import type { SessionReader } from './session/session-reader.ts'
import type { SharedTools } from './session/tool-calls.ts'
import type { Result } from './shared/result.ts'
import type { SkillReader } from './skills/skill-reader.ts'
import type { SkillStore } from './skills/skill-store.ts'
import type { UsageStore } from './usage/usage-store.ts'
import type { WorkOptions, WorkReport } from './work-reviews.ts'

export interface ReviewOptions extends EndOptions {
  /** Default: `review.model`, else the model of the newest turn in this process. */
  readonly model?: HostModel
}

/** The home of one person, shared by all their sessions. For a server with many users, see `createHermesHomes`. */
export interface Hermes<Profile = AnyProfile> extends SharedTools {
  /**
   * A cheap handle that loads or resumes the session on first use. The same id is the same session in every process; without an id, the session is new.
   * Throws a TypeError for an id that is empty, has over 512 characters or holds half a character.
   * Throws a TypeError too for a session that is open in this process with another project; one that began with another project in another process goes on without memory, and
   * an event says so.
   */
  session(id?: string, options?: OpenOptions): Session
  /** What is remembered: list, add, replace, remove, pin and explain entries. For the host's code; the agent has its tool. */
  readonly memory: HermesMemory
  /** What is known of the user in the fields of `profile` of `createHermes`. For the host's code; reviews propose values too. */
  readonly profile: HermesProfile<Profile>
  /**
   * A store over the same files with the same limits, for what `memory` has no verb: batches, the frozen text, the archive. `entries()` and `renderSnapshot()` are
   * of its last `load()`. `project`: whose notes are its store `project`; throws a TypeError for a name that no project can have. A write and its record in the journal are one update: if either fails, neither is written.
   */
  memoryStore(options?: OfProject): MemoryStore
  /** The projects that anything is stored of, by name. */
  projects(): Promise<Result<readonly string[]>>
  /** The skills of this home, for a host that shows or edits them. Always the same store. Writes are recorded in the journal. Not affected by `skills.enabled`. */
  skillStore(): SkillStore
  /** What the agent can read: the skills of this home, then those of `skills.shared`, which have `sharedFrom`. Not affected by `skills.enabled`. */
  skillReader(): SkillReader
  /** The usage counts and the state of each skill. Always the same store. */
  usageStore(): UsageStore
  /** Every proposal of the loop with what became of it, and every write of a person or the host's code through this object. Kept for `journal.retainDays`. */
  readonly journal: Pick<Journal, 'list'>
  /** The stored sessions and their frozen texts, for a host that shows them. Starts no session. */
  readonly sessions: SessionReader
  /** Held proposals, for a person or the host's code to approve or reject. Never pass this to the agent. */
  readonly pending: PendingDecisions
  /** Learns from documents and old conversations, in batches, each through the same passes and the same gate as a review. */
  readonly learn: HermesLearn
  /**
   * Reviews a conversation now, through the passes and the gate of any other review, and says what was written, what waits for a person and what was refused. For a
   * program that keeps its conversations itself: what a session records is reviewed by itself, and is learned twice if it is given here too. A text is what the user said;
   * of messages, those of the user are the user's own words, except what they quote and those that are `outside`. One `undo` takes all of it back. Fails with `model` without a model,
   * `locked` if another review of the home is running, `over_limit` for more than 100 turns or more text than one review reads. Never rejects.
   */
  remember(messages: string | readonly TurnMessage[], options?: RememberOptions): Promise<Result<Remembered>>
  /**
   * Texts that the memory provider finds for a query, the most relevant first, at most `memory.recallChars` together. Text from outside: pass it through `fenceContext` of
   * `@hermes/core/provider` before a model reads it. A provider that fails finds nothing, and is an event. Fails with `disabled` without a provider.
   */
  recall(query: string, options?: RecallOptions): Promise<Result<readonly string[]>>
  /**
   * Takes the last write back, whoever made it: all that a review, an act of learning, an undo, a decision or one call wrote. With the id of a journal record (or its
   * beginning), that record, together with the rest of its decision or merge; with the `review` of records, all that it wrote; with a list of ids, those records. One update, all or nothing; its own records say which ones they take
   * back, so that a second call takes the undo back. Fails with `not_found` for an unknown id, `ambiguous` for the beginning of several, `drift` if what was written has
   * been changed since, `rejected` if it cannot be undone or has been already; the message says what to do, and `details.records` has the ids. For a person or the
   * host's code: never offer it to the agent.
   */
  undo(ids?: string | readonly string[], options?: UndoOptions): Promise<Result<Undone>>
  /** The upkeep of the skills of this home: call `await hermes.curator.maybeRun()` at start and when idle. Not affected by `skills.enabled`. */
  readonly curator: HermesCurator
  /**
   * Removes the record of a session, with its unread text, and unreadable copies of it. What was learned from the session stays. A save that is in progress in any
   * process does not restore it. Old handles store nothing any more; `session(id)` starts a new session. What the memory provider has of the session is erased too; fails
   * with `provider` if it could not. Throws a TypeError as `session` does.
   */
  forgetSession(id: string): Promise<Result<void>>
  /**
   * Reviews the unread turns of all sessions of the home, if there are at least `minTurns` (default `nudge.minTurns`). Uses the model given here, else `review.model`,
   * else the model of the newest turn in this process. Resolves when the review has ended, with an error if it failed. Never rejects.
   */
  review(options?: ReviewOptions): Promise<Result<ReviewRun>>
  /**
   * Whether a review is due, once the turns of this process are saved, for a host that starts a process for it (`review.start: 'manual'`): there, call `review()`. Also
   * tells what the host's own calls and reviews have cost in the last seven days. Reads only. Never rejects.
   */
  reviewDue(): Promise<Result<ReviewDue>>
  /**
   * Runs the reviews that `review.queue` has due, with `review.model`, until `signal` fires; with `once`, until nothing is due. Resolves to what was done. Fails with
   * `invalid` without a queue or a model. Never rejects.
   */
  work(options?: WorkOptions): Promise<Result<WorkReport>>
  /** For tools that serve many sessions: the session whose model made the call, as reported by `session.noteToolCall`. `undefined` if unknown or ambiguous. Never throws. */
  sessionOfCall(call: ToolCallReference): Session | undefined
  /** Exports memory, skills, journal and held proposals as one `.tar.gz`, without conversations, settings and backups. Equal homes give equal bytes. */
  export(): Promise<Result<Uint8Array>>
  /**
   * Merges an export into this home. Overwrites nothing; the report lists refused items; a second import changes nothing. An archive can claim any origin for its
   * entries, so this is for a person, never for the agent; `trusted: false` treats everything in it as external text.
   */
  import(archive: Uint8Array, options?: ImportOptions): Promise<Result<ImportReport>>
  /**
   * Erases a text, a memory entry or a session from this home: memory, its archive and copies, journal, held proposals, session records, reports, backups, the
   * frozen text of open sessions, and the memory provider. The receipt counts what was erased and lists what remains. After an interruption, call it again to finish. Fails with `invalid` for
   * a malformed target, `ambiguous` if several entries contain the text.
   */
  forget(target: ForgetTarget, options?: ForgetOptions): Promise<Result<ForgetReceipt>>
  /** For adapters: reports a call without a session, caused by wrong wiring, as an event. Never throws. */
  reportWiring(failure: WiringFailure): void
  /** Resolves when the background work of all sessions and all curator runs of this object are done. Never rejects. */
  settled(): Promise<void>
  /**
   * Cancels running reviews and curator runs, saves unsaved data and closes the storage. Takes at most a second if the storage responds. The next review reads the
   * turns that a cancelled one had not read.
   */
  close(): Promise<void>
}
