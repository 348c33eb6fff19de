/** Sums the cost of learning from journal records. Pure. */
import { addCosts, type LearningCost } from '../model/learning-cost.ts'
import { dayOf } from './journal-days.ts'
import type { JournalRecord } from './journal-record.ts'

/** `day`: in UTC. `kind`: `review` or `curator`. */
export type LedgerGrouping = 'day' | 'model' | 'kind' | 'session'

export interface LedgerRow extends Omit<LearningCost, 'model'> {
  /** Key of the group: `2026-05-23`, the model's id, `review`, a session id. Undefined for records without one. */
  readonly key: string | undefined
  /** Number of reviews and curator runs that called a model. */
  readonly runs: number
  /** Number of those that failed or were stopped. */
  readonly unfinished: number
}

export interface LedgerSum {
  /** Days oldest first; other groups by tokens, highest first. */
  readonly rows: readonly LedgerRow[]
  /** Over all rows; its `key` is undefined. */
  readonly total: LedgerRow
}

const FINISHED: ReadonlySet<JournalRecord['kind']> = new Set(['review-finished', 'curator-finished'])

const keyOf = ({ at, actor, sessionId, cost }: JournalRecord, by: LedgerGrouping): string | undefined => {
  if (by === 'day') return dayOf(at)
  if (by === 'kind') return actor === 'curator' ? 'curator' : 'review'
  return by === 'model' ? cost?.model : sessionId
}

const toRow = (key: string | undefined, records: readonly JournalRecord[]): LedgerRow => {
  const { model: _, ...cost } = addCosts(records.map(({ cost }) => cost)) ?? NOTHING
  return { key, runs: records.length, unfinished: records.filter(({ kind }) => !FINISHED.has(kind)).length, ...cost }
}

const NOTHING: LearningCost = { calls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, estimated: false, durationMs: 0 }

const tokensOf = ({ inputTokens, outputTokens }: LedgerRow): number => inputTokens + outputTokens

const byKey = ({ key: a = '' }: LedgerRow, { key: b = '' }: LedgerRow): number => (a < b ? -1 : a > b ? 1 : 0)

/** Records without `cost` are left out. Default: by day. */
export const sumLedger = (records: readonly JournalRecord[], { by = 'day' }: { readonly by?: LedgerGrouping } = {}): LedgerSum => {
  const counted = records.filter(({ cost }) => cost !== undefined)
  const groups = new Map<string | undefined, JournalRecord[]>()
  for (const record of counted) {
    const key = keyOf(record, by)
    const group = groups.get(key)
    if (group) group.push(record)
    else groups.set(key, [record])
  }
  const rows = [...groups].map(([key, group]) => toRow(key, group))
  rows.sort((a, b) => (by === 'day' ? 0 : tokensOf(b) - tokensOf(a)) || byKey(a, b))
  return { rows, total: toRow(undefined, counted) }
}
