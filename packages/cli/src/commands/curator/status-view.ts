/** The curator's state on one screen. */
import type { CuratorState, isCuratorDue } from '@hermes/core'
import { renderFields } from '../../terminal/field-list.ts'
import { counted } from '../../terminal/gauge.ts'
import { formatInstant, formatSpan, relativeTime } from '../../terminal/relative-time.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Paint, Terminal } from '../../terminal/terminal.ts'
import type { SkillRow } from '../skills/skill-library.ts'
import { paintState } from '../skills/skill-words.ts'

export interface StatusView {
  readonly enabled: boolean
  readonly state: CuratorState
  readonly due: ReturnType<typeof isCuratorDue>
  readonly intervalHours: number
  readonly minIdleHours: number
  readonly staleAfterDays: number
  readonly archiveAfterDays: number | 'never'
  /** 0: none are taken. */
  readonly retainWeeks: number
  readonly backups: { readonly count: number; readonly newest: { readonly id: string; readonly createdAt: number } | undefined }
  readonly skills: readonly SkillRow[]
  readonly archivedCount: number
}

const SHOWN = 5

const HOUR_MS = 3_600_000

const schedule = ({ intervalHours, minIdleHours }: StatusView): string => {
  const idle = minIdleHours === 0 ? 'when the agent is idle' : `when nobody has worked for ${formatSpan(minIdleHours * HOUR_MS)}`
  return `every ${formatSpan(intervalHours * HOUR_MS)}, ${idle}`
}

const nextRun = ({ due }: StatusView, now: number): string => {
  if (due.due) return 'due: as soon as the agent is idle'
  if (due.reason === 'interval') return relativeTime(due.nextAt, now)
  if (due.reason === 'first-sight') return 'an interval after a host first looks at these skills'
  return due.reason === 'paused' ? "when resumed: 'hermes curator resume'" : 'never: switched off in config.yaml'
}

const isManaged = ({ owner, managed }: SkillRow): boolean => owner === 'agent' || managed

const countSkills = ({ skills, archivedCount }: StatusView): string => {
  const count = (is: (row: SkillRow) => boolean): number => skills.filter(is).length
  const counts = [
    `${count(({ state }) => state === 'active')} active`,
    `${count(({ state }) => state === 'stale')} stale`,
    `${archivedCount} archived`,
  ]
  return `${counts.join(', ')}; ${count(isManaged)} looked after, ${count((row) => !isManaged(row))} left alone`
}

const toColumns = (now: number, paint: Paint): readonly Column<SkillRow>[] => [
  { title: 'IDLE LONGEST', cell: ({ name }) => name, least: 16, paint: paint.bold },
  { title: 'ACTIVE', cell: ({ lastActivityAt }) => relativeTime(lastActivityAt, now) },
  { title: 'USES', cell: ({ useCount }) => String(useCount), align: 'right' },
  { title: 'STATE', cell: ({ state }) => state, paint: (cell, row) => paintState(cell, row, paint) },
]

/** Those whose turn is next; what was never used does not age. */
const idleLongest = (skills: readonly SkillRow[]): readonly SkillRow[] =>
  skills
    .filter((row) => isManaged(row) && !row.pinned && row.lastActivityAt !== 0)
    .sort((a, b) => a.lastActivityAt - b.lastActivityAt)
    .slice(0, SHOWN)

export const renderStatus = (view: StatusView, now: number, terminal: Terminal): string => {
  const { enabled, state, staleAfterDays, archiveAfterDays, backups, retainWeeks, skills } = view
  const { paint, columns } = terminal
  const { lastRunAt, lastRunDurationSeconds, lastRunSummary, lastReportPath, paused, runCount } = state
  const word = !enabled ? paint.red('off') : paused ? paint.yellow('paused') : paint.green('on')
  const took = lastRunDurationSeconds === undefined ? '' : `, took ${lastRunDurationSeconds.toFixed(1)} s`
  const { newest } = backups
  const pinned = skills.filter((row) => row.pinned).map(({ name }) => name)
  const fields = renderFields(
    [
      [
        'last run',
        runCount === 0 || lastRunAt === undefined ? 'never' : `${relativeTime(lastRunAt, now)} (${formatInstant(lastRunAt)})${took}`,
      ],
      ['it did', runCount === 0 ? undefined : lastRunSummary],
      ['report', lastReportPath],
      ['runs', runCount === 0 ? undefined : String(runCount)],
      ['next run', nextRun(view, now)],
      ['comes', schedule(view)],
      [
        'ages',
        `stale after ${staleAfterDays}d without use, archived after ${archiveAfterDays === 'never' ? archiveAfterDays : `${archiveAfterDays}d`}`,
      ],
      [
        'backups',
        newest
          ? `${backups.count}, the newest ${relativeTime(newest.createdAt, now)} (${newest.id})`
          : retainWeeks === 0
            ? 'none; switched off in config.yaml'
            : 'none yet',
      ],
      ['skills', skills.length === 0 && view.archivedCount === 0 ? 'none yet' : countSkills(view)],
      [
        'pinned',
        pinned.length > SHOWN ? `${pinned.slice(0, SHOWN).join(', ')} and ${counted(pinned.length - SHOWN, 'other')}` : pinned.join(', '),
      ],
    ],
    terminal,
  )
  const idle = idleLongest(skills)
  const table = idle.length === 0 ? '' : `\n${renderTable(toColumns(now, paint), idle, { columns, paintTitle: paint.dim })}`
  return `${paint.bold('The curator is')} ${word}\n${fields}${table}`
}
