/** The nouns of the command line. Their verbs are loaded only when they are named, so that help and completion stay quick. */
import type { Command } from './command.ts'

export interface Group {
  readonly name: string
  readonly describe: string
  readonly load: () => Promise<readonly Command[]>
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
