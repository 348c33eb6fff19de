/** What coming runs would do if no skill were used until then: a dry run with a later clock. */
import type { StorageBackend } from '@hermes/core'
import { type CuratorSettings, type CuratorStatus, previewRun, type SkillTransition } from '@hermes/core/curator'
import type { oneLook } from './one-look.ts'

const DAY_MS = 86_400_000

/** Number of days after the next run that the forecast covers. */
export const SOON_DAYS = 14

export interface Forecast {
  /** Epoch milliseconds; `undefined` if no run is scheduled. */
  readonly nextRunAt: number | undefined
  /** What the next run would do, or what a manual run would do now if none is scheduled. */
  readonly next: readonly SkillTransition[]
  /** Further changes within `SOON_DAYS` after that run. */
  readonly soon: readonly SkillTransition[]
}

export type ForecastParts = CuratorSettings & ReturnType<typeof oneLook> & { readonly storage: StorageBackend }

const nextRunAt = (due: CuratorStatus['due'], now: number, intervalMs: number): number | undefined => {
  if (due.due) return now
  if (due.reason === 'interval') return due.nextAt
  return due.reason === 'first-sight' ? now + intervalMs : undefined
}

/** Both lists are empty if no forecast is possible, such as with skills that cannot be read, which the status reports. */
export const foresee = async (parts: ForecastParts, due: CuratorStatus['due'], now: number, intervalMs: number): Promise<Forecast> => {
  const at = nextRunAt(due, now, intervalMs)
  const look = async (time: number): Promise<readonly SkillTransition[]> => {
    const planned = await previewRun({ ...parts, clock: () => time }, parts, now)
    return planned.ok ? planned.value.transitioned : []
  }
  const next = await look(at ?? now)
  const later = await look((at ?? now) + SOON_DAYS * DAY_MS)
  const seen = new Set(next.map(({ name, to }) => `${to} ${name}`))
  return { nextRunAt: at, next, soon: later.filter(({ name, to }) => !seen.has(`${to} ${name}`)) }
}
