/** What a home uses of its memory provider, what the connection needs of the home, and what it reports. */
import type { OwnerId } from '../homes/owner.ts'
import type { EntryChanges } from '../memory/describe-change.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { ArchivedItem, MemoryProvider, ProviderForgetTarget, ProviderTool, SessionSwitch } from './memory-provider.ts'

/** Every hook is guarded and timed, so that a session never has to handle its failures: no method throws or rejects. */
export interface ProviderConnection {
  readonly name: string
  /** `''` if there is none. */
  readonly systemPromptBlock: string
  readonly tools: readonly ProviderTool[]
  /** Nothing waits for it. */
  turnStarted(turn: { readonly sessionId: string; readonly text: string }): void
  /** Texts for the user's words, cleaned of fences, the most relevant first; none if the provider failed or is skipped. At most `maxChars` together. */
  recall(query: { readonly sessionId: string; readonly text: string; readonly known: ReadonlySet<string> }): Promise<readonly string[]>
  /** Resolves when the turn is stored for delivery; it is delivered behind. */
  turnFinished(turn: FinishedProviderTurn): Promise<void>
  memoryWritten(write: EntryChanges & { readonly target: MemoryTarget; readonly sessionId?: string }): Promise<void>
  sessionSwitched(change: Pick<SessionSwitch, 'from' | 'to' | 'reason'>): Promise<void>
  sessionEnded(sessionId: string): Promise<void>
  /** `''` for nothing. */
  beforeCompress(
    sessionId: string,
    messages: readonly { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string }[],
  ): Promise<string>
  /** An answer for the model, also for a failure. */
  callTool(name: string, input: unknown, sessionId: string): Promise<Readonly<Record<string, unknown>>>
  /** Also removes what waits for delivery. The number of things concerned, in the provider and waiting. Fails with `provider` if the hook fails or is missing. */
  forget(target: ProviderForgetTarget): Promise<Result<number>>
  /** True if nothing waits for delivery in this process and no hook runs. */
  readonly idle: boolean
  /** True if closing interrupts and loses nothing: what waits for a later attempt is stored. */
  readonly canClose: boolean
  /** Resolves when everything that waits has been tried once. */
  settled(): Promise<void>
  /** Delivers what other processes have left, also if the provider was not used before. Resolves as `settled`. */
  deliver(): Promise<void>
  /** As `close`, until the next call, which opens the provider again. Returns at once. */
  release(limitMs: number): void
  /** Tries to deliver what waits, for at most `limitMs` (0: nothing more is delivered), then shuts the provider down. What was not delivered stays stored. */
  close(limitMs: number): Promise<void>
}

export interface FinishedProviderTurn {
  readonly sessionId: string
  readonly user: string
  readonly assistant: string
  readonly automated: boolean
}

export interface ProviderTimers {
  /** Calls `then` after `ms` milliseconds; returns what cancels it. `keepsAlive`: the process does not end before. */
  after(ms: number, keepsAlive: boolean, then: () => void): () => void
}

/** The home, as `ProviderHome` describes it, with its storage. */
export interface ConnectedHome {
  /** Undefined for a storage with a single home. */
  readonly owner: OwnerId | undefined
  folder(): string | Promise<string>
  readonly storage: StorageBackend
  archived(): Promise<Result<readonly ArchivedItem[]>>
}

export interface ProviderConnectionOptions {
  readonly provider: MemoryProvider
  readonly home: ConnectedHome
  readonly clock: Clock
  readonly createId: () => string
  /** Milliseconds for each hook. */
  readonly timeoutMs: number
  /** Maximum UTF-16 characters that are recalled for a turn; 0 asks for none. */
  readonly recallChars: number
  /** False: what waits for delivery is kept in memory only. */
  readonly keepText: boolean
  readonly emit: (event: ProviderEvent) => void
  /** Starts work behind the turn. */
  readonly run: (work: () => Promise<void>) => void
  /** Default: the system's. */
  readonly timers?: ProviderTimers
}

/** `provider`: its name. */
export type ProviderEvent = ProviderHappening & { readonly at: number; readonly provider: string }

type ProviderHappening =
  /**
   * A hook failed, took too long or returned something unusable; the work continued without it. `operation`: the name of the hook; `tool:` with the name of a tool;
   * `report` for what the provider reported itself; `outbox` if what waits for delivery could not be read or stored.
   */
  | { readonly type: 'provider-failed'; readonly operation: string; readonly error: HermesError }
  /** A hook took too long, or three in a row failed: until `until` (epoch milliseconds) the provider is not called. Then it is tried again by itself. `error`: the last one. */
  | { readonly type: 'provider-paused'; readonly until: number; readonly error: HermesError }
  /** The first call after a pause succeeded. */
  | { readonly type: 'provider-resumed' }
  /** More waited for delivery than is kept, or the provider refused it. `items`: number of the oldest ones that are lost. */
  | { readonly type: 'provider-dropped'; readonly items: number }
  /** The provider was asked for a turn. `texts`: number of texts that the turn is shown; `chars`: their length; `ms`: how long the turn waited. */
  | { readonly type: 'recalled'; readonly sessionId: string; readonly texts: number; readonly chars: number; readonly ms: number }
