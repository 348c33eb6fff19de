/**
 * The port of an external memory provider (DESIGN 5, reference hermes-memory 11): finds what was said in the past when it is needed, beside the two small files
 * that are always in the prompt. A home has at most one.
 */
import type { OwnerId } from '../homes/owner.ts'
import type { EntryChanges } from '../memory/describe-change.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'

/** One provider serves all homes of a process; `initialize` opens it for one of them. */
export interface MemoryProvider {
  /** For events, errors and stored documents: 1 to 64 characters of `a-z`, `0-9`, `-` and `_`, beginning with a letter. */
  readonly name: string
  /**
   * Frozen into the system prompt after memory and skills, such as how to use the tools. At most 2,000 code points. The same text for every home: nothing that was
   * recalled belongs into it.
   */
  readonly systemPromptBlock?: string
  /** Offered to the agent beside Hermes' own tools, whose names they cannot take. Their results count as text from outside. */
  readonly tools?: readonly ProviderTool[]
  /**
   * True: the provider keeps projects apart. What it is told in a session of a project it never shows in a session of another, or of none; what it is told in a
   * session of none it may show in all. Without it, the provider is told and asked nothing in a session of a project, and its tools do not work there.
   */
  readonly projects?: boolean
  /**
   * Opens the provider for one home; called once in each process before any other hook, and again after it failed. What it returns belongs to this home alone, so it
   * cannot mix owners. Time limit of this and every hook: `memory.providerTimeoutMs`; ten times that for what nothing waits for and for tools; forty times for `forget`.
   */
  initialize(home: ProviderHome, call: ProviderCall): HomeProvider | Promise<HomeProvider>
}

/** A tool for the agent, run by `HomeProvider.callTool`. */
export interface ProviderTool {
  readonly name: string
  readonly description: string
  /** A JSON schema of type `object`. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** The home that a provider is opened for. */
export interface ProviderHome {
  /** Undefined if the storage is the home of a single person. */
  readonly owner?: OwnerId
  /**
   * A relative folder that belongs to this owner alone, such as `homes/acme/ada`; `''` for a single person. Safe in a path: only `a-z`, `0-9`, `_`, `-` and `~` between
   * slashes.
   */
  readonly folder: string
  readonly clock: Clock
  /** What was moved out of sight: archived memory entries and archived skills. */
  archived(): Promise<Result<readonly ArchivedItem[]>>
  /** Reports a problem that did not fail a call, as the event `provider-failed`. */
  report(problem: HermesError): void
}

/** An archived memory entry or skill. */
export interface ArchivedItem {
  readonly kind: 'entry' | 'skill'
  /** Unique in its home and constant. */
  readonly id: string
  /** The memory that it was in, or the name of the skill. */
  readonly title: string
  readonly text: string
  /** When it was archived, in epoch milliseconds. */
  readonly at: number
}

/** Passed to every hook. */
export interface ProviderCall {
  /** Fires when the time limit has passed; what the hook returns is then ignored. */
  readonly signal: AbortSignal
}

/**
 * The provider of one home. Every hook is optional, may throw or reject, and is then an event; nothing that it does fails or delays a turn beyond the time limit.
 * After a time-out, or three failures in a row, the provider is skipped for a while, visibly, and tried again by itself.
 */
export interface HomeProvider {
  /** A user turn has begun; called before `prefetch`. Nothing waits for it. */
  onTurnStart?(turn: TurnStart, call: ProviderCall): void | Promise<void>
  /**
   * What is known about the user's words: one text, or several that are each understandable alone, the most relevant first. Called once for each user turn, and the
   * model call waits for it. What does not fit into `maxChars` is dropped, whole texts at a time, and so are texts that the session was already shown.
   */
  prefetch?(query: RecallQuery, call: ProviderCall): Promise<string | readonly string[]>
  /** A turn has ended: time to prepare for the next. Nothing waits for it. */
  queuePrefetch?(query: RecallQuery, call: ProviderCall): void | Promise<void>
  /**
   * Stores a finished turn. Delivered in order, one at a time, from a stored queue, again after a failure or a crash: a turn whose `id` is known must change nothing.
   * Reject with a `HermesError` of code `invalid` for what can never be stored: it is then dropped, visibly, and does not hold up the rest.
   */
  syncTurn?(turn: ProviderTurn, call: ProviderCall): Promise<void>
  /** Memory was written, by any writer. Delivered like `syncTurn`. */
  onMemoryWrite?(write: ProviderMemoryWrite, call: ProviderCall): Promise<void>
  /** The host is about to compact a conversation: what should survive, for the prompt that summarises it. `''` for nothing. */
  onPreCompress?(conversation: CompressedConversation, call: ProviderCall): Promise<string>
  /** The conversation goes on under another id. Delivered like `syncTurn`. */
  onSessionSwitch?(change: SessionSwitch, call: ProviderCall): Promise<void>
  /** The conversation has ended, or is about to be compacted. Delivered like `syncTurn`. */
  onSessionEnd?(end: SessionEnded, call: ProviderCall): Promise<void>
  /** Runs a tool of `MemoryProvider.tools`. The answer is a JSON object for the model. */
  callTool?(tool: ProviderToolCall, call: ProviderCall): Promise<Readonly<Record<string, unknown>>>
  /** Erases, or with `dryRun` only counts. Resolves to the number of stored things that are concerned. Without this hook, a receipt names the provider as remaining. */
  forget?(target: ProviderForgetTarget, call: ProviderCall): Promise<number>
  /** Releases what `initialize` opened. The last call. */
  shutdown?(call: ProviderCall): Promise<void>
}

/** Whose words they are, or who asks. */
export interface ProviderPlace {
  readonly sessionId: string
  /** The project of the session; absent if it has none. Only providers with `projects` see one. */
  readonly project?: string
}

export interface TurnStart extends ProviderPlace {
  /** The user's own words. */
  readonly text: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface RecallQuery extends TurnStart {
  /** Maximum UTF-16 characters of all texts together. */
  readonly maxChars: number
}

/** A finished turn, with credentials redacted. Of a text longer than 32,000 code points, the beginning is given. */
export interface ProviderTurn extends ProviderPlace {
  /** Unique in its home; the same whenever the turn is delivered again. */
  readonly id: string
  /** Epoch milliseconds of the end of the turn. */
  readonly at: number
  /** The user's message, without recalled text. */
  readonly user: string
  /** What the agent answered, without the results of tools. */
  readonly assistant: string
  /** True if no person was there: a scheduled or background run. */
  readonly automated: boolean
}

/** A change of memory. */
export interface ProviderMemoryWrite extends EntryChanges {
  /** Unique in its home; the same whenever the write is delivered again. */
  readonly id: string
  readonly at: number
  /** `project`: told only to providers with `projects`. */
  readonly target: MemoryTarget
  /** Whose notes they are, for the target `project`. The person's own files are seen in every project. */
  readonly project?: string
  readonly sessionId?: string
}

export interface CompressedConversation extends ProviderPlace {
  readonly messages: readonly { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string }[]
}

export interface SessionSwitch extends Pick<ProviderPlace, 'project'> {
  readonly id: string
  readonly from: string
  readonly to: string
  /** `compress`: the same conversation, shortened. `branch`: a copy goes on. `new`: the user began anew. */
  readonly reason: 'compress' | 'branch' | 'new'
  readonly at: number
}

export interface SessionEnded extends ProviderPlace {
  readonly id: string
  readonly at: number
}

export interface ProviderToolCall extends ProviderPlace {
  readonly name: string
  /** Unchecked: what the model wrote, if it is an object. */
  readonly input: Readonly<Record<string, unknown>>
}

/** `text`: everything that contains it, as `matches` decides; case, white space and Unicode form do not count. */
export type ProviderForgetTarget = (
  | { readonly kind: 'text'; readonly text: string; readonly matches: (stored: string) => boolean }
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'all' }
) & { readonly dryRun: boolean }
