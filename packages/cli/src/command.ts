/** One verb of the command line: its usage, its help and what it does. */
import type { Argv } from 'yargs'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { type Example, formatExamples } from './format-examples.ts'
import { missingArguments } from './parser-words.ts'

export interface GlobalArgs {
  readonly home: string | undefined
  /** The owner, if the folder holds the homes of several owners. */
  readonly user?: string | undefined
  readonly tenant?: string | undefined
  readonly json?: boolean | undefined
  readonly 'no-color'?: boolean | undefined
  /** Words after `--`, which are never options. */
  readonly '--'?: readonly string[] | undefined
}

/** What a command needs; everything is false by default. */
interface CommandNeeds {
  /** Needs no settings, or reports on them itself: it runs whatever config.yaml holds. */
  readonly withoutConfig?: boolean
  /** Writes nothing: if config.yaml cannot be read, it goes on with the default settings and a warning instead of stopping. */
  readonly onlyReads?: boolean
  /** Works on the whole folder instead of the home of one owner. */
  readonly forAll?: boolean
  /** Needs no home. */
  readonly withoutHome?: boolean
  /** Creates the folder that --home names if it is missing; otherwise a wrong path is an error. */
  readonly createsHome?: boolean
}

export interface CommandSpec<Args> extends Omit<CommandNeeds, 'withoutHome'> {
  /** Needs no home, or none with these arguments. */
  readonly withoutHome?: boolean | ((args: Args) => boolean)
  /** Default: what the list of commands says. */
  readonly describe?: string
  readonly examples: readonly Example[]
  readonly options?: (parser: Argv<GlobalArgs>) => Argv<GlobalArgs & Args>
  /** Options that take several values. Default none. */
  readonly lists?: readonly string[]
  /** Accepts words after `--`. Default false: they are wrong usage. */
  readonly takesWords?: boolean
  /** Contract: returns expected failures as answers; throws only on programming errors. */
  readonly run: (args: GlobalArgs & Args, context: Context) => Promise<Answer>
}

/** A parsed call of a command. */
export interface Call extends CommandNeeds {
  readonly globals: GlobalArgs
  readonly run: (context: Context) => Promise<Answer>
}

export interface ParserEvents {
  readonly onCall: (call: Call) => void
  /** Called with each problem of the arguments, the most important first. */
  readonly onProblem: (message: string) => void
}

/** How the list of the commands has it. */
interface Listed {
  /** The noun, or `''`. */
  readonly group: string
  /** The verb and its positionals in the notation of yargs: `add <text..>`. */
  readonly usage: string
  readonly describe: string
}

/** Adds one verb to the parser, which reports the call instead of running it. */
export type Command = (parser: Argv<GlobalArgs>, listed: Listed, events: ParserEvents) => void

/** The name of an option that was given twice: yargs turns its value into an array, whatever its type. */
const givenTwice = (args: object, usage: string, lists: readonly string[]): string | undefined =>
  Object.entries(args).find(
    ([key, value]) => Array.isArray(value) && key !== '_' && key !== '--' && !lists.includes(key) && !usage.includes(`${key}..`),
  )?.[0]

export const defineCommand =
  <Args = unknown>({ run, ...spec }: CommandSpec<Args>): Command =>
  (parser, { group, usage, describe: short }, { onCall, onProblem }) => {
    const { describe = short, examples, options, lists = [], takesWords = false, withoutHome = false } = spec
    parser.command<GlobalArgs & Args>(
      usage,
      describe,
      (own) => {
        const built: Argv<GlobalArgs> = own
          .usage(`${['hermes', group, usage].filter((word) => word !== '').join(' ')}\n\n${describe}`)
          .epilogue(formatExamples(examples))
          .updateStrings(missingArguments(group, usage))
        // A verb without options of its own takes only the global ones.
        return (options ? options(built) : built) as Argv<GlobalArgs & Args>
      },
      (parsed) => {
        const twice = givenTwice(parsed, usage, lists)
        if (twice !== undefined) onProblem(`--${twice} was given more than once.`)
        const known: unknown = parsed
        const args = known as GlobalArgs & Args
        const [surplus] = args['--'] ?? []
        if (surplus !== undefined && !takesWords) onProblem(`Unknown argument '${surplus}'.`)
        const needsNone = typeof withoutHome === 'function' ? withoutHome(args) : withoutHome
        onCall({ ...spec, withoutHome: needsNone, globals: args, run: (context) => run(args, context) })
      },
    )
  }
