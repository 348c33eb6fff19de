/** What a connection to a memory provider needs from its home. */
import type { OwnerId } from '../homes/owner.ts'
import type { Clock } from '../shared/clock.ts'
import type { Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { ArchivedItem, MemoryProvider } from './memory-provider.ts'
import type { ProviderEvent } from './provider-event.ts'
import type { ProviderTimers } from './provider-timers.ts'

/** The home, as `ProviderHome` describes it, with its storage. */
export interface ConnectedHome {
  /** Undefined for a storage with a single home. */
  readonly owner: OwnerId | undefined
  readonly folder: string
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
