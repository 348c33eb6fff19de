/**
 * A lease that allows one curator run in a home at a time, among any number of processes. The lease of a crashed run expires. Not in
 * backups.
 */

import * as z from 'zod/mini'
import type { ShapeOf } from '../../shared/check-shape.ts'
import type { Clock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../../storage/json-document.ts'
import { UNCHANGED } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../../storage/storage-paths.ts'

export const CURATOR_LEASE_PATH = `${CURATOR_FOLDER}/run-lease.json`

/** Milliseconds for which a crashed run blocks others, and after which it may be retried. */
export const CURATOR_LEASE_MS = 3_600_000

export interface CuratorLease {
  readonly owner: string
  /** Epoch milliseconds, like `expiresAt`. */
  readonly startedAt: number
  readonly expiresAt: number
}

const leaseSchema = z.object({
  owner: z.string().check(z.minLength(1)),
  startedAt: z.number(),
  expiresAt: z.number(),
} satisfies ShapeOf<CuratorLease>)

export interface LeaseOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Unique to this run. */
  readonly owner: string
}

/** `59 min`, at least 1. */
const minutes = (spanMs: number): string => `${Math.max(1, Math.ceil(spanMs / 60_000))} min`

const heldBy = ({ startedAt, expiresAt }: CuratorLease, at: number): HermesError =>
  new HermesError(
    'locked',
    `Another curator run began ${minutes(at - startedAt)} ago. Wait for it; if it crashed, its lease expires in ${minutes(expiresAt - at)}.`,
    { details: { startedAt, expiresAt } },
  )

/** A lease that begins in the future comes from a wrong clock and does not count. */
const isHeldAt = ({ startedAt, expiresAt }: CuratorLease, at: number): boolean => expiresAt > at && startedAt <= at + CURATOR_LEASE_MS

/** `locked` while another run holds it. */
export const takeCuratorLease = async ({ storage, clock, owner }: LeaseOptions): Promise<Result<CuratorLease>> => {
  const at = clock()
  const lease: CuratorLease = { owner, startedAt: at, expiresAt: at + CURATOR_LEASE_MS }
  let holder: CuratorLease | undefined
  const taken = await updateJsonDocument(storage, CURATOR_LEASE_PATH, leaseSchema, (current) => {
    holder = current && isHeldAt(current, at) ? current : undefined
    return holder ? UNCHANGED : lease
  })
  if (!taken.ok) return taken
  return holder ? err(heldBy(holder, at)) : ok(lease)
}

const takenOver = ({ startedAt }: CuratorLease): HermesError =>
  new HermesError(
    'locked',
    `This curator run took so long that another one took over at ${new Date(startedAt).toISOString()}. That run does the rest; do not start another before it ends.`,
    { details: { startedAt } },
  )

/** Extends the lease of a long run. `locked` if it has expired and another run holds it. */
export const renewCuratorLease = async ({ storage, clock, owner }: LeaseOptions): Promise<Result<CuratorLease>> => {
  const renewed = await updateJsonDocument(storage, CURATOR_LEASE_PATH, leaseSchema, (current) =>
    current?.owner === owner ? { ...current, expiresAt: clock() + CURATOR_LEASE_MS } : UNCHANGED,
  )
  if (!renewed.ok) return renewed
  const lease = renewed.value
  if (lease?.owner === owner) return ok(lease)
  return err(lease ? takenOver(lease) : new HermesError('locked', 'The lease of this curator run is gone. Start the run again.'))
}

/** May be called any number of times: extends the lease once a quarter of its time has passed, and otherwise does nothing. */
export const keepCuratorLease = (lease: LeaseOptions): (() => Promise<Result<unknown>>) => {
  const { clock } = lease
  let renewedAt = clock()
  return async () => {
    const at = clock()
    // After the clock was set back, the elapsed time is unknown.
    if (Math.abs(at - renewedAt) < CURATOR_LEASE_MS / 4) return ok(undefined)
    const renewed = await renewCuratorLease(lease)
    if (renewed.ok) renewedAt = at
    return renewed
  }
}

export const releaseCuratorLease = async ({ storage, owner }: Pick<LeaseOptions, 'storage' | 'owner'>): Promise<Result<void>> => {
  const released = await updateJsonDocument(storage, CURATOR_LEASE_PATH, leaseSchema, (current) =>
    current?.owner === owner ? undefined : UNCHANGED,
  )
  return released.ok ? ok(undefined) : released
}

/** The run in progress, for the status. */
export const readCuratorLease = async (storage: StorageBackend, clock: Clock): Promise<Result<CuratorLease | undefined>> => {
  const lease = await readJsonDocument(storage, CURATOR_LEASE_PATH, leaseSchema)
  return lease.ok ? ok(lease.value && isHeldAt(lease.value, clock()) ? lease.value : undefined) : lease
}
