/** From windows in days to cutoffs in time, by the calendar or by the days on which the agent was used. Pure. */
import type { Ageing } from './ageing-options.ts'

const DAY_MS = 86_400_000

// The finest that a stamp can hold: what comes before a day is older than it.
const MICROSECOND_MS = 0.001

export interface Cutoffs {
  /** Epoch milliseconds: whose age counts from here or before has aged. */
  readonly stale: number
  readonly archive: number
}

/** Older than a window is what was last active before the n-th latest of the days; while there are fewer days, nothing is. */
const activeDayCutoff = (days: readonly string[], window: number): number => {
  const day = days[days.length - Math.ceil(window)]
  return day === undefined ? Number.NEGATIVE_INFINITY : Date.parse(`${day}T00:00:00Z`) - MICROSECOND_MS
}

/** `factor` makes the windows longer for a skill that was put away by mistake; `days` are the active ones, in order. */
export const cutoffsAt = (
  now: number,
  { staleAfterDays, archiveAfterDays, countBy }: Ageing,
  factor: number,
  days: readonly string[],
): Cutoffs => {
  const cutoff = (window: number): number => (countBy === 'calendar' ? now - window * DAY_MS : activeDayCutoff(days, window))
  return { stale: cutoff(staleAfterDays * factor), archive: cutoff(archiveAfterDays * factor) }
}
