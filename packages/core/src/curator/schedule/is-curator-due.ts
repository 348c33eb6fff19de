/** Decides whether a curator run is due (seeds 001 and 003, reference skills-curator 11). Pure. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { CuratorState } from './curator-state-document.ts'

const HOUR_MS = 3_600_000

export const DEFAULT_CURATOR_INTERVAL_HOURS = 168
export const DEFAULT_CURATOR_MIN_IDLE_HOURS = 2

/** Milliseconds between two records of activity: the recorded time may be this old while somebody is at work. */
export const ACTIVITY_GRAIN_MS = 600_000

export interface CuratorSchedule {
  /** Default `true`. */
  readonly enabled?: boolean | undefined
  /** Default 168 (one week). */
  readonly intervalHours?: number | undefined
  /** Default 2. */
  readonly minIdleHours?: number | undefined
}

export interface CuratorMoment {
  /** Epoch milliseconds. */
  readonly now: number
  /** Milliseconds since the host was last active, as measured by the host. If missing, no run is due. */
  readonly idleMs?: number | undefined
}

/**
 * `first-sight`: no earlier run is known, so the time is stamped and the first run is due after one interval. `interval`: too soon.
 * `idle-unknown`: the host did not measure. `not-idle`: somebody is at work.
 */
export type CuratorDue =
  | { readonly due: true }
  | { readonly due: false; readonly reason: 'disabled' | 'paused' | 'first-sight' | 'idle-unknown' | 'not-idle' }
  /** Epoch milliseconds. */
  | { readonly due: false; readonly reason: 'interval'; readonly nextAt: number }

/** `invalid` for hours that are not a number: otherwise a run would be due at every check. */
export const checkSchedule = ({ intervalHours = 0, minIdleHours = 0 }: CuratorSchedule): Result<void> => {
  for (const [name, hours] of Object.entries({ intervalHours, minIdleHours })) {
    if (typeof hours === 'number' && !Number.isNaN(hours)) continue
    return err(new HermesError('invalid', `'${name}' must be a number of hours, such as 168, but is ${String(hours)}.`))
  }
  return ok(undefined)
}

/** A run that did not end well is due again at `retryAt`, without the interval. A last run in the future says nothing: first sight. */
export const isCuratorDue = (
  { paused, lastRunAt, retryAt }: Pick<CuratorState, 'paused' | 'lastRunAt' | 'retryAt'>,
  { now, idleMs }: CuratorMoment,
  { enabled = true, intervalHours = DEFAULT_CURATOR_INTERVAL_HOURS, minIdleHours = DEFAULT_CURATOR_MIN_IDLE_HOURS }: CuratorSchedule = {},
): CuratorDue => {
  if (!enabled) return { due: false, reason: 'disabled' }
  if (paused) return { due: false, reason: 'paused' }
  if (lastRunAt === undefined || lastRunAt > now) return { due: false, reason: 'first-sight' }
  const nextAt = Math.min(lastRunAt + intervalHours * HOUR_MS, retryAt ?? Number.POSITIVE_INFINITY)
  if (now < nextAt) return { due: false, reason: 'interval', nextAt }
  if (idleMs === undefined || Number.isNaN(idleMs)) return { due: false, reason: 'idle-unknown' }
  return idleMs < minIdleHours * HOUR_MS ? { due: false, reason: 'not-idle' } : { due: true }
}
