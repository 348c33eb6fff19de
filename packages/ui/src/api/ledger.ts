/** What learning did and cost, day by day, and the journal page by page. */
import { type Hermes, type JournalRecord, ok, type Result } from '@hermes/core'
import { onlyConfirmed, sumLedger } from '@hermes/core/journal'
import { countEntries } from './memory.ts'
import type { DayView, JournalPage, LedgerView } from './views.ts'

const DAY_MS = 86_400_000
const MAX_CALLS = 50

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** How many memory entries a record added or took away; hand edits leave none. */
export const growthOf = (record: JournalRecord): number => {
  const { kind, target, op, evicted = [] } = record
  if (kind !== 'applied' || target === undefined || target === 'skill' || !op) return 0
  const own = op.action === 'remove' ? -1 : op.action === 'add' && !onlyConfirmed(record) && !record.facts?.previous ? 1 : 0
  return own - evicted.length
}

type Counted = 'applied' | 'held' | 'rejected' | 'failed'

const COUNTED: Readonly<Partial<Record<JournalRecord['kind'], Counted>>> = {
  applied: 'applied',
  settled: 'applied',
  held: 'held',
  rejected: 'rejected',
  invalid: 'failed',
  failed: 'failed',
}

type Sums = { -readonly [Key in Exclude<keyof DayView, 'day'>]: number }

const nothing = (): Sums => ({ inputTokens: 0, outputTokens: 0, runs: 0, applied: 0, held: 0, rejected: 0, failed: 0, entries: 0 })

/** One row for each day, days without records included. `entries`: how many there are now. Pure. */
export const sumDays = (
  records: readonly JournalRecord[],
  { from, to, entries }: { readonly from: number; readonly to: number; readonly entries: number },
): readonly DayView[] => {
  const sums = new Map<string, Sums>()
  const growth = new Map<string, number>()
  for (let at = from; at <= to; at += DAY_MS) sums.set(dayOf(at), nothing())
  for (const record of records) {
    const day = dayOf(record.at)
    const sum = sums.get(day) ?? nothing()
    sums.set(day, sum)
    const counted = COUNTED[record.kind]
    if (counted) sum[counted] += 1
    if (record.cost) {
      sum.runs += 1
      sum.inputTokens += record.cost.inputTokens
      sum.outputTokens += record.cost.outputTokens
    }
    growth.set(day, (growth.get(day) ?? 0) + growthOf(record))
  }
  let present = entries
  const days = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [day, sum] of days.toReversed()) {
    sum.entries = Math.max(0, present)
    present -= growth.get(day) ?? 0
  }
  return days.map(([day, sum]) => ({ day, ...sum }))
}

/** When the first of the last `days` days began. `now`: of the request, by the browser's clock. */
export const firstDayAt = (days: number, now: number): number => Date.parse(`${dayOf(now - (days - 1) * DAY_MS)}T00:00:00Z`)

export const readLedger = async (
  hermes: Hermes,
  { days, now }: { readonly days: number; readonly now: number },
): Promise<Result<LedgerView>> => {
  const since = firstDayAt(days, now)
  const listed = await hermes.journal.list({ since })
  if (!listed.ok) return listed
  const records = listed.value
  const costs = records.filter(({ cost }) => cost !== undefined)
  return ok({
    days: sumDays(records, { from: since, to: now, entries: await countEntries(hermes) }),
    total: sumLedger(costs).total,
    byModel: sumLedger(costs, { by: 'model' }).rows,
    calls: costs.slice(-MAX_CALLS).reverse(),
  })
}

export interface JournalQuery {
  readonly limit: number
  readonly text: string
  readonly kind?: JournalRecord['kind'] | undefined
  /** The oldest time of the page before, and how many of its records had that time. */
  readonly until?: number | undefined
  readonly skip: number
}

export const readJournal = async (hermes: Hermes, { limit, text, kind, until, skip }: JournalQuery): Promise<Result<JournalPage>> => {
  const listed = await hermes.journal.list({
    limit: limit + skip,
    ...(text === '' ? {} : { text }),
    ...(kind === undefined ? {} : { kind }),
    ...(until === undefined ? {} : { until }),
  })
  if (!listed.ok) return listed
  const found = listed.value.toReversed()
  const records = found.slice(skip)
  const last = records.at(-1)
  // The next page begins at the time of this one's last record, without those that were shown.
  const next = last && found.length === limit + skip ? { until: last.at, skip: found.filter(({ at }) => at === last.at).length } : undefined
  return ok({ records, next })
}
