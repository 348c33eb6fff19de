/** `/skills [name]`: the skills with their state and use; with a name, the text of one. */

import type { SkillListEntry } from '@hermes/core/skills'
import { judgeOwnership, NO_OWNERSHIP_MARKS, readOwnershipMarks } from '@hermes/core/skills'
import { tell } from '@hermes/example-chat-parts/terminal'
import { cleanText, counted, oneLine } from '@hermes/example-chat-parts/text'
import type { Command, CommandContext } from './command.ts'

const OWNERS = { agent: 'made by the agent', user: 'yours', bundled: 'came with the product', hub: 'from a hub' } as const

const NEVER_USED = { state: 'active', pinned: false, useCount: 0, patchCount: 0, lastActivityAt: 0 } as const

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
const times = (count: number): string => (count === 1 ? 'once' : counted(count, 'time'))

/** The skills of the home, read afresh, and what is known of each beside its text: `active · used once, last on 2026-10-02 · yours`. */
const readSkills = async ({ hermes, storage }: CommandContext) => {
  const usage = hermes.usageStore()
  const [listed, archive, records, sound, marks] = await Promise.all([
    hermes.skillReader().list(),
    hermes.skillStore().listArchived(),
    usage.all(),
    usage.load(),
    readOwnershipMarks(storage),
  ])
  if (!listed.ok) return { skills: [], archived: [], problems: [listed.error.message] }
  const describe = (skill: SkillListEntry): string => {
    if (skill.sharedFrom !== undefined) return 'shared, read-only'
    const record = records.get(skill.name)
    const { state, pinned, useCount, patchCount, lastActivityAt } = record ?? NEVER_USED
    const { owner, grant } = judgeOwnership(skill, record, marks.ok ? marks.value : NO_OWNERSHIP_MARKS)
    return [
      state,
      useCount === 0 ? 'never used' : `used ${times(useCount)}, last on ${day(lastActivityAt)}`,
      ...(patchCount === 0 ? [] : [`changed ${times(patchCount)}`]),
      // Counts read as nothing while their file is broken; then nobody knows whose a skill is.
      marks.ok && sound.ok ? `${OWNERS[owner]}${grant === undefined ? '' : ', handed over to the curator'}` : 'unknown owner',
      ...(pinned ? ['pinned'] : []),
    ].join(' · ')
  }
  const failed = [archive, sound, marks].flatMap((result) => (result.ok ? [] : [result.error]))
  return {
    skills: listed.value.skills.map((skill) => ({ ...skill, facts: describe(skill) })),
    archived: archive.ok ? archive.value.entries : [],
    problems: [...listed.value.problems, ...(archive.ok ? archive.value.problems : []), ...failed].map(({ message }) => message),
  }
}

const printList = async (context: CommandContext): Promise<void> => {
  const { terminal } = context
  const { skills, archived, problems } = await readSkills(context)
  for (const problem of problems) tell(terminal, oneLine(problem), '  ', 'red')
  if (skills.length === 0 && problems.length === 0) {
    const when = 'The reviewer proposes one after 10 steps with tools, where there was something to learn, such as a correction of yours.'
    tell(terminal, `No skills yet. ${when}`)
  }
  for (const { name, category, description, facts } of skills) {
    tell(terminal, `- ${oneLine(name)}${category === undefined ? '' : ` (${oneLine(category)})`}: ${oneLine(description)}`, '  ')
    tell(terminal, `  ${facts}`, '  ', 'dim')
  }
  if (archived.length > 0) terminal.print('archived; nothing is deleted')
  for (const { name, archivedAt, absorbedInto, reason } of archived) {
    const facts = [
      oneLine(name),
      archivedAt === 0 ? '' : `since ${day(archivedAt)}`,
      absorbedInto === undefined ? '' : `now part of ${oneLine(absorbedInto)}`,
      oneLine(reason ?? '', 200),
    ]
    tell(terminal, `- ${facts.filter((fact) => fact !== '').join(' · ')}`, '  ')
  }
}

const printSkill = async (name: string, context: CommandContext): Promise<void> => {
  const { terminal, hermes } = context
  const viewed = await hermes.skillReader().view(name)
  if (!viewed.ok) return tell(terminal, oneLine(viewed.error.message), '  ', 'red')
  const { content, document, linkedFiles, path, sharedFrom } = viewed.value
  const known = (await readSkills(context)).skills.find((other) => other.path === path)
  const file = `${sharedFrom === undefined ? 'skills/' : ''}${path}/SKILL.md`
  tell(terminal, known === undefined ? file : `${file} · ${known.facts}`, '  ', 'dim')
  for (const line of cleanText(content).trimEnd().split('\n')) tell(terminal, line, '  ')
  const files = Object.values(linkedFiles).flat()
  if (files.length > 0) tell(terminal, `beside it: ${oneLine(files.join(', '))}`, '  ', 'dim')
  for (const { message } of document.diagnostics) tell(terminal, oneLine(message), '  ', 'red')
}

/** Reading it here counts as no use: only the agent's own reading does. */
export const skillsCommand: Command = {
  usage: '/skills [name]',
  summary: 'what the agent has learned to do; with a name, its text',
  run: (argument, context) => (argument === '' ? printList(context) : printSkill(argument, context)),
}
