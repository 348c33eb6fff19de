/** The journal of a rollback: one document that says what is under way, from before anything moves until everything has (seed 003). */
import * as z from 'zod'
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

/** A rollback holds the lease of the curator, so that no run begins meanwhile. */
export const leaseOwner = ({ safety }: Pick<RollbackState, 'safety'>): string => `${LEASE_OWNER}${safety}`

/** Whether a lease is a rollback's, under way or dead. */
export const isLeaseOwner = (owner: string): boolean => owner.startsWith(LEASE_OWNER)

/** What is under way, for a status line and for whoever resumes it. */
export interface RollbackState {
  /** The backup to go back to. */
  readonly target: string
  /** The snapshot of what was there before. */
  readonly safety: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** `undo`: the target turned out to be unusable, and the library goes back to the safety snapshot. */
  readonly direction: 'forward' | 'undo'
  /** Nothing of the library has changed before `swapping`. */
  readonly phase: 'staging' | 'swapping'
  /** Skills that the snapshot does not have: `path` below the folder of skills. */
  readonly leavingSkills: readonly { readonly path: string; readonly name: string }[]
  /** Entries of the archive whose skills come back to their places. */
  readonly leavingEntries: readonly string[]
}

const backupId = z.string().refine(isBackupId, 'no id of a backup')

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
    `A rollback to ${target} is not finished: it is under way in another process, or was interrupted. Restart Hermes, or run 'recoverRollback', to finish it; what was there before is in the backup ${safety}.`,
    { details: { target, safety } },
  )

const journal = writeAhead(ROLLBACK_STATE_PATH, schema)

const sameAs =
  ({ safety }: Pick<RollbackState, 'safety'>) =>
  (current: RollbackState): boolean =>
    current.safety === safety

/** `undefined` where no rollback is under way or unfinished. */
export const readRollbackState = journal.read

/** `locked` while a rollback is unfinished: nothing else may rearrange the library then. Ask before each run of the curator. */
export const checkNoRollback = async (storage: StorageBackend): Promise<Result<void>> => {
  const state = await readRollbackState(storage)
  if (!state.ok) return state
  return state.value ? err(unfinished(state.value)) : ok(undefined)
}

/** `locked` where another rollback was first. */
export const openRollback = async (storage: StorageBackend, state: RollbackState): Promise<Result<void>> => {
  const first = await journal.open(storage, state)
  if (!first.ok) return first
  return first.value ? err(unfinished(first.value)) : ok(undefined)
}

/**
 * The journal as it is afterwards. Another process may be at the same rollback: once it swaps, its plan counts; where it has closed the
 * journal, it stays closed and the answer is `undefined`.
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

/** Closing what is closed is fine. */
export const closeRollback = (storage: StorageBackend, state: RollbackState): Promise<Result<void>> => journal.close(storage, sameAs(state))
