/** `hermes skills list`: the skills and how often each was used. */

import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { counted } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { relativeTime } from '../../terminal/relative-time.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Paint } from '../../terminal/terminal.ts'
import { readSkillLibrary, type SkillRow } from './skill-library.ts'
import { ownerWord, paintState, stateWord } from './skill-words.ts'

const toColumns = (now: number, paint: Paint): readonly Column<SkillRow>[] => [
  { title: 'NAME', cell: ({ name }) => name, least: 16, paint: paint.bold },
  { title: 'CATEGORY', cell: ({ category = '' }) => category, least: 8, drop: 4 },
  { title: 'STATE', cell: stateWord, paint: (cell, row) => paintState(cell, row, paint) },
  { title: 'USES', cell: ({ useCount, owner }) => (owner === 'shared' ? '' : String(useCount)), align: 'right' },
  { title: 'ACTIVE', cell: ({ lastActivityAt, owner }) => (owner === 'shared' ? '' : relativeTime(lastActivityAt, now)), drop: 2 },
  { title: 'BY', cell: ownerWord, drop: 3 },
  { title: 'DESCRIPTION', cell: ({ description }) => description, least: 24, drop: 1, paint: paint.dim },
]

const summarise = (skills: readonly SkillRow[], archivedCount: number): string => {
  const own = skills.filter(({ owner }) => owner !== 'shared')
  const count = (is: (row: SkillRow) => boolean): number => own.filter(is).length
  const parts = [
    [count(({ state }) => state === 'active'), 'active'],
    [count(({ state }) => state === 'stale'), 'stale'],
    [count(({ pinned }) => pinned), 'pinned'],
    [skills.length - own.length, 'shared'],
  ] as const
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`)
  const archive = archivedCount === 0 ? '' : `; ${archivedCount} more in the archive`
  return `${counted(skills.length, 'skill')}${told.length === 0 ? '' : `: ${told.join(', ')}`}${archive}.`
}

const STATES = ['active', 'stale'] as const

interface ListArgs {
  readonly state: (typeof STATES)[number] | undefined
  readonly category: string | undefined
}

export const listCommand = defineCommand<ListArgs>({
  usage: 'list',
  describe: 'List the skills with their state, use and owner.',
  examples: [
    ['hermes skills list', 'all of them, by name'],
    ['hermes skills list --state stale', 'skills that have not been used for a long time'],
    ['hermes skills list --category devops', 'one category and all categories below it'],
  ],
  options: (parser) =>
    parser
      .option('state', { choices: STATES, requiresArg: true, describe: 'only skills in this state' })
      .option('category', { type: 'string', requiresArg: true, describe: 'only this category and the categories below it' }),
  run: async ({ state, category }, context) => {
    const library = await readSkillLibrary(context)
    if (!library.ok) return failed(library.error)
    const { archivedCount } = library.value
    const isInCategory = (row: SkillRow): boolean => row.category === category || (row.category?.startsWith(`${category}/`) ?? false)
    const skills = library.value.skills
      .filter(
        (row) => (state === undefined || (row.state === state && row.owner !== 'shared')) && (category === undefined || isInCategory(row)),
      )
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    return {
      value: { skills, archivedCount },
      text: (terminal) => {
        const { columns, paint } = terminal
        const summary = hint(summarise(skills, archivedCount), terminal)
        if (skills.length === 0) return summary
        return renderTable(toColumns(context.clock(), paint), skills, { columns, paintTitle: paint.dim }) + summary
      },
    }
  },
})
