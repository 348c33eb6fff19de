/** What the connection to a memory provider needs of its home, and what it reports. */
import type { OwnerId } from '../homes/owner.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { ArchivedItem, MemoryProvider } from './memory-provider.ts'

export interface ProviderTimers {
  /** Calls `then` after `ms` milliseconds; returns what cancels it. `keepsAlive`: the process does not end before. */
  after(ms: number, keepsAlive: boolean, then: () => void): () => void
}

export interface ProviderConnectionOptions {
  readonly provider: MemoryProvider
  /** As `ProviderHome` describes it, with its storage. */
  readonly home: {
    /** Undefined for a storage with a single home. */
    readonly owner: OwnerId | undefined
    folder(): string | Promise<string>
    readonly storage: StorageBackend
    archived(): Promise<Result<readonly ArchivedItem[]>>
  }
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
   * `report` for what the provider reported itself; `outbox` if what waits for delivery could not be read or stored; `projects`, once in each process,
   * if it does not keep projects apart and a session of one therefore goes without it.
   */
  | { readonly type: 'provider-failed'; readonly operation: string; readonly error: HermesError }
  /** A hook took too long, or three in a row failed: until `until` (epoch milliseconds) the provider is not called. Then it is tried again by itself. `error`: the last one. */
  | { readonly type: 'provider-paused'; readonly until: number; readonly error: HermesError }
  /** The first call after a pause succeeded. */
  | { readonly type: 'provider-resumed' }
  /**
   * Items are lost: more waited for delivery than is kept, the provider refused them, or they could not be stored (with `keepText: false` are not), and the home was
   * closed or another process erased something. `items`: their number.
   */
  | { readonly type: 'provider-dropped'; readonly items: number }
  /** The provider was asked for a turn. `texts`: number of texts that the turn is shown; `chars`: their length; `ms`: how long the turn waited. */
  | { readonly type: 'recalled'; readonly sessionId: string; readonly texts: number; readonly chars: number; readonly ms: number }
