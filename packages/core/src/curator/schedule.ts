/** Decides whether a curator run is due, and measures how long a home has been idle (seeds 001 and 003, reference skills-curator 11). */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import { readLastActiveAt } from './active-days.ts'
import {
  ACTIVITY_GRAIN_MS,
  type CuratorSchedule,
  DEFAULT_CURATOR_INTERVAL_HOURS,
  DEFAULT_CURATOR_MIN_IDLE_HOURS,
} from './curator-options.ts'
import type { CuratorState } from './state.ts'

const HOUR_MS = 3_600_000

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

export interface IdleHome {
  readonly storage: StorageBackend
  readonly usage: Pick<UsageStore, 'load'>
  /** `lastStepAt`: the last step of any session in this process, in epoch milliseconds. */
  readonly activity: { readonly lastStepAt: number | undefined }
}

/**
 * Milliseconds since the latest of: the last step in this process; the last recorded step of any process plus ten minutes, since it may
 * have continued; the last use of a skill, which Python Hermes records too. `undefined` without any activity.
 */
export const measureIdle = async ({ storage, usage, activity }: IdleHome, now: number): Promise<Result<number | undefined>> => {
  const recorded = await readLastActiveAt(storage)
  if (!recorded.ok) return recorded
  const records = await usage.load()
  if (!records.ok) return records
  const used = [...records.value.values()].map(({ lastActivityAt }) => lastActivityAt)
  // 0 means never; a time in the future comes from a wrong clock.
  const isSign = (at: number | undefined): at is number => at !== undefined && at !== 0 && at <= now
  const since = isSign(recorded.value) ? [Math.min(now, recorded.value + ACTIVITY_GRAIN_MS)] : []
  const signs = [...[activity.lastStepAt, ...used].filter(isSign), ...since]
  return ok(signs.length === 0 ? undefined : now - signs.reduce((newest, at) => Math.max(newest, at)))
}
