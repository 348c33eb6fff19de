/** The tokens spent on learning, summed up. */
import { type LedgerGrouping, type LedgerRow, sumLedger } from '@hermes/core/journal'
import { type Answer, failed } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { hint } from '../../terminal/field-list.ts'
import { formatCount } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { formatDuration, formatTokens } from '../journal/cost-text.ts'
import { openJournal } from '../journal/read-journal.ts'

export const GROUPINGS = ['day', 'model', 'kind', 'session'] as const satisfies readonly LedgerGrouping[]

const TITLES: Readonly<Record<LedgerGrouping, string>> = { day: 'DAY', model: 'MODEL', kind: 'KIND', session: 'SESSION' }

const UNNAMED: Readonly<Record<LedgerGrouping, string>> = { day: '', model: '(not named)', kind: '', session: '(no session)' }

const toColumns = (by: LedgerGrouping, total: LedgerRow): readonly Column<LedgerRow>[] => [
  { title: TITLES[by], cell: (row) => (row === total ? 'total' : (row.key ?? UNNAMED[by])), least: 8 },
  { title: 'RUNS', cell: ({ runs }) => formatCount(runs), align: 'right' },
  { title: 'UNFINISHED', cell: ({ unfinished }) => formatCount(unfinished), align: 'right', drop: 3 },
  { title: 'CALLS', cell: ({ calls }) => formatCount(calls), align: 'right', drop: 2 },
  { title: 'INPUT', cell: (row) => formatTokens(row.inputTokens, row.estimated), align: 'right' },
  { title: 'CACHED', cell: ({ cachedInputTokens }) => formatCount(cachedInputTokens), align: 'right', drop: 1 },
  { title: 'OUTPUT', cell: (row) => formatTokens(row.outputTokens, row.estimated), align: 'right' },
  { title: 'TIME', cell: ({ durationMs }) => formatDuration(durationMs), align: 'right', drop: 4 },
]

const render = (by: LedgerGrouping, rows: readonly LedgerRow[], total: LedgerRow, terminal: Terminal): string => {
  if (rows.length === 0) return hint('Nothing to show. The ledger gets a row when a review or a curator run calls a model.', terminal)
  const table = renderTable(toColumns(by, total), [...rows, total], terminal)
  const estimates = total.estimated ? '~: partly estimated, because the model did not report its tokens. ' : ''
  return `${table}${hint(`${estimates}Cached tokens are part of the input. 'hermes journal list' shows each run.`, terminal)}`
}

/** `since`: epoch milliseconds. */
export const showCost = async (by: LedgerGrouping, since: number | undefined, context: Context): Promise<Answer> => {
  const listed = await openJournal(context).list({ withCost: true, ...(since === undefined ? {} : { since }) })
  if (!listed.ok) return failed(listed.error)
  const { rows, total } = sumLedger(listed.value, { by })
  return { value: { by, rows, total }, text: (terminal) => render(by, rows, total, terminal) }
}
