/** `hermes memory archived`: the archived entries and the reasons. */
import type { ArchivedEntry } from '@hermes/core/memory'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { shortEntryId } from '../../find-by-id.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted, relativeTime } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Paint } from '../../terminal/terminal.ts'
import { MEMORY_STORES } from './memory-view.ts'
import { inProject, openMemory, PROJECT } from './open-memory.ts'

const toColumns = (entries: readonly ArchivedEntry[], now: number, paint: Paint): readonly Column<ArchivedEntry>[] => [
  { title: 'ID', cell: ({ id }) => shortEntryId(id, entries), paint: paint.dim },
  { title: 'ARCHIVED', cell: ({ forgottenAt }) => relativeTime(forgottenAt, now) },
  { title: 'ORIGIN', cell: ({ origin }) => origin, drop: 3 },
  { title: 'ENTRY', cell: ({ text }) => text, least: 24 },
  { title: 'WHY', cell: ({ reason = '', replacedBy }) => (replacedBy === undefined ? reason : `now: ${replacedBy}`), least: 16, drop: 2 },
]

export const archivedCommand = defineCommand({
  examples: [
    ['hermes memory archived', 'the entries of both stores'],
    ['hermes memory archived --json', 'with whole ids and texts, for programs'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser.option('project', PROJECT).positional('store', {
      choices: MEMORY_STORES,
      describe: "memory: the agent's own notes; user: what it knows about you; project: notes on the project of --project",
    }),
  run: async ({ store, project }, context) => {
    const listed = await openMemory(inProject(context, project)).archived(store)
    if (!listed.ok) return failed(listed.error)
    const entries = listed.value
    return {
      value: { archived: entries },
      text: (terminal) =>
        entries.length === 0
          ? 'The archive of memory is empty.\n'
          : renderTable(toColumns(entries, context.clock(), terminal.paint), entries, terminal) +
            hint(
              `${counted(entries.length, 'archived entry', 'archived entries')}. 'hermes memory restore <id>' brings one back.`,
              terminal,
            ),
    }
  },
})
