/** `hermes skills list`: the skills and how often each was used. */
import { type Answer, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted, relativeTime } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Paint } from '../../terminal/terminal.ts'
import { renderArchived } from '../curator/archived-table.ts'
import { type OwnedSkillRow, openSkills, ownerWord, paintState, readSkillLibrary, stateWord } from './library.ts'

const toColumns = (now: number, paint: Paint): readonly Column<OwnedSkillRow>[] => [
  { title: 'NAME', cell: ({ name }) => name, least: 30, paint: paint.bold },
  { title: 'CATEGORY', cell: ({ category = '' }) => category, least: 8, drop: 4 },
  { title: 'STATE', cell: stateWord, paint: (cell, row) => paintState(cell, row, paint) },
  { title: 'USES', cell: ({ useCount, owner }) => (owner === 'shared' ? '' : String(useCount)), align: 'right' },
  { title: 'ACTIVE', cell: ({ lastActivityAt, owner }) => (owner === 'shared' ? '' : relativeTime(lastActivityAt, now)), drop: 2 },
  { title: 'BY', cell: ownerWord, drop: 3 },
  { title: 'DESCRIPTION', cell: ({ description }) => description, least: 24, drop: 1, paint: paint.dim },
]

const toCountColumns = (now: number, paint: Paint): readonly Column<OwnedSkillRow>[] => [
  { title: 'NAME', cell: ({ name }) => name, least: 30, paint: paint.bold },
  { title: 'USES', cell: ({ useCount }) => String(useCount), align: 'right' },
  { title: 'VIEWS', cell: ({ viewCount }) => String(viewCount), align: 'right', drop: 3 },
  { title: 'CHANGES', cell: ({ patchCount }) => String(patchCount), align: 'right', drop: 2 },
  { title: 'WELL', cell: ({ successCount }) => String(successCount), align: 'right', drop: 5 },
  { title: 'CORRECTED', cell: ({ correctionCount }) => String(correctionCount), align: 'right', drop: 6 },
  { title: 'LAST USED', cell: ({ lastUsedAt }) => relativeTime(lastUsedAt, now) },
  { title: 'CREATED', cell: ({ createdAt }) => (createdAt === 0 ? '' : relativeTime(createdAt, now)), drop: 4 },
  { title: 'STATE', cell: stateWord, drop: 1, paint: (cell, row) => paintState(cell, row, paint) },
]

/** `4 skills: 3 active, 1 stale; 2 more in the archive.` */
export const summarise = (skills: readonly OwnedSkillRow[], archivedCount: number): string => {
  const own = skills.filter(({ owner }) => owner !== 'shared')
  const count = (is: (row: OwnedSkillRow) => boolean): number => own.filter(is).length
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

const STATES = ['active', 'stale', 'archived'] as const

const byName = (a: OwnedSkillRow, b: OwnedSkillRow): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

const ORDERS = {
  name: byName,
  uses: (a: OwnedSkillRow, b: OwnedSkillRow) => b.useCount - a.useCount || byName(a, b),
  recent: (a: OwnedSkillRow, b: OwnedSkillRow) => b.lastActivityAt - a.lastActivityAt || byName(a, b),
} as const

const SORTS = ['name', 'uses', 'recent'] as const

interface ListArgs {
  readonly text: readonly string[]
  readonly state: (typeof STATES)[number] | undefined
  readonly category: string | undefined
  readonly sort: (typeof SORTS)[number]
  readonly counts: boolean | undefined
}

const isIn = (category: string | undefined, wanted: string | undefined): boolean =>
  wanted === undefined || category === wanted || (category?.startsWith(`${wanted}/`) ?? false)

/** Every word is in the name, the category or the description. */
const mentions = (texts: readonly (string | undefined)[], words: readonly string[]): boolean => {
  const all = texts.join('\n').toLowerCase()
  return words.every((word) => all.includes(word.toLowerCase()))
}

const listArchived = async ({ text, category }: ListArgs, context: Context): Promise<Answer> => {
  const listed = await openSkills(context).listArchived()
  if (!listed.ok) return failed(listed.error)
  for (const { message } of listed.value.problems) context.warn(message)
  const archived = listed.value.entries.filter(
    (entry) => isIn(entry.category, category) && mentions([entry.name, entry.category, entry.description], text),
  )
  const told = `${counted(archived.length, 'archived skill')}. 'hermes curator restore <name>' brings one back.`
  return {
    value: { archived },
    text: (terminal) => (archived.length === 0 ? '' : renderArchived(archived, context.clock(), terminal)) + hint(told, terminal),
  }
}

export const listCommand = defineCommand<ListArgs>({
  examples: [
    ['hermes skills list', 'all of them, by name'],
    ['hermes skills list deploy --sort uses', 'those that mention deploy, the most used first'],
    ['hermes skills list --counts --sort recent', 'how often each was used, the last used first'],
    ['hermes skills list --state stale', 'skills that have not been used for a long time'],
    ['hermes skills list --category devops', 'one category and all categories below it'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser
      .positional('text', {
        type: 'string',
        array: true,
        default: [] as string[],
        describe: 'only skills with these words in their name, category or description',
      })
      .option('state', { choices: STATES, requiresArg: true, describe: 'only skills in this state' })
      .option('category', { type: 'string', requiresArg: true, describe: 'only this category and the categories below it' })
      .option('counts', { type: 'boolean', describe: 'instead, how often each was used, viewed, changed and corrected' })
      .option('sort', { choices: SORTS, default: 'name' as const, requiresArg: true, describe: 'the order of the list' }),
  run: async (args, context) => {
    const { text, state, category, sort, counts = false } = args
    if (state === 'archived') return listArchived(args, context)
    const library = await readSkillLibrary(context)
    if (!library.ok) return failed(library.error)
    const { archivedCount } = library.value
    const skills = library.value.skills
      .filter(({ owner }) => !counts || owner !== 'shared')
      .filter((row) => state === undefined || (row.state === state && row.owner !== 'shared'))
      .filter((row) => isIn(row.category, category) && mentions([row.name, row.category, row.description], text))
      .sort(ORDERS[sort])
    return {
      value: { skills, archivedCount },
      text: (terminal) => {
        const summary = hint(summarise(skills, archivedCount), terminal)
        if (skills.length === 0) return summary
        return renderTable((counts ? toCountColumns : toColumns)(context.clock(), terminal.paint), skills, terminal) + summary
      },
    }
  },
})
