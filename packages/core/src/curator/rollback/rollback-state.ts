/** The journal of a rollback: one document that exists from before the first change until after the last (seed 003). */
import * as z from 'zod/mini'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { type LimitedSchema, libraryDocument } from '../../storage/json-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { isBackupId } from '../backup/backup-name.ts'
import { BACKUPS_FOLDER } from '../backup/backup-scope.ts'
import { writeAhead } from '../write-ahead.ts'

/** Exists only while a rollback is under way or unfinished. */
export const ROLLBACK_STATE_PATH = `${BACKUPS_FOLDER}/.rollback.json`

const LEASE_OWNER = 'rollback-'

/** The lease owner of a rollback, which holds the curator's lease so that no run begins meanwhile. */
export const leaseOwner = ({ safety }: Pick<RollbackState, 'safety'>): string => `${LEASE_OWNER}${safety}`

/** Whether the lease belongs to a rollback, in progress or dead. */
export const isLeaseOwner = (owner: string): boolean => owner.startsWith(LEASE_OWNER)

/** A rollback in progress: for the status and for resuming. */
export interface RollbackState {
  /** Id of the backup to restore. */
  readonly target: string
  /** Id of the backup of the previous state. */
  readonly safety: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** `undo`: the target was unusable, and the library returns to the safety snapshot. */
  readonly direction: 'forward' | 'undo'
  /** The library is not changed before `swapping`. */
  readonly phase: 'staging' | 'swapping'
  /** Skills that are not in the target; `path` is relative to the skills folder. */
  readonly leavingSkills: readonly { readonly path: string; readonly name: string }[]
  /** Archive entries whose skills return to their places. */
  readonly leavingEntries: readonly string[]
}

const backupId = z.string().check(z.refine(isBackupId, 'not the id of a backup'))

const schema: LimitedSchema<RollbackState> = libraryDocument(
  z.object({
    target: backupId,
    safety: backupId,
    startedAt: z.number(),
    direction: z.enum(['forward', 'undo']),
    phase: z.enum(['staging', 'swapping']),
    leavingSkills: z.array(z.object({ path: z.string(), name: z.string() })),
    leavingEntries: z.array(z.string()),
  }),
)

const unfinished = ({ target, safety }: RollbackState): HermesError =>
  new HermesError(
    'locked',
    `A rollback to ${target} is not finished: it is running in another process, or was interrupted. Restart Hermes, or run 'recoverRollback', to finish it; the skills before the rollback are in the backup ${safety}.`,
    { details: { target, safety } },
  )

const journal = writeAhead(ROLLBACK_STATE_PATH, schema)

const sameAs =
  ({ safety }: Pick<RollbackState, 'safety'>) =>
  (current: RollbackState): boolean =>
    current.safety === safety

/** `undefined` if no rollback is in progress or unfinished. */
export const readRollbackState = journal.read

/** `locked` while a rollback is unfinished: nothing else may change the library then. Check before each curator run. */
export const checkNoRollback = async (storage: StorageBackend): Promise<Result<void>> => {
  const state = await readRollbackState(storage)
  if (!state.ok) return state
  return state.value ? err(unfinished(state.value)) : ok(undefined)
}

/** `locked` if another rollback has already begun. */
export const openRollback = async (storage: StorageBackend, state: RollbackState): Promise<Result<void>> => {
  const first = await journal.open(storage, state)
  if (!first.ok) return first
  return first.value ? err(unfinished(first.value)) : ok(undefined)
}

/**
 * Returns the journal after the update. Another process may run the same rollback: if it is already swapping, its plan is returned; if it
 * has closed the journal, the result is `undefined`.
 */
export const advanceRollback = (storage: StorageBackend, next: RollbackState): Promise<Result<RollbackState | undefined>> =>
  journal.advance(storage, sameAs(next), (current) =>
    current.phase === 'swapping' && current.direction === next.direction ? current : next,
  )

/** `false` where another process has closed it. */
export const isStillOpen = async (storage: StorageBackend, { safety }: RollbackState): Promise<Result<boolean>> => {
  const state = await readRollbackState(storage)
  return state.ok ? ok(state.value?.safety === safety) : state
}

/** Does nothing if already closed. */
export const closeRollback = (storage: StorageBackend, state: RollbackState): Promise<Result<void>> => journal.close(storage, sameAs(state))
