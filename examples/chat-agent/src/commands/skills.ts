/** `/skills [name]`: the skills with their state and use; with a name, the text of one. Reading it here counts as no use. */
import { toSkillRow } from '@hermes/core/skills'
import { tell } from '@hermes/example-chat-parts/terminal'
import { cleanText, counted, oneLine } from '@hermes/example-chat-parts/text'
import type { Command, CommandContext } from './command.ts'

const NONE =
  'No skills yet. The reviewer proposes one after 10 steps with tools, where there was something to learn, such as a correction of yours.'

const printList = async ({ terminal, hermes }: CommandContext): Promise<void> => {
  const listed = await hermes.skillReader().list()
  if (!listed.ok) return tell(terminal, oneLine(listed.error.message), '  ', 'red')
  const records = await hermes.usageStore().all()
  for (const { message } of listed.value.problems) tell(terminal, oneLine(message), '  ', 'red')
  if (listed.value.skills.length === 0) tell(terminal, NONE)
  for (const skill of listed.value.skills) {
    const { name, description, state, useCount, pinned, shared } = toSkillRow(skill, records.get(skill.name))
    const used = useCount === 0 ? 'never used' : `used ${useCount === 1 ? 'once' : counted(useCount, 'time')}`
    const facts = shared ? ['shared, read-only'] : [state, used, ...(pinned ? ['pinned'] : [])]
    tell(terminal, `- ${oneLine(name)}: ${oneLine(description)}`, '  ')
    tell(terminal, `  ${facts.join(' · ')}`, '  ', 'dim')
  }
}

const printSkill = async (name: string, { terminal, hermes }: CommandContext): Promise<void> => {
  const viewed = await hermes.skillReader().view(name)
  if (!viewed.ok) return tell(terminal, oneLine(viewed.error.message), '  ', 'red')
  for (const line of cleanText(viewed.value.content).trimEnd().split('\n')) tell(terminal, line, '  ')
}

export const skillsCommand: Command = {
  usage: '/skills [name]',
  summary: 'what the agent has learned to do; with a name, its text',
  run: (argument, context) => (argument === '' ? printList(context) : printSkill(argument, context)),
}
