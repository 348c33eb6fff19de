/** The nouns of the command line. A verb is loaded only when it is named, or all of its noun are to be listed, so that each start is quick. */
import type { Command, Verbs } from './command.ts'

export interface Group {
  readonly name: string
  readonly describe: string
  readonly load: () => Promise<Verbs>
}

export const GROUPS: readonly Group[] = [
  { name: 'memory', describe: 'what the agent remembers', load: async () => (await import('./commands/memory/group.ts')).memoryCommands },
  { name: 'skills', describe: 'what the agent can do', load: async () => (await import('./commands/skills/group.ts')).skillsCommands },
  {
    name: 'journal',
    describe: 'what was proposed, and what waits for you',
    load: async () => (await import('./commands/journal/group.ts')).journalCommands,
  },
  {
    name: 'curator',
    describe: 'the upkeep of the skills: ageing, archive, backups',
    load: async () => (await import('./commands/curator/group.ts')).curatorCommands,
  },
  { name: 'config', describe: 'the settings of the home', load: async () => (await import('./commands/config/group.ts')).configCommands },
]

/** `word` stands behind the noun. All verbs where it is none of them, for help and for what was misspelt. */
export const loadVerbs = (verbs: Verbs, word: string | undefined): Promise<readonly Command[]> => {
  const named = word !== undefined && Object.hasOwn(verbs, word) ? verbs[word] : undefined
  return Promise.all((named ? [named] : Object.values(verbs)).map((load) => load()))
}
