/** Work that reads and writes many times, as one update. */
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { err, type Result } from '../shared/result.ts'
import { STALE } from './state-read.ts'
import type { Cut, Paths, Plan, StorageBackend } from './storage-backend.ts'
import { Transaction } from './transaction.ts'

const MOST_TRIES = 20

export interface LastPlan<T> {
  /** What `plan` names beside what the work has read and changed. */
  readonly paths: Paths
  /** Decides in the same update whether the work counts, such as by its lease: what it throws is thrown, and nothing was written. */
  readonly plan: (cut: Cut) => Plan<T>
}

/**
 * Runs `work` over a storage of its own and writes what it did there in one update; an error of the work writes nothing. If something that the work had read
 * has changed meanwhile, it runs again, at most 20 times, so it does nothing else than that.
 */
export const inTransaction = async <T, U = undefined>(
  storage: Pick<StorageBackend, 'read' | 'update'>,
  work: (storage: StorageBackend) => Promise<Result<T>>,
  last?: (done: T) => LastPlan<U>,
): Promise<Result<T>> => {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const transaction = new Transaction(storage)
    const done = await work(transaction)
    if (!done.ok) {
      // It may be the error of a state that never was.
      if (await transaction.isStale()) continue
      return done
    }
    if (transaction.isEmpty && !last) return done
    const { paths, plan }: LastPlan<unknown> = last?.(done.value) ?? { paths: [], plan: () => ({ value: undefined }) }
    const committed = await transaction.commit(paths, plan)
    if (!committed.ok) return committed
    if (committed.value !== STALE) return done
    await pause(tries)
  }
  return err(new HermesError('locked', `Others changed the same documents ${MOST_TRIES} times in a row. Nothing was written; try again.`))
}
