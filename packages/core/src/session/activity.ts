/** Records when the agent was last used: in memory for this process, and in the storage for other processes. */
import { ACTIVITY_GRAIN_MS } from '../curator/curator-options.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { withLate } from '../shared/load-late.ts'
import type { Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'

export interface Activity {
  /** Notes activity. Returns the write to run behind the turn, at most once in ten minutes; usually undefined. */
  note(): (() => Promise<Result<void>>) | undefined
  /** Epoch milliseconds; undefined before the first activity in this process. */
  readonly lastStepAt: number | undefined
}

export const createActivity = ({ storage, clock }: { readonly storage: StorageBackend; readonly clock: Clock }): Activity => {
  let lastStepAt: number | undefined
  let recordedAt: number | undefined
  return {
    note() {
      const at = clock()
      lastStepAt = at
      // A clock that was set back counts as a new time.
      if (recordedAt !== undefined && recordedAt <= at && at - recordedAt < ACTIVITY_GRAIN_MS) return undefined
      recordedAt = at
      return () =>
        withLate(
          'The code that records activity',
          () => import('../curator/active-days.ts'),
          ({ recordActivity }) => recordActivity(storage, clock),
        )
    },
    get lastStepAt() {
      return lastStepAt
    },
  }
}

/** Runs the write that `note()` returned. */
export const writeActivity = async (
  write: () => Promise<Result<void>>,
  onFailure: (operation: string, error: HermesError) => void,
): Promise<void> => {
  const written = await write()
  if (!written.ok) onFailure('record activity', written.error)
}
