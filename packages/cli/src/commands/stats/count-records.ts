/** Counts what the journal tells, in spans of equal length. Pure. */
import type { JournalRecord } from '@hermes/core'
import { onlyConfirmed } from '@hermes/core/journal'

export interface Span {
  /** Epoch milliseconds, inclusive. */
  readonly from: number
  /** Entries of memory at its end, as far as the journal knows. */
  readonly entries: number
  /** New entries and skills. */
  readonly learned: number
  /** Entries and skills that were corrected or rewritten. */
  readonly changed: number
  readonly rejected: number
  readonly held: number
  readonly reviews: number
  readonly failedReviews: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Known of the last 60 days. */
  readonly skillUses: number
}

const DAY_MS = 86_400_000

/** Up to a month is shown by day, more by week. */
export const spanDays = (days: number): number => (days <= 31 ? 1 : 7)

const LEARNED: ReadonlySet<string> = new Set(['add', 'create'])
const CHANGED: ReadonlySet<string> = new Set(['replace', 'edit', 'patch', 'write_file'])

/** By how many entries the memory grew. */
const growth = (record: JournalRecord): number => {
  const { kind, op, target, evicted = [] } = record
  if (kind !== 'applied' || target === 'skill' || !op) return 0
  const own = op.action === 'add' ? (onlyConfirmed(record) || record.facts?.previous ? 0 : 1) : op.action === 'remove' ? -1 : 0
  return own - evicted.length
}

const isReviewEnd = ({ kind }: JournalRecord): boolean =>
  kind === 'review-finished' || kind === 'review-failed' || kind === 'review-stopped'

interface Known {
  readonly now: number
  readonly days: number
  /** Entries of memory now. */
  readonly entries: number
  /** Uses of skills by UTC day, in epoch days. */
  readonly usesByDay: ReadonlyMap<number, number>
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const usesOn = (usesByDay: ReadonlyMap<number, number>, firstDay: number, count: number): number =>
  sum(Array.from({ length: count }, (_, index) => usesByDay.get(firstDay + index) ?? 0))

/** The spans are whole UTC days; the last one ends with today. `records`: of at least these days, in any order. Oldest span first. */
export const countRecords = (records: readonly JournalRecord[], { now, days, entries, usesByDay }: Known): readonly Span[] => {
  const size = spanDays(days)
  const count = Math.ceil(days / size)
  const tomorrow = Math.floor(now / DAY_MS) + 1
  let present = entries
  const spans: Span[] = []
  for (let index = 0; index < count; index++) {
    const firstDay = tomorrow - (index + 1) * size
    const [from, to] = [firstDay * DAY_MS, (firstDay + size) * DAY_MS]
    const own = records.filter(({ at }) => at >= from && at < to)
    const applied = own.filter(({ kind }) => kind === 'applied')
    const does = (actions: ReadonlySet<string>) =>
      applied.filter((record) => record.op !== undefined && actions.has(record.op.action) && !onlyConfirmed(record)).length
    const tokens = (of: 'inputTokens' | 'outputTokens'): number => sum(own.map(({ cost }) => cost?.[of] ?? 0))
    spans.push({
      from,
      entries: present,
      learned: does(LEARNED),
      changed: does(CHANGED),
      rejected: own.filter(({ kind }) => kind === 'rejected').length,
      held: own.filter(({ kind }) => kind === 'held').length,
      reviews: own.filter(isReviewEnd).length,
      failedReviews: own.filter(({ kind }) => kind === 'review-failed').length,
      inputTokens: tokens('inputTokens'),
      outputTokens: tokens('outputTokens'),
      skillUses: usesOn(usesByDay, firstDay, size),
    })
    present = Math.max(0, present - sum(own.map(growth)))
  }
  return spans.reverse()
}
