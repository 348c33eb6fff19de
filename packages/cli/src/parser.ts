/** The parser: all nouns, the verb that was named, and their options. It only parses and runs nothing. */
import yargs, { type Argv } from 'yargs'
import type { Command, GlobalArgs, ParserEvents } from './command.ts'
import { isCompleting } from './command-words.ts'
import { type Example, formatExamples } from './format-examples.ts'
import { GROUPS, type Group, HOME_VERBS } from './groups.ts'
import { COMMANDS_HERE, COMPLETION, MAX_HELP_COLUMNS } from './help-sections.ts'
import { parserWords } from './parser-words.ts'

const EXAMPLES: readonly Example[] = [
  ['hermes status', 'the first look'],
  ['hermes memory show', 'what the agent remembers about you and its work'],
  ['hermes pending', 'what waits for your decision'],
  ['hermes memory --help', 'the verbs of memory'],
]

const EPILOGUE = `Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 130 interrupted.
Results go to stdout, everything else to stderr. With --json, stdout is one object:
{"ok":true,"value":...} or {"ok":false,"error":{"code","message"}}.`

export interface ParserOptions extends ParserEvents {
  readonly version: string
  /** Width of the help text in cells; may be infinite. */
  readonly columns: number
}

const withGlobals = (parser: Argv): Argv<GlobalArgs> =>
  parser.options({
    home: { type: 'string', requiresArg: true, describe: 'the Hermes home  [default: $HERMES_HOME or ~/.hermes]', global: true },
    user: { type: 'string', requiresArg: true, describe: 'whose home to use, in a folder with the homes of many people', global: true },
    tenant: { type: 'string', requiresArg: true, describe: 'the tenant of that user', global: true },
    json: { type: 'boolean', describe: 'one JSON object on stdout, for programs', global: true },
    'no-color': { type: 'boolean', describe: 'no colours; the same as NO_COLOR=1', global: true },
  }) as Argv<GlobalArgs>

/** The help of a noun lists its verbs without loading them. */
const addVerbs = (
  parser: Argv<GlobalArgs>,
  { name: group, usages }: Group,
  commands: ReadonlyMap<string, Command>,
  events: ParserEvents,
) => {
  for (const [usage, describe] of Object.entries(usages)) {
    const add = commands.get(usage.split(' ')[0] ?? '')
    if (add) add(parser, { group, usage, describe }, events)
    else parser.command(usage, describe)
  }
  return parser.usage(`hermes ${group} <command>`).demandCommand(1, `Missing command: 'hermes ${group} --help' lists the commands.`)
}

/** The verbs of the noun that the line has. */
const loadVerbs = async ({ load }: Group, argv: readonly string[]): Promise<ReadonlyMap<string, Command>> =>
  new Map(
    await Promise.all(
      Object.entries(load).flatMap(([name, verb]) => (argv.includes(name) ? [verb().then((command) => [name, command] as const)] : [])),
    ),
  )

/** `argv` decides which verbs are loaded. */
export const createParser = async (argv: readonly string[], { version, columns, ...events }: ParserOptions): Promise<Argv<GlobalArgs>> => {
  // The help lists the commands in its own order; completions take them from the parser.
  const listed = (describe: string): string => (isCompleting(argv) ? describe : false) as string
  const parser = withGlobals(
    yargs()
      .scriptName('hermes')
      .locale('en')
      .parserConfiguration({ 'boolean-negation': false, 'parse-numbers': false, 'populate--': true })
      .usage(
        `hermes <command>\n\nInspect and manage what an agent has learned: its memory, its skills and its proposals.\n\n${COMMANDS_HERE}`,
      )
      .epilogue(`${formatExamples(EXAMPLES)}\n\n${EPILOGUE}`)
      .version(version)
      .alias('help', 'h')
      .wrap(Math.min(columns, MAX_HELP_COLUMNS))
      .strict()
      .exitProcess(false)
      .showHelpOnFail(false)
      .updateStrings(parserWords)
      .fail((message, error) => events.onProblem(message ?? error.message)),
  )
  for (const group of GROUPS) {
    const commands = argv.includes(group.name) ? await loadVerbs(group, argv) : new Map<string, Command>()
    parser.command(group.name, listed(group.describe), (own) => addVerbs(own as Argv<GlobalArgs>, group, commands, events))
  }
  for (const { name, usage, describe, load } of HOME_VERBS) {
    if (argv.includes(name)) (await load())(parser, { group: '', usage, describe }, events)
    else parser.command(usage, listed(describe))
  }
  return parser.completion('completion', listed(COMPLETION)) as Argv<GlobalArgs>
}
