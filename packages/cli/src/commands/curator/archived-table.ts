/** Archived skills as a table. */
import type { ArchivedSkill } from '@hermes/core/skills'
import { relativeTime } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Paint, Terminal } from '../../terminal/terminal.ts'

const toColumns = (now: number, paint: Paint): readonly Column<ArchivedSkill>[] => [
  { title: 'NAME', cell: ({ name }) => name, least: 16, paint: paint.bold },
  { title: 'ARCHIVED', cell: ({ archivedAt }) => (archivedAt === 0 ? 'unknown' : relativeTime(archivedAt, now)) },
  {
    title: 'WHY',
    cell: ({ reason = '', absorbedInto }) => (absorbedInto === undefined ? reason : `in ${absorbedInto}: ${reason}`),
    least: 16,
    drop: 1,
  },
  { title: 'FROM', cell: ({ from = '' }) => from, least: 12, drop: 2 },
]

/** Shows ids only for entries that their name alone would not select. */
const idColumn = (entries: readonly ArchivedSkill[], paint: Paint): readonly Column<ArchivedSkill>[] =>
  new Set(entries.map(({ name }) => name)).size === entries.length ? [] : [{ title: 'ID', cell: ({ id }) => id, paint: paint.dim }]

export const renderArchived = (entries: readonly ArchivedSkill[], now: number, terminal: Pick<Terminal, 'columns' | 'paint'>): string =>
  renderTable([...toColumns(now, terminal.paint), ...idColumn(entries, terminal.paint)], entries, terminal)
