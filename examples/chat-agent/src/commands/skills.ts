/** `/skills [name]`: the skills with their state and use; with a name, the text of one. */
import { type ArchivedOverview, readSkillsOverview, type SkillOverview } from '../agent/skills-overview.ts'
import { cleanText, oneLine } from '../terminal/clean-text.ts'
import { wrapText } from '../terminal/word-wrap.ts'
import type { Command, CommandContext } from './command.ts'

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const describeUse = ({ useCount, lastActivityAt }: SkillOverview): string =>
  useCount === 0 ? 'never used' : `used ${times(useCount)}, last on ${day(lastActivityAt)}`

const OWNERS = {
  agent: 'made by the agent',
  user: 'yours',
  bundled: 'came with the product',
  hub: 'from a hub',
  shared: 'shared, read-only',
} as const

const describeOwner = ({ owner, managed }: SkillOverview): string =>
  owner === undefined ? 'nobody can tell whose' : `${OWNERS[owner]}${managed ? ', handed over to the curator' : ''}`

const facts = (skill: SkillOverview): string =>
  [
    ...(skill.owner === 'shared' ? [] : [skill.state, describeUse(skill)]),
    ...(skill.patchCount === 0 ? [] : [`changed ${times(skill.patchCount)}`]),
    describeOwner(skill),
    ...(skill.pinned ? ['pinned'] : []),
  ].join(' · ')

const describeArchived = ({ name, archivedAt, reason, absorbedInto }: ArchivedOverview): string =>
  [
    oneLine(name),
    ...(archivedAt === 0 ? [] : [`since ${day(archivedAt)}`]),
    ...(absorbedInto === undefined ? [] : [`now part of ${oneLine(absorbedInto)}`]),
    ...(reason === undefined || reason === '' ? [] : [oneLine(reason, 200)]),
  ].join(' · ')

const printProblems = (problems: readonly string[], { terminal: { print, paint, columns } }: CommandContext): void => {
  for (const problem of problems) print(paint.red(wrapText(oneLine(problem), columns, '  ')))
}

const printList = async (context: CommandContext): Promise<void> => {
  const { print, paint, columns } = context.terminal
  const { skills, archived, problems } = await readSkillsOverview(context.hermes, context.storage)
  printProblems(problems, context)
  if (skills.length === 0 && problems.length === 0) {
    print(
      wrapText(
        'No skills yet. The reviewer proposes one after 10 steps with tools, where there was something to learn, such as a correction of yours.',
        columns,
      ),
    )
  }
  for (const skill of skills) {
    const place = skill.category === undefined ? '' : ` (${oneLine(skill.category)})`
    print(wrapText(`- ${oneLine(skill.name)}${place}: ${oneLine(skill.description)}`, columns, '  '))
    print(paint.dim(wrapText(`  ${facts(skill)}`, columns, '  ')))
  }
  if (archived.length > 0) print('put away; nothing is deleted')
  for (const skill of archived) print(wrapText(`- ${describeArchived(skill)}`, columns, '  '))
}

const printSkill = async (name: string, context: CommandContext): Promise<void> => {
  const { print, paint, columns } = context.terminal
  const viewed = await context.hermes.skillReader().view(name)
  if (!viewed.ok) {
    printProblems([viewed.error.message], context)
    return
  }
  const { content, document, linkedFiles, path, sharedFrom } = viewed.value
  const known = (await readSkillsOverview(context.hermes, context.storage)).skills.find((other) => other.path === path)
  print(
    paint.dim(wrapText(`${sharedFrom === undefined ? 'skills/' : ''}${path}/SKILL.md${known ? ` · ${facts(known)}` : ''}`, columns, '  ')),
  )
  for (const line of cleanText(content).trimEnd().split('\n')) print(wrapText(line, columns, '  '))
  const files = Object.values(linkedFiles).flat()
  if (files.length > 0) print(paint.dim(wrapText(`beside it: ${oneLine(files.join(', '))}`, columns, '  ')))
  printProblems(
    document.diagnostics.map(({ message }) => message),
    context,
  )
}

/** Reading it here counts as no use: only the agent's own reading does. */
export const skillsCommand: Command = {
  name: 'skills',
  usage: '/skills [name]',
  summary: 'what the agent has learned to do; with a name, its text',
  run: async (argument, context) => {
    await (argument === '' ? printList(context) : printSkill(argument, context))
    return undefined
  },
}
