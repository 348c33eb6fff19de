/** `hermes skills usage`: how often and when each skill was used. */

import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { counted } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { relativeTime } from '../../terminal/relative-time.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Paint } from '../../terminal/terminal.ts'
import { type OwnedSkillRow, readSkillLibrary } from './skill-library.ts'
import { ownerWord, paintState, stateWord } from './skill-words.ts'

const toColumns = (now: number, paint: Paint): readonly Column<OwnedSkillRow>[] => [
  { title: 'NAME', cell: ({ name }) => name, least: 30, paint: paint.bold },
  { title: 'USES', cell: ({ useCount }) => String(useCount), align: 'right' },
  { title: 'VIEWS', cell: ({ viewCount }) => String(viewCount), align: 'right', drop: 3 },
  { title: 'CHANGES', cell: ({ patchCount }) => String(patchCount), align: 'right', drop: 2 },
  { title: 'WELL', cell: ({ successCount }) => String(successCount), align: 'right', drop: 6 },
  { title: 'CORRECTED', cell: ({ correctionCount }) => String(correctionCount), align: 'right', drop: 7 },
  { title: 'LAST USED', cell: ({ lastUsedAt }) => relativeTime(lastUsedAt, now) },
  { title: 'CREATED', cell: ({ createdAt }) => (createdAt === 0 ? '' : relativeTime(createdAt, now)), drop: 4 },
  { title: 'STATE', cell: stateWord, drop: 1, paint: (cell, row) => paintState(cell, row, paint) },
  { title: 'BY', cell: ownerWord, drop: 5 },
]

const SORTS = ['uses', 'recent', 'name'] as const

type Sort = (typeof SORTS)[number]

const compare: Readonly<Record<Sort, (a: OwnedSkillRow, b: OwnedSkillRow) => number>> = {
  uses: (a, b) => b.useCount - a.useCount || b.lastUsedAt - a.lastUsedAt || compare.name(a, b),
  recent: (a, b) => b.lastUsedAt - a.lastUsedAt || compare.name(a, b),
  name: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
}

export const usageCommand = defineCommand<{ readonly sort: Sort }>({
  usage: 'usage',
  describe: 'Show how often each skill was used, viewed and changed.',
  examples: [
    ['hermes skills usage', 'the most used first'],
    ['hermes skills usage --sort recent', 'the last used first'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser.option('sort', { choices: SORTS, default: 'uses' as const, requiresArg: true, describe: 'the order of the list' }),
  run: async ({ sort }, context) => {
    const library = await readSkillLibrary(context)
    if (!library.ok) return failed(library.error)
    const skills = library.value.skills.filter(({ owner }) => owner !== 'shared').toSorted(compare[sort])
    const unused = skills.filter(({ useCount }) => useCount === 0).length
    return {
      value: { skills },
      text: (terminal) =>
        skills.length === 0
          ? hint('There are no skills yet.', terminal)
          : renderTable(toColumns(context.clock(), terminal.paint), skills, { columns: terminal.columns, paintTitle: terminal.paint.dim }) +
            hint(`${counted(skills.length, 'skill')}${unused === 0 ? '' : `, ${unused} of them never used`}.`, terminal),
    }
  },
})
