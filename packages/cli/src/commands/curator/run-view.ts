/** Renders a curator run as text and as JSON. */

import type { CuratorRun } from '@hermes/core'
import type { SkillTransition, SkippedSkill, SkipReason } from '@hermes/core/curator'
import { counted } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Paint, Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/wrap-text.ts'
import { renderConsolidation } from './consolidation-view.ts'

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

const renderTransitions = (transitions: readonly SkillTransition[], { columns, paint }: Terminal): string =>
  transitions.length === 0 ? '' : renderTable(toColumns(paint), transitions, { columns, paintTitle: paint.dim })

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
