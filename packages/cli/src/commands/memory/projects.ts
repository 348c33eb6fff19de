/** `hermes memory projects`: the projects that have notes. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/field-list.ts'
import { readProjects } from './open-memory.ts'

export const projectsCommand = defineCommand({
  examples: [['hermes memory projects', 'then: hermes memory show --project <name>']],
  onlyReads: true,
  run: async (_, context) => {
    const listed = await readProjects(context)
    if (!listed.ok) return failed(listed.error)
    const projects = listed.value
    return {
      value: { projects },
      text: (terminal) =>
        projects.length === 0
          ? 'There are no notes on a project.\n'
          : projects.map((project) => `${cleanText(project)}\n`).join('') +
            hint("'hermes memory show --project <name>' shows the notes on one.", terminal),
    }
  },
})
