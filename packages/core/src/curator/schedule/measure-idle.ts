/** Measures how long a home has been idle, for hosts that do not measure it themselves. */
import { ok, type Result } from '../../shared/result.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageStore } from '../../usage/usage-store.ts'
import { readLastActiveAt } from '../transitions/active-days.ts'
import { ACTIVITY_GRAIN_MS } from './is-curator-due.ts'

export interface MeasureIdleOptions {
  readonly storage: StorageBackend
  readonly usage: Pick<UsageStore, 'load'>
  /** Epoch milliseconds. */
  readonly now: number
  /** The last step of any session in this process; `undefined` if there was none. */
  readonly lastStepAt: number | undefined
}

/**
 * Milliseconds since the latest of: the last step in this process; the last recorded step of any process plus ten minutes, since it may
 * have continued; the last use of a skill, which Python Hermes records too. `undefined` without any activity.
 */
export const measureIdle = async ({ storage, usage, now, lastStepAt }: MeasureIdleOptions): Promise<Result<number | undefined>> => {
  const recorded = await readLastActiveAt(storage)
  if (!recorded.ok) return recorded
  const records = await usage.load()
  if (!records.ok) return records
  const used = [...records.value.values()].map(({ lastActivityAt }) => lastActivityAt)
  // 0 means never; a time in the future comes from a wrong clock.
  const isSign = (at: number | undefined): at is number => at !== undefined && at !== 0 && at <= now
  const since = isSign(recorded.value) ? [Math.min(now, recorded.value + ACTIVITY_GRAIN_MS)] : []
  const signs = [...[lastStepAt, ...used].filter(isSign), ...since]
  return ok(signs.length === 0 ? undefined : now - signs.reduce((newest, at) => Math.max(newest, at)))
}
