/** `hermes curator restore`: brings a skill back from the archive. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted } from '../../terminal/format.ts'
import { openCurator } from './open-curator.ts'

export const restoreCommand = defineCommand({
  examples: [
    ['hermes curator restore deploy', 'the newest of that name'],
    ['hermes curator restore .archive/deploy-20260512101500', 'a particular one, by its id'],
  ],
  options: (parser) =>
    parser.positional('name', {
      type: 'string',
      demandOption: true,
      describe: "its name or id, as 'hermes skills list --state archived' shows it",
    }),
  run: async ({ name }, context) => {
    const curator = await openCurator(context)
    const back = await curator.restore(name)
    if (!back.ok) return failed(back.error)
    const { skill, archived, others } = back.value.restored
    return {
      value: { name: skill.name, path: skill.path, archived, others },
      text: (terminal) => {
        const older = `${counted(others.length, 'older one')} of that name still in the archive: ${others.map(({ id }) => id).join(', ')}`
        const undo = hint(`Undo: hermes curator archive ${skill.name}`, terminal)
        return `${skill.name} is back in skills/${skill.path}.\n${others.length === 0 ? '' : hint(older, terminal)}${undo}`
      },
    }
  },
})
