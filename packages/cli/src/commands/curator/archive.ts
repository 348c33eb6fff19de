/** `hermes curator archive`: archives a skill; `restore` brings it back. */
import { defineCommand } from '../../command.ts'
import { hint } from '../../terminal/field-list.ts'
import { failedWithCloseNames } from '../skills/library.ts'
import { openCurator, SKILL_NAME } from './open-curator.ts'

export const archiveCommand = defineCommand({
  examples: [
    ['hermes curator archive old-deploy', 'it moves to skills/.archive'],
    ['hermes curator archive csv-quick --into csv-analyze', 'records which skill contains its content now'],
  ],
  options: (parser) =>
    parser
      .positional('name', SKILL_NAME)
      .option('reason', { type: 'string', requiresArg: true, describe: 'why, for whoever looks for it later' })
      .option('into', { type: 'string', requiresArg: true, describe: 'the skill that contains its content from now on' }),
  run: async ({ name, reason, into }, context) => {
    const curator = await openCurator(context)
    const put = await curator.archive(name, { reason, absorbedInto: into })
    if (!put.ok) return failedWithCloseNames(put.error, context)
    const { archived } = put.value
    return {
      value: { archived },
      text: (terminal) =>
        `${archived.name} is archived as ${archived.path}.\n${hint(`Bring it back: hermes curator restore ${archived.name}`, terminal)}`,
    }
  },
})
