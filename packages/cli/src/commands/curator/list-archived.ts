/** `hermes curator list-archived`: the archived skills and the reasons. */

import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { counted } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { openSkills } from '../skills/open-skills.ts'
import { renderArchived } from './archived-table.ts'
import { warnOf } from './warn-of.ts'

export const listArchivedCommand = defineCommand({
  usage: 'list-archived',
  describe: 'List archived skills, newest first.',
  examples: [['hermes curator list-archived --json', 'with ids, for restore']],
  onlyReads: true,
  run: async (_args, context) => {
    const listed = await openSkills(context).listArchived()
    if (!listed.ok) return failed(listed.error)
    const { entries, problems } = listed.value
    warnOf(problems, context)
    return {
      value: { archived: entries },
      text: (terminal) =>
        entries.length === 0
          ? 'The archive is empty.\n'
          : renderArchived(entries, context.clock(), terminal) +
            hint(`${counted(entries.length, 'archived skill')}. 'hermes curator restore <name>' brings one back.`, terminal),
    }
  },
})
