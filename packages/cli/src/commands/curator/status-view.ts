/** Renders the state of the curator. */
import type { CuratorStatus, SkillTransition } from '@hermes/core/curator'
import { hint, renderFields } from '../../terminal/field-list.ts'
import { counted, formatInstant, formatSpan, relativeTime } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Paint, Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/text-width.ts'
import { describeScope } from '../skills/library.ts'

/** Number of days after the next run that the forecast covers. */
export const SOON_DAYS = 14

export interface Forecast {
  /** Epoch milliseconds; `undefined` if no run is scheduled. */
  readonly nextRunAt: number | undefined
  /** What the next run would do, or what a manual run would do now if none is scheduled. */
  readonly next: readonly SkillTransition[]
  /** Further changes within `SOON_DAYS` after that run. */
  readonly soon: readonly SkillTransition[]
}

export interface StatusView extends Omit<CuratorStatus, 'backups' | 'problems'> {
  readonly enabled: boolean
  readonly consolidate: boolean
  readonly intervalHours: number
  readonly minIdleHours: number
  readonly staleAfterDays: number
  readonly archiveAfterDays: number | 'never'
  /** 0: no backups are taken. */
  readonly retainWeeks: number
  readonly backups: { readonly count: number; readonly newest: { readonly id: string; readonly createdAt: number } | undefined }
  readonly forecast: Forecast
}

const NAMES_SHOWN = 5
const ROWS_SHOWN = 8
const HOUR_MS = 3_600_000

const some = (names: readonly string[]): string => {
  const shown = names.slice(0, NAMES_SHOWN).join(', ')
  return names.length > NAMES_SHOWN ? `${shown} and ${counted(names.length - NAMES_SHOWN, 'other')}` : shown
}

/** `2 turn stale, 1 is archived`. */
const countChanges = (transitions: readonly SkillTransition[]): string => {
  const count = (to: SkillTransition['to']): number => transitions.filter((one) => one.to === to).length
  const parts = [
    [count('stale'), 'turns stale', 'turn stale'],
    [count('archived'), 'is archived', 'are archived'],
    [count('active'), 'is active again', 'are active again'],
  ] as const
  return parts.flatMap(([number, one, many]) => (number === 0 ? [] : [`${number} ${number === 1 ? one : many}`])).join(', ')
}

const nextRun = ({ due, minIdleHours, intervalHours, consolidate, forecast }: StatusView, now: number): string => {
  const wait = minIdleHours === 0 ? 'the agent is idle' : `the agent has been idle for ${formatSpan(minIdleHours * HOUR_MS)}`
  const changes = countChanges(forecast.next)
  const then = `${changes === '' ? 'nothing is old enough to change' : changes}${consolidate ? '; then merges' : ''}`
  if (due.due) return `due as soon as ${wait}: ${then}`
  if (due.reason === 'interval') return `${relativeTime(due.nextAt, now)} (${formatInstant(due.nextAt)}), when ${wait}: ${then}`
  if (due.reason === 'first-sight')
    return `not scheduled yet: ${formatSpan(intervalHours * HOUR_MS)} after an agent first starts in this home. Then ${then}`
  if (due.reason === 'paused') return `none until 'hermes curator resume'; a manual run now: ${then}`
  return 'none: switched off in config.yaml'
}

const ages = ({ staleAfterDays, archiveAfterDays, intervalHours }: StatusView): string => {
  const archived = archiveAfterDays === 'never' ? 'never archived' : `archived after ${archiveAfterDays}d`
  return `stale after ${staleAfterDays}d without use, ${archived}; checked every ${formatSpan(intervalHours * HOUR_MS)}`
}

const backupsOf = ({ backups: { count, newest }, retainWeeks }: StatusView, now: number): string => {
  if (newest) return `${count}, the newest ${relativeTime(newest.createdAt, now)} (${newest.id})`
  return retainWeeks === 0 ? 'none; switched off in config.yaml' : 'none yet; a run takes one before its first change'
}

const skillsOf = ({ counts: { active, stale, archived, managed, unmanaged } }: StatusView): string =>
  active + stale + archived === 0
    ? 'none yet'
    : `${active} active, ${stale} stale, ${archived} archived; ${managed} managed, ${unmanaged} not managed`

type Row = SkillTransition & { readonly when: string }

const toColumns = (paint: Paint): readonly Column<Row>[] => [
  { title: 'COMING UP', cell: ({ name }) => name, least: 16, paint: paint.bold },
  {
    title: 'CHANGE',
    cell: ({ from, to }) => `${from} → ${to}`,
    paint: (cell, { to }) => (to === 'active' ? paint.green(cell) : to === 'stale' ? paint.yellow(cell) : paint.red(cell)),
  },
  { title: 'WHEN', cell: ({ when }) => when, drop: 2 },
  { title: 'WHY', cell: ({ reason }) => reason, least: 16, drop: 1, paint: paint.dim },
]

/** Display order of transitions. */
const URGENCY = ['archived', 'stale', 'active'] as const

const byUrgency = (a: SkillTransition, b: SkillTransition): number => URGENCY.indexOf(a.to) - URGENCY.indexOf(b.to)

const comingUp = ({ forecast: { nextRunAt, next, soon } }: StatusView, terminal: Terminal): string => {
  const rows: readonly Row[] = [
    ...next.toSorted(byUrgency).map((one) => ({ ...one, when: nextRunAt === undefined ? 'manual run' : 'next run' })),
    ...soon.toSorted(byUrgency).map((one) => ({ ...one, when: `${SOON_DAYS}d after` })),
  ]
  if (rows.length === 0) return ''
  const { columns, paint } = terminal
  const table = renderTable(toColumns(paint), rows.slice(0, ROWS_SHOWN), { columns, paint })
  const more = rows.length - ROWS_SHOWN
  const rest = more > 0 ? `${counted(more, 'more', 'more')} within ${SOON_DAYS}d of the next run. ` : ''
  return `\n${table}${hint(`${rest}Using a skill keeps it; so does 'hermes curator pin <name>'.`, terminal)}`
}

const headOf = ({ enabled, state, mergingUntil }: StatusView, paint: Paint): string => {
  if (!enabled) return paint.red('off')
  if (state.paused) return `${paint.yellow('PAUSED')}: no scheduled runs until 'hermes curator resume'`
  return paint.green(mergingUntil === undefined ? 'on' : 'on, and asking a model about merges now')
}

export const renderStatus = (view: StatusView, now: number, terminal: Terminal): string => {
  const { state, pinned, misjudged, grants } = view
  const { paint, columns } = terminal
  const { lastRunAt, lastRunDurationSeconds, lastRunSummary, lastReportPath, runCount } = state
  const took = lastRunDurationSeconds === undefined ? '' : `, took ${lastRunDurationSeconds.toFixed(1)} s`
  const hasRun = runCount > 0 && lastRunAt !== undefined
  const fields = renderFields(
    [
      [
        'last run',
        hasRun ? `${relativeTime(lastRunAt, now)} (${formatInstant(lastRunAt)})${took}, ${counted(runCount, 'run')} in all` : 'never',
      ],
      ['result', hasRun ? lastRunSummary : undefined],
      ['report', lastReportPath === undefined ? undefined : `${lastReportPath}/REPORT.md`],
      ['next run', nextRun(view, now)],
      ['skills', skillsOf(view)],
      ['ages', ages(view)],
      ['backups', backupsOf(view, now)],
      ['pinned', some(pinned)],
      ['restored', some(misjudged.map(({ name, misjudgements }) => (misjudgements === 1 ? name : `${name} (${misjudgements} times)`)))],
      ['handed over', some(grants.map(({ scope, allow }) => `${describeScope(scope)} (${allow.join(', ')})`))],
    ],
    terminal,
  )
  return `${wrapText(`The curator is ${headOf(view, paint)}`, columns)}\n${fields}${comingUp(view, terminal)}`
}
