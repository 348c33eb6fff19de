/**
 * The nouns of the command line, and the verbs without one. To start fast, a verb is loaded only if it is named or if all verbs of its noun
 * are listed.
 */
import type { Command, Verbs } from './command.ts'

export interface Group {
  readonly name: string
  readonly describe: string
  readonly load: () => Promise<Verbs>
}

export const GROUPS: readonly Group[] = [
  {
    name: 'memory',
    describe: 'what the agent remembers: show, add, replace, remove, why',
    load: async () => (await import('./commands/memory/group.ts')).memoryCommands,
  },
  {
    name: 'skills',
    describe: 'what the agent can do: list, show, edit, install',
    load: async () => (await import('./commands/skills/group.ts')).skillsCommands,
  },
  {
    name: 'journal',
    describe: 'what was proposed and written, by whom and why',
    load: async () => (await import('./commands/journal/group.ts')).journalCommands,
  },
  {
    name: 'curator',
    describe: 'the upkeep of the skills: ageing, archive, backups',
    load: async () => (await import('./commands/curator/group.ts')).curatorCommands,
  },
  {
    name: 'owners',
    describe: "the people who have a home in a server's folder",
    load: async () => (await import('./commands/owners/group.ts')).ownersCommands,
  },
  {
    name: 'config',
    describe: 'the settings of the home',
    load: async () => (await import('./commands/config/group.ts')).configCommands,
  },
]

/** A verb without a noun, since it works on the whole home. */
export interface HomeVerb {
  readonly name: string
  /** In the notation of yargs. */
  readonly usage: string
  readonly describe: string
  readonly load: () => Promise<Command>
}

export const HOME_VERBS: readonly HomeVerb[] = [
  {
    name: 'status',
    usage: 'status',
    describe: 'show on one screen what is remembered and what waits for you',
    load: async () => (await import('./commands/status.ts')).statusVerb,
  },
  {
    name: 'init',
    usage: 'init',
    describe: 'write a config.yaml, and print what your app adds',
    load: async () => (await import('./commands/init/init.ts')).initCommand,
  },
  {
    name: 'search',
    usage: 'search [words..]',
    describe: 'find words in all that the agent has learned, and in past sessions',
    load: async () => (await import('./commands/search/search.ts')).searchCommand,
  },
  {
    name: 'stats',
    usage: 'stats',
    describe: 'show what was learned, week by week, and what it cost',
    load: async () => (await import('./commands/stats/stats.ts')).statsCommand,
  },
  {
    name: 'diff',
    usage: 'diff [session] [other]',
    describe: 'show what the prompt has gained since an earlier session',
    load: async () => (await import('./commands/diff/diff.ts')).diffCommand,
  },
  {
    name: 'undo',
    usage: 'undo [id]',
    describe: 'take a write back: of you, the agent, a review or the curator',
    load: async () => (await import('./commands/undo.ts')).undoCommand,
  },
  {
    name: 'pending',
    usage: 'pending [id..]',
    describe: 'decide about what waits for you, one by one',
    load: async () => (await import('./commands/pending/pending.ts')).pendingCommand,
  },
  {
    name: 'doctor',
    usage: 'doctor',
    describe: 'check the home and what it works with, and say what to do',
    load: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
  },
  {
    name: 'review',
    usage: 'review',
    describe: 'learn now from conversations that no review has read yet',
    load: async () => (await import('./commands/review.ts')).reviewCommand,
  },
  {
    name: 'ui',
    usage: 'ui',
    describe: 'show in the browser what was learned and what waits for you',
    load: async () => (await import('./commands/ui/ui.ts')).uiCommand,
  },
  {
    name: 'reindex',
    usage: 'reindex',
    describe: 'make the index of past sessions anew',
    load: async () => (await import('./commands/reindex.ts')).reindexCommand,
  },
  {
    name: 'worker',
    usage: 'worker',
    describe: 'run the reviews that became due in other processes',
    load: async () => (await import('./commands/worker/worker.ts')).workerCommand,
  },
  {
    name: 'forget',
    usage: 'forget [text..]',
    describe: 'erase something from all data of the home',
    load: async () => (await import('./commands/forget.ts')).forgetCommand,
  },
  {
    name: 'export',
    usage: 'export [file]',
    describe: 'write what the agent has learned to one file',
    load: async () => (await import('./commands/portability/export.ts')).exportCommand,
  },
  {
    name: 'import',
    usage: 'import <file>',
    describe: 'add the contents of an exported file',
    load: async () => (await import('./commands/portability/import.ts')).importCommand,
  },
  {
    name: 'migrate',
    usage: 'migrate',
    describe: 'create or update the tables in PostgreSQL',
    load: async () => (await import('./commands/migrate/migrate.ts')).migrateCommand,
  },
  {
    name: 'eval',
    usage: 'eval',
    describe: 'measure how well a model learns',
    load: async () => (await import('./commands/eval/eval.ts')).evalCommand,
  },
]

/** `word`: the word after the noun. Loads all verbs if it is not one of them, for help and for suggestions. */
export const loadVerbs = (verbs: Verbs, word: string | undefined): Promise<readonly Command[]> => {
  const named = word !== undefined && Object.hasOwn(verbs, word) ? verbs[word] : undefined
  return Promise.all((named ? [named] : Object.values(verbs)).map((load) => load()))
}
