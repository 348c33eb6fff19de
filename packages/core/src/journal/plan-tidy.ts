/** Plans one pass over the journal: which days expire, and which ended days are compacted. Pure. */
import { daysIn, type JournalLayout } from './journal-layout.ts'
import { dayOf } from './journal-path.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Milliseconds after the end of a day, for writers whose clocks are slow. */
const GRACE_MS = 60 * 60 * 1000

export interface TidyLimits {
  /** Epoch milliseconds. */
  readonly now: number
  /** Days whose records are kept, today included. */
  readonly retainDays: number | 'forever'
  /** Maximum number of documents in the whole pass. */
  readonly maxDocuments: number
}

export interface DayWork {
  readonly day: string
  readonly paths: readonly string[]
  /** True if all of the day's appends are included; false if the pass is full. */
  readonly whole: boolean
}

export interface TidyPlan {
  /** Oldest first. */
  readonly expire: readonly DayWork[]
  /** Newest first, since those are read most. */
  readonly compact: readonly DayWork[]
}

const takeWork = (days: readonly string[], appends: JournalLayout['appends'], maxDocuments: number): readonly DayWork[] => {
  const work: DayWork[] = []
  let left = maxDocuments
  for (const day of days) {
    if (left <= 0) break
    const all = appends.get(day) ?? []
    const paths = all.slice(0, left)
    work.push({ day, paths, whole: paths.length === all.length })
    left -= Math.max(1, paths.length)
  }
  return work
}

export const planTidy = (layout: JournalLayout, { now, retainDays, maxDocuments }: TidyLimits): TidyPlan => {
  const oldestKept = retainDays === 'forever' ? '' : dayOf(now - (retainDays - 1) * DAY_MS)
  const running = dayOf(now - GRACE_MS)
  const days = daysIn(layout)
  // At most half of the pass, so that neither kind of work blocks the other.
  const expire = takeWork(days.filter((day) => day < oldestKept).reverse(), layout.appends, Math.ceil(maxDocuments / 2))
  const used = expire.reduce((sum, { paths }) => sum + Math.max(1, paths.length), 0)
  const ended = days.filter((day) => day >= oldestKept && day < running && layout.appends.has(day))
  return { expire, compact: takeWork(ended, layout.appends, maxDocuments - used) }
}
