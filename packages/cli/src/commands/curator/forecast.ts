/** What runs to come would do if nothing were used until then: the same decisions, made with a later clock and never carried out. */
import { type CuratorStatus, type RunCuratorOptions, runCurator, type SkillTransition } from '@hermes/core/curator'

const DAY_MS = 86_400_000

/** How far the second look goes beyond the next run. */
export const SOON_DAYS = 14

export interface Forecast {
  /** When the next run comes, in epoch milliseconds; `undefined` where none comes by itself. */
  readonly nextRunAt: number | undefined
  /** What it would do; a run by hand would do it now where none comes by itself. */
  readonly next: readonly SkillTransition[]
  /** What would be added within `SOON_DAYS` after it. */
  readonly soon: readonly SkillTransition[]
}

export type ForecastParts = Pick<
  RunCuratorOptions,
  'storage' | 'skills' | 'usage' | 'staleAfterDays' | 'archiveAfterDays' | 'neverActive' | 'countBy'
>

const nextRunAt = (due: CuratorStatus['due'], now: number, intervalMs: number): number | undefined => {
  if (due.due) return now
  if (due.reason === 'interval') return due.nextAt
  return due.reason === 'first-sight' ? now + intervalMs : undefined
}

/** Both lists are empty where nobody can tell, such as while a rollback is unfinished: the status says so itself. */
export const foresee = async (parts: ForecastParts, due: CuratorStatus['due'], now: number, intervalMs: number): Promise<Forecast> => {
  const at = nextRunAt(due, now, intervalMs)
  const look = async (time: number): Promise<readonly SkillTransition[]> => {
    const planned = await runCurator({ ...parts, clock: () => time, dryRun: true })
    return planned.ok ? planned.value.transitioned : []
  }
  const next = await look(at ?? now)
  const later = await look((at ?? now) + SOON_DAYS * DAY_MS)
  const seen = new Set(next.map(({ name, to }) => `${to} ${name}`))
  return { nextRunAt: at, next, soon: later.filter(({ name, to }) => !seen.has(`${to} ${name}`)) }
}
