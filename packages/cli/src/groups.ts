/**
 * The nouns of the command line, and the verbs without one. To start fast, a verb is loaded only if it is named or if all verbs of its noun
 * are listed.
 */
import type { Command } from './command.ts'

/** Each command by its name, loaded on demand. */
type Load = Readonly<Record<string, () => Promise<Command>>>

export interface Group {
  readonly name: string
  readonly describe: string
  /** What the noun's help says of each verb, in the order of that help. The verbs with their positionals are in the notation of yargs. */
  readonly usages: Readonly<Record<string, string>>
  readonly load: Load
}

export const GROUPS: readonly Group[] = [
  {
    name: 'memory',
    describe: 'what the agent remembers: show, add, replace, remove, why',
    usages: {
      'show [store]': 'Show both stores: the entries, the origin of each, and how full the stores are.',
      'add [text..]': 'Add an entry. It counts as your own words; new sessions see it, running ones do not.',
      'replace <old> [text..]': 'Replace an entry, named by its number or by a text that only it contains.',
      'remove [text..]': 'Remove an entry, named by its number or by a text that only it contains.',
      'pin [text..]': 'Pin the one entry that contains a text: only you can change it.',
      'unpin [text..]': 'Unpin an entry: the agent may change it again.',
      'archived [store]': 'List archived entries, newest first. Nothing is removed from this archive automatically.',
      'restore <id>': 'Bring an archived entry back, with its origin and age. Limits and scans apply as to any other entry.',
      projects: 'List the projects that have notes. The other verbs show and change those of one with --project.',
      'why <text..>': 'Show where an entry comes from: whose words, since when, and every decision and write about it.',
    },
    load: {
      show: async () => (await import('./commands/memory/show.ts')).showCommand,
      add: async () => (await import('./commands/memory/add.ts')).addCommand,
      replace: async () => (await import('./commands/memory/replace.ts')).replaceCommand,
      remove: async () => (await import('./commands/memory/remove.ts')).removeCommand,
      pin: async () => (await import('./commands/memory/pin.ts')).pinCommand,
      unpin: async () => (await import('./commands/memory/pin.ts')).unpinCommand,
      archived: async () => (await import('./commands/memory/archived.ts')).archivedCommand,
      restore: async () => (await import('./commands/memory/restore.ts')).restoreCommand,
      projects: async () => (await import('./commands/memory/projects.ts')).projectsCommand,
      why: async () => (await import('./commands/memory/why.ts')).whyCommand,
    },
  },
  {
    name: 'skills',
    describe: 'what the agent can do: list, show, edit, install',
    usages: {
      'list [text..]': 'List the skills with their state, use and owner.',
      'show <name> [file]': 'Show one skill as the agent reads it, or one of its files. This is not counted as use.',
      'test <name>': 'Play the checks of a skill with it and without it, through your model, and compare.',
      'new <name>': 'Create a skill in your editor ($VISUAL or $EDITOR). It is checked before it is written.',
      'edit <name>': 'Change the SKILL.md of a skill in your editor ($VISUAL or $EDITOR). It is checked before it is written.',
      'install <source>':
        'Install a skill from a package of npm, a git repository, a folder or a .tgz file. Runs no code of it. Asks first.',
      'uninstall <name>': 'Take an installed skill away. It moves to the archive; restore brings it back.',
      'manage [name..]': 'Let the curator manage skills that you wrote. Without a name: list the skills that are handed over.',
      'unmanage [name..]': 'Take skills back: from now on nothing changes them automatically.',
    },
    load: {
      list: async () => (await import('./commands/skills/list.ts')).listCommand,
      show: async () => (await import('./commands/skills/show.ts')).showCommand,
      test: async () => (await import('./commands/skills/test.ts')).testCommand,
      new: async () => (await import('./commands/skills/edit/new.ts')).newCommand,
      edit: async () => (await import('./commands/skills/edit/edit.ts')).editCommand,
      install: async () => (await import('./commands/skills/install/install.ts')).installCommand,
      uninstall: async () => (await import('./commands/skills/install/uninstall.ts')).uninstallCommand,
      manage: async () => (await import('./commands/skills/manage.ts')).manageCommand,
      unmanage: async () => (await import('./commands/skills/manage.ts')).unmanageCommand,
    },
  },
  {
    name: 'journal',
    describe: 'what was proposed and written, by whom and why',
    usages: {
      list: 'List what was proposed or written, by whom, and what became of it, newest last.',
      'show <id>': 'Show one record: what was proposed, on what evidence, and why it was decided so.',
    },
    load: {
      list: async () => (await import('./commands/journal/list.ts')).listCommand,
      show: async () => (await import('./commands/journal/show.ts')).showCommand,
    },
  },
  {
    name: 'curator',
    describe: 'the upkeep of the skills: ageing, archive, backups',
    usages: {
      status: 'Show what the last run did, when the next one comes and what it will do.',
      run: 'Run now: mark what is stale, archive what is long unused, revive what is used again, and merge if asked.',
      pause: 'Stop scheduled runs until they are resumed.',
      resume: 'Resume scheduled runs.',
      'pin <name>': 'Pin a skill: never stale, never archived, never rewritten by the agent or a review.',
      'unpin <name>': 'Unpin a skill: the curator manages it again.',
      'archive <name>': 'Archive a skill. Nothing is deleted; restore brings it back.',
      'restore <name>': 'Bring a skill back to where it was. It ages from now on, and more slowly.',
      prune: 'Delete skills that have been in the archive for a long time. Asks first, and takes a backup.',
      backup: 'Take a backup of all skills, read it back and verify it.',
      'rollback [backup]': 'Restore all skills from a backup: of a day, by its id, or the newest. Asks first.',
    },
    load: {
      status: async () => (await import('./commands/curator/status.ts')).statusCommand,
      run: async () => (await import('./commands/curator/run.ts')).runCommand,
      pause: async () => (await import('./commands/curator/pause.ts')).pauseCommand,
      resume: async () => (await import('./commands/curator/pause.ts')).resumeCommand,
      pin: async () => (await import('./commands/curator/pin.ts')).pinCommand,
      unpin: async () => (await import('./commands/curator/pin.ts')).unpinCommand,
      archive: async () => (await import('./commands/curator/archive.ts')).archiveCommand,
      restore: async () => (await import('./commands/curator/restore.ts')).restoreCommand,
      prune: async () => (await import('./commands/curator/prune.ts')).pruneCommand,
      backup: async () => (await import('./commands/curator/backup.ts')).backupCommand,
      rollback: async () => (await import('./commands/curator/rollback.ts')).rollbackCommand,
    },
  },
  {
    name: 'owners',
    describe: "the people who have a home in a server's folder",
    usages: {
      list: 'List the people who have a home in this folder.',
      erase: 'Erase all data of one person permanently. Asks first.',
    },
    load: {
      list: async () => (await import('./commands/owners/list.ts')).listCommand,
      erase: async () => (await import('./commands/owners/erase.ts')).eraseCommand,
    },
  },
  {
    name: 'config',
    describe: 'the settings of the home',
    usages: {
      check: 'Check config.yaml: what it sets, what is wrong, what has no effect.',
    },
    load: {
      check: async () => (await import('./commands/config/check.ts')).checkCommand,
    },
  },
]

/** The verbs without a noun, since they work on the whole home: each in the notation of yargs. */
const HOME_USAGES: Readonly<Record<string, string>> = {
  demo: 'show the loop in a few seconds, without a key',
  status: 'show on one screen what is remembered and what waits for you',
  init: 'write a config.yaml, and print what your app adds',
  profile: 'show the fields that an app keeps about you',
  'search [words..]': 'find words in all that the agent has learned, and in past sessions',
  timeline: 'show what was learned, day by day, and whose words it was',
  stats: 'show what was learned, week by week, and what it cost',
  'undo [id]': 'take a write back: of you, the agent, a review or the curator',
  'pending [id..]': 'decide about what waits for you, one by one',
  doctor: 'check the home and what it works with, and say what to do',
  'connect [host]': 'connect a coding agent with this memory, or list those here',
  'disconnect <host>': 'take Hermes out of a coding agent again',
  mcp: "offer the agent's tools to any program over MCP",
  'learn [from]': 'learn from documents or old conversations',
  review: 'learn now from conversations that no review has read yet',
  ui: 'show in the browser what was learned and what waits for you',
  serve: 'offer memory over HTTP to programs in other languages',
  reindex: 'rebuild the index of past sessions',
  worker: 'run the reviews that became due in other processes',
  'forget [text..]': 'erase something from all data of the home',
  'export [file]': 'write what the agent has learned to one file',
  'import <file>': 'add the contents of an exported file',
  migrate: 'create or update the tables in PostgreSQL',
  'eval [what]': 'measure how well a model learns, and whether skills help',
}

const LOAD_HOME_VERB: Load = {
  demo: async () => (await import('./commands/demo/demo.ts')).demoCommand,
  status: async () => (await import('./commands/status.ts')).statusVerb,
  init: async () => (await import('./commands/init/init.ts')).initCommand,
  profile: async () => (await import('./commands/profile.ts')).profileCommand,
  search: async () => (await import('./commands/search/search.ts')).searchCommand,
  timeline: async () => (await import('./commands/timeline.ts')).timelineCommand,
  stats: async () => (await import('./commands/stats/stats.ts')).statsCommand,
  undo: async () => (await import('./commands/undo.ts')).undoCommand,
  pending: async () => (await import('./commands/pending/pending.ts')).pendingCommand,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
  connect: async () => (await import('./commands/connect/connect.ts')).connectCommand,
  disconnect: async () => (await import('./commands/connect/disconnect.ts')).disconnectCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  learn: async () => (await import('./commands/learn.ts')).learnCommand,
  review: async () => (await import('./commands/review.ts')).reviewCommand,
  ui: async () => (await import('./commands/ui/ui.ts')).uiCommand,
  serve: async () => (await import('./commands/serve/serve.ts')).serveCommand,
  reindex: async () => (await import('./commands/reindex.ts')).reindexCommand,
  worker: async () => (await import('./commands/worker/worker.ts')).workerCommand,
  forget: async () => (await import('./commands/forget.ts')).forgetCommand,
  export: async () => (await import('./commands/portability/export.ts')).exportCommand,
  import: async () => (await import('./commands/portability/import.ts')).importCommand,
  migrate: async () => (await import('./commands/migrate/migrate.ts')).migrateCommand,
  eval: async () => (await import('./commands/eval/eval.ts')).evalCommand,
}

export const HOME_VERBS = Object.entries(HOME_USAGES).map(([usage, describe]) => {
  const [name = usage] = usage.split(' ')
  return { name, usage, describe, load: LOAD_HOME_VERB[name] as () => Promise<Command> }
})
