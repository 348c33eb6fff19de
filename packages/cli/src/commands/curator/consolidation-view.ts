/** Renders a consolidation report: merges first, then pending and refused proposals. */
import type { ConsolidationReport } from '@hermes/core/curator'
import { oneLine } from '../../terminal/clean-text.ts'
import { counted, formatCount } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Paint, Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/wrap-text.ts'

interface Row {
  readonly name: string
  readonly into: string
  readonly how: string
  readonly why: string
}

const STOPPED: Readonly<Record<NonNullable<ConsolidationReport['stopped']>, string>> = {
  steps: 'the maximum number of calls was reached',
  tokens: 'the token budget is used up',
  time: 'the time limit was reached',
  model: 'the model failed',
  aborted: 'it was asked to stop',
}

const METHODS = { merge: 'merged', create: 'new skill', demote: 'as a file' } as const

const toColumns = (paint: Paint): readonly Column<Row>[] => [
  { title: 'SKILL', cell: ({ name }) => name, least: 16, paint: paint.bold },
  { title: 'INTO', cell: ({ into }) => into, least: 12 },
  { title: 'HOW', cell: ({ how }) => how, paint: paint.yellow },
  { title: 'WHY', cell: ({ why }) => why, least: 16, drop: 1, paint: paint.dim },
]

const toRows = ({ consolidated, pruned }: ConsolidationReport): readonly Row[] => [
  ...consolidated.map(({ name, into, method, reason }) => ({ name, into, how: METHODS[method], why: reason })),
  ...pruned.map(({ name, reason }) => ({ name, into: 'the archive', how: 'archived', why: reason })),
]

const headOf = (rows: readonly Row[], dryRun: boolean): string => {
  if (rows.length === 0) return dryRun ? 'No skill would be merged.' : 'No skill was merged.'
  return `${counted(rows.length, 'skill')} ${dryRun ? 'would be' : 'were'} merged or archived${dryRun ? '; nothing was done' : ''}.`
}

export const renderConsolidation = (report: ConsolidationReport, terminal: Terminal): string => {
  const { held, refused, clusters, calls, inputTokens, outputTokens, stopped, dryRun } = report
  const rows = toRows(report)
  const { columns, paint } = terminal
  const line = (text: string, colour: (text: string) => string): string => `${colour(wrapText(oneLine(text), columns, 2))}\n`
  const cost = `${counted(calls, 'model call')}, about ${formatCount(inputTokens)} tokens in and ${formatCount(outputTokens)} out.`
  const left = clusters.left === 0 ? '' : ` ${counted(clusters.left, 'group')} left for the next run.`
  const waiting = held.some(({ pendingIds }) => pendingIds.length > 0) ? hint("'hermes pending' shows what waits.", terminal) : ''
  return [
    rows.length === 0 ? '' : renderTable(toColumns(paint), rows, { columns, paintTitle: paint.dim }),
    `${wrapText(headOf(rows, dryRun), columns)}\n`,
    ...held.map(({ names, into, why }) =>
      line(`waits: ${names.join(', ')}${into === undefined ? '' : ` → ${into}`}: ${why}`, paint.yellow),
    ),
    waiting,
    ...refused.map(({ names, into, why }) =>
      line(`refused: ${[...names, ...(into === undefined ? [] : [`→ ${into}`])].join(' ')}: ${why}`, paint.red),
    ),
    stopped === undefined ? '' : line(`It ended early: ${STOPPED[stopped]}. The next run continues.`, paint.yellow),
    hint(
      `${counted(clusters.asked, 'group')} of skills sent to the model, ${clusters.unchanged} unchanged since the last run. ${cost}${left}`,
      terminal,
    ),
  ].join('')
}
