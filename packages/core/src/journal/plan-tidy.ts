/** What one pass over the journal does: which days go because of their age, and which ended days become one document. Pure. */
import { daysIn, type JournalLayout } from './journal-layout.ts'
import { dayOf } from './journal-path.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** A day ends a little later for writers whose clocks are behind. */
const GRACE_MS = 60 * 60 * 1000

export interface TidyLimits {
  /** Epoch milliseconds. */
  readonly now: number
  /** Days whose records are kept, today included. */
  readonly retainDays: number | 'forever'
  /** Maximum number of documents of the whole pass. */
  readonly maxDocuments: number
}

export interface DayWork {
  readonly day: string
  readonly paths: readonly string[]
  /** All of the day's appends; false where the pass is full before the day is done. */
  readonly whole: boolean
}

export interface TidyPlan {
  /** The oldest first. */
  readonly expire: readonly DayWork[]
  /** The newest first, since those are read most. */
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
  // Half of the pass at most, so that neither kind of work waits for the other for ever.
  const expire = takeWork(days.filter((day) => day < oldestKept).reverse(), layout.appends, Math.ceil(maxDocuments / 2))
  const used = expire.reduce((sum, { paths }) => sum + Math.max(1, paths.length), 0)
  const ended = days.filter((day) => day >= oldestKept && day < running && layout.appends.has(day))
  return { expire, compact: takeWork(ended, layout.appends, maxDocuments - used) }
}
