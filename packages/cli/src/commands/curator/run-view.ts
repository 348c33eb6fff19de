/** Renders a curator run as text and as JSON. */
import type { CuratorRun } from '@hermes/core'
import type { ConsolidationReport, SkillTransition, SkippedSkill, SkipReason } from '@hermes/core/curator'
import { oneLine } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted, formatCount } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Paint, Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/text-width.ts'

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  'no-change': 'in use',
  pinned: 'pinned',
  'not-agent-created': 'not written by the agent',
  bundled: 'bundled',
  hub: 'from a hub',
  archived: 'archived already',
  missing: 'without a folder',
  'no-record': 'without a record',
  unreadable: 'unreadable',
  ambiguous: 'of an ambiguous name',
  'archive-failed': 'could not be archived',
}

/** `9 in use, 2 pinned`. */
const summariseSkipped = (skipped: readonly SkippedSkill[]): string => {
  const counts = new Map<SkipReason, number>()
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(([reason, count]) => `${count} ${SKIPPED[reason]}`).join(', ')
}

const toColumns = (paint: Paint): readonly Column<SkillTransition>[] => [
  { title: 'SKILL', cell: ({ name }) => name, least: 16, paint: paint.bold },
  {
    title: 'CHANGE',
    cell: ({ from, to }) => `${from} → ${to}`,
    paint: (cell, { to }) => (to === 'active' ? paint.green(cell) : to === 'stale' ? paint.yellow(cell) : paint.red(cell)),
  },
  { title: 'WHY', cell: ({ reason }) => reason, least: 16, drop: 1, paint: paint.dim },
]

const renderTransitions = (transitions: readonly SkillTransition[], terminal: Terminal): string =>
  transitions.length === 0 ? '' : renderTable(toColumns(terminal.paint), transitions, terminal)

const summarise = (transitioned: readonly SkillTransition[], dryRun: boolean): string => {
  if (transitioned.length === 0) return 'Nothing to do: no skill is old enough to become stale or archived.'
  return `${counted(transitioned.length, 'skill')} ${dryRun ? 'would change; nothing was done.' : 'changed.'}`
}

export const renderRun = ({ report, reportPath, backupId, consolidation }: CuratorRun, terminal: Terminal): string => {
  const { transitioned, skipped, repaired, dryRun } = report
  return [
    renderTransitions(transitioned, terminal),
    `${wrapText(summarise(transitioned, dryRun), terminal.columns)}\n`,
    skipped.length === 0 ? '' : hint(`Not touched: ${summariseSkipped(skipped)}.`, terminal),
    repaired.length === 0 ? '' : hint(`Records corrected after a move by another program: ${repaired.join(', ')}.`, terminal),
    consolidation ? `\n${renderConsolidation(consolidation, terminal)}` : '',
    reportPath === undefined ? '' : hint(`Report: ${reportPath}/REPORT.md`, terminal),
    backupId === undefined ? '' : hint(`Undo: hermes curator rollback ${backupId}`, terminal),
  ].join('')
}

export const toRunValue = ({ report, reportPath, backupId, consolidation }: CuratorRun): unknown => ({
  ...report,
  reportPath,
  backupId,
  ...(consolidation
    ? { consolidation: { ...consolidation, problems: consolidation.problems.map(({ code, message }) => ({ code, message })) } }
    : {}),
})

interface MergeRow {
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

const mergeColumns = (paint: Paint): readonly Column<MergeRow>[] => [
  { title: 'SKILL', cell: ({ name }) => name, least: 16, paint: paint.bold },
  { title: 'INTO', cell: ({ into }) => into, least: 12 },
  { title: 'HOW', cell: ({ how }) => how, paint: paint.yellow },
  { title: 'WHY', cell: ({ why }) => why, least: 16, drop: 1, paint: paint.dim },
]

const toRows = ({ consolidated, pruned }: ConsolidationReport): readonly MergeRow[] => [
  ...consolidated.map(({ name, into, method, reason }) => ({ name, into, how: METHODS[method], why: reason })),
  ...pruned.map(({ name, reason }) => ({ name, into: 'the archive', how: 'archived', why: reason })),
]

const headOf = (rows: readonly MergeRow[], dryRun: boolean): string => {
  if (rows.length === 0) return dryRun ? 'No skill would be merged.' : 'No skill was merged.'
  return `${counted(rows.length, 'skill')} ${dryRun ? 'would be' : 'were'} merged or archived${dryRun ? '; nothing was done' : ''}.`
}

const renderConsolidation = (report: ConsolidationReport, terminal: Terminal): string => {
  const { held, refused, clusters, calls, inputTokens, outputTokens, stopped, dryRun } = report
  const rows = toRows(report)
  const { columns, paint } = terminal
  const line = (text: string, colour: (text: string) => string): string => `${colour(wrapText(oneLine(text), columns, 2))}\n`
  const cost = `${counted(calls, 'model call')}, about ${formatCount(inputTokens)} tokens in and ${formatCount(outputTokens)} out.`
  const left = clusters.left === 0 ? '' : ` ${counted(clusters.left, 'group')} left for the next run.`
  const waiting = held.some(({ pendingIds }) => pendingIds.length > 0) ? hint("'hermes pending' shows what waits.", terminal) : ''
  return [
    rows.length === 0 ? '' : renderTable(mergeColumns(paint), rows, terminal),
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
