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

export interface CommandSpec<Args> {
  /** The verb and its positionals in the notation of yargs: `add <text..>`. */
  readonly usage: string
  readonly describe: string
  readonly examples: readonly Example[]
  readonly options?: (parser: Argv<GlobalArgs>) => Argv<GlobalArgs & Args>
  /** Options that take several values. Default none. */
  readonly lists?: readonly string[]
  /** Accepts words after `--`. Default false: they are wrong usage. */
  readonly takesWords?: boolean
  /** Needs no settings, or reports on them itself: it runs whatever config.yaml holds. Default false. */
  readonly withoutConfig?: boolean
  /** Writes nothing: if config.yaml cannot be read, it goes on with the default settings and a warning. Default false: it stops. */
  readonly onlyReads?: boolean
  /** Works on the whole folder instead of the home of one owner. Default false. */
  readonly forAll?: boolean
  /** Needs no home. Default false. */
  readonly withoutHome?: boolean
  /** Creates the folder that --home names if it is missing. Default false: a wrong path is an error. */
  readonly createsHome?: boolean
  /** Runs until it is stopped: what it reads and writes meanwhile is not shown as progress. Default false. */
  readonly isServer?: boolean
  /** Contract: returns expected failures as answers; throws only on programming errors. */
  readonly run: (args: GlobalArgs & Args, context: Context) => Promise<Answer>
}

/** A parsed call of a command. */
export interface Call {
  readonly globals: GlobalArgs
  readonly withoutConfig: boolean
  readonly onlyReads: boolean
  readonly forAll: boolean
  readonly withoutHome: boolean
  readonly createsHome: boolean
  readonly isServer: boolean
  readonly run: (context: Context) => Promise<Answer>
}

export interface ParserEvents {
  readonly onCall: (call: Call) => void
  /** Called with each problem of the arguments, the most important first. */
  readonly onProblem: (message: string) => void
}

/** Adds one verb to the parser, which reports the call instead of running it. `group`: the noun, or `''`. */
export type Command = (parser: Argv<GlobalArgs>, group: string, events: ParserEvents) => void

/** The verbs of one noun by name, each loaded on demand. */
export type Verbs = Readonly<Record<string, () => Promise<Command>>>

/** The name of an option that was given twice: yargs turns its value into an array, whatever its type. */
const givenTwice = (args: object, usage: string, lists: readonly string[]): string | undefined =>
  Object.entries(args).find(
    ([key, value]) => Array.isArray(value) && key !== '_' && key !== '--' && !lists.includes(key) && !usage.includes(`${key}..`),
  )?.[0]

export const defineCommand =
  <Args = unknown>({
    usage,
    describe,
    examples,
    options,
    lists = [],
    takesWords = false,
    withoutConfig = false,
    onlyReads = false,
    forAll = false,
    withoutHome = false,
    createsHome = false,
    isServer = false,
    run,
  }: CommandSpec<Args>): Command =>
  (parser, group, { onCall, onProblem }) => {
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
        onCall({
          globals: args,
          withoutConfig,
          onlyReads,
          forAll,
          withoutHome,
          createsHome,
          isServer,
          run: (context) => run(args, context),
        })
      },
    )
  }
