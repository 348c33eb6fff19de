/** `hermes owners list`: the owners that have a home. */
import type { OwnerId } from '@hermes/core/portability'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { counted } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import { openHomes } from './open-homes.ts'

const COLUMNS: readonly Column<OwnerId>[] = [
  { title: 'TENANT', cell: ({ tenant = '' }) => tenant, drop: 1 },
  { title: 'USER', cell: ({ user }) => user, least: 16 },
]

export const listCommand = defineCommand({
  usage: 'list',
  describe: 'List the people who have a home in this folder.',
  examples: [
    ['hermes owners list', 'everyone who has a home here'],
    ['hermes memory show --user ada@example.com', 'the memory of one of them'],
  ],
  forAll: true,
  onlyReads: true,
  run: async (_args, context) => {
    const listed = await openHomes(context).list()
    if (!listed.ok) return failed(listed.error)
    const owners = listed.value
    return {
      value: { owners },
      text: (terminal) =>
        owners.length === 0
          ? hint('This folder has no owners; it may be the home of one person.', terminal)
          : renderTable(COLUMNS, owners, { columns: terminal.columns, paintTitle: terminal.paint.dim }) +
            hint(counted(owners.length, 'owner'), terminal),
    }
  },
})
