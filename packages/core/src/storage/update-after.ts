/** An update of what has to be prepared asynchronously, such as packing a backup. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import type { Cut, Paths, Plan, StorageBackend } from './storage-backend.ts'

/** What a plan returns if the prepared no longer fits what it finds: the update begins again. */
export const STALE: unique symbol = Symbol.for('hermes.stale')

const MOST_TRIES = 20

class Stale extends Error {}

/**
 * Reads a cut of `read`, prepares something of it, and updates with a plan that has both. A plan that returns `STALE`, because a stamp or a text has changed,
 * writes nothing; then all of it begins again, at most 20 times.
 */
export const updateAfter = async <P, T>(
  storage: Pick<StorageBackend, 'read' | 'update'>,
  paths: Paths,
  prepare: (cut: Cut) => Promise<Result<P>>,
  plan: (cut: Cut, prepared: P) => Plan<T> | typeof STALE,
): Promise<Result<T>> => {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const cut = await storage.read(paths)
    if (!cut.ok) return cut
    const prepared = await prepare(cut.value)
    if (!prepared.ok) return prepared
    try {
      return await storage.update(paths, (fresh) => {
        const planned = plan(fresh, prepared.value)
        if (planned === STALE) throw new Stale()
        return planned
      })
    } catch (cause) {
      if (!(cause instanceof Stale)) throw cause
    }
  }
  return err(new HermesError('locked', `Others changed the same documents ${MOST_TRIES} times in a row. Nothing was written; try again.`))
}
