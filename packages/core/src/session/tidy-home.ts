/** What is cleared away behind the start of a session: records of sessions that nobody uses, and journal records past their time. */
import { tidyJournal } from '../journal/tidy-journal.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { pruneSessions } from './prune-sessions.ts'

export interface TidyHomeOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Days after which an unused session record is removed; 0 = never. */
  readonly retainDays: number
  readonly journalRetainDays: number | 'forever'
  readonly onFailure: (operation: string, error: HermesError) => void
}

export const pruneOldSessions = async ({ storage, clock, retainDays, onFailure }: TidyHomeOptions): Promise<void> => {
  const pruned = await pruneSessions(storage, retainDays, clock)
  if (!pruned.ok) onFailure('prune sessions', pruned.error)
}

export const tidyOldJournal = async ({ storage, clock, journalRetainDays, onFailure }: TidyHomeOptions): Promise<void> => {
  const tidied = await tidyJournal({ storage, clock, retainDays: journalRetainDays })
  for (const problem of tidied.ok ? (tidied.value?.problems ?? []) : [tidied.error]) onFailure('tidy journal', problem)
}
