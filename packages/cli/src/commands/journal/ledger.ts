/** `hermes journal ledger`: the tokens spent on learning, summed up. */

import { type LedgerGrouping, type LedgerRow, sumLedger } from '@hermes/core/journal'
import { failed } from '../../answer.ts'
import { pastTime } from '../../arguments.ts'
import { defineCommand } from '../../command.ts'
import { formatCount } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { formatDuration, formatTokens } from './cost-text.ts'
import { openJournal } from './read-journal.ts'

const GROUPINGS = ['day', 'model', 'kind', 'session'] as const satisfies readonly LedgerGrouping[]

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
  const table = renderTable(toColumns(by, total), [...rows, total], { columns: terminal.columns, paintTitle: terminal.paint.dim })
  const estimates = total.estimated ? '~: partly estimated, because the model did not report its tokens. ' : ''
  return `${table}${hint(`${estimates}Cached tokens are part of the input. 'hermes journal list' shows each run.`, terminal)}`
}

interface LedgerArgs {
  readonly since: ((now: number) => number) | undefined
  readonly by: LedgerGrouping
}

export const ledgerCommand = defineCommand<LedgerArgs>({
  usage: 'ledger',
  describe: 'Sum up what learning cost: the calls and tokens of reviews and of the curator.',
  examples: [
    ['hermes journal ledger', 'day by day, in UTC'],
    ['hermes journal ledger --by model --since 30d', 'the tokens of each model in the last 30 days'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser
      .option('since', { coerce: pastTime('since'), requiresArg: true, describe: 'only since then: 3d, 12h, 2026-05-23' })
      .option('by', { choices: GROUPINGS, default: 'day' as LedgerGrouping, requiresArg: true, describe: 'what to group by' }),
  run: async ({ since, by }, context) => {
    const listed = await openJournal(context).list({ withCost: true, ...(since ? { since: since(context.clock()) } : {}) })
    if (!listed.ok) return failed(listed.error)
    const { rows, total } = sumLedger(listed.value, { by })
    return { value: { by, rows, total }, text: (terminal) => render(by, rows, total, terminal) }
  },
})
