/** The first look at a home: what was learned last, and how much waits. */
import { type Hermes, type JournalRecord, ok, type Result } from '@hermes/core'
import { onlyConfirmed } from '@hermes/core/journal'
import { countEntries } from './memory.ts'

export interface OverviewView {
  /** The last records of what was learned, newest first. */
  readonly learned: readonly JournalRecord[]
  /** Proposals. */
  readonly waiting: number
  /** Entries of memory, and notes on projects. */
  readonly entries: number
}

const MAX_LEARNED = 10
/** Of the newest changes, in which the last ones learned are looked for. */
const MAX_READ = 200

const TAKES_AWAY: ReadonlySet<string> = new Set(['remove', 'remove_file', 'archive'])

/** Whether something is known since this record that was not known before. Pure. */
const isLearned = (record: JournalRecord): boolean =>
  record.kind === 'applied' && record.op !== undefined && !TAKES_AWAY.has(record.op.action) && !onlyConfirmed(record)

export const readOverview = async (hermes: Hermes): Promise<Result<OverviewView>> => {
  const applied = await hermes.journal.list({ kind: 'applied', limit: MAX_READ })
  if (!applied.ok) return applied
  const waiting = await hermes.pending.list()
  if (!waiting.ok) return waiting
  return ok({
    learned: applied.value.filter(isLearned).slice(-MAX_LEARNED).reverse(),
    waiting: waiting.value.length,
    entries: await countEntries(hermes),
  })
}
