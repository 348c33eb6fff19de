/** `hermes owners list`: the owners that have a home. */
import type { OwnerId } from '@hermes/core/portability'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'

const COLUMNS: readonly Column<OwnerId>[] = [
  { title: 'TENANT', cell: ({ tenant = '' }) => tenant, drop: 1 },
  { title: 'USER', cell: ({ user }) => user, least: 16 },
]

export const listCommand = defineCommand({
  examples: [
    ['hermes owners list', 'everyone who has a home here'],
    ['hermes memory show --user ada@example.com', 'the memory of one of them'],
  ],
  forAll: true,
  onlyReads: true,
  run: async (_args, context) => {
    const { openHomes } = await import('../../open-hermes.ts')
    const listed = await openHomes(context).list()
    if (!listed.ok) return failed(listed.error)
    const owners = listed.value
    return {
      value: { owners },
      text: (terminal) =>
        owners.length === 0
          ? hint('This folder has no owners; it may be the home of one person.', terminal)
          : renderTable(COLUMNS, owners, terminal) + hint(counted(owners.length, 'owner'), terminal),
    }
  },
})
