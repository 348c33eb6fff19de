/** One verb of the command line: how it is called, how it is explained, and what it does. */
import type { Argv } from 'yargs'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { type Example, formatExamples } from './format-examples.ts'

export interface GlobalArgs {
  readonly home: string | undefined
  /** Whose home, where the folder holds those of many. */
  readonly user?: string | undefined
  readonly tenant?: string | undefined
  readonly json?: boolean | undefined
  readonly 'no-color'?: boolean | undefined
  /** What stands behind a `--`: never options. */
  readonly '--'?: readonly string[] | undefined
}

export interface CommandSpec<Args> {
  /** The verb with its positionals in the notation of yargs: `add <text..>`. */
  readonly usage: string
  readonly describe: string
  readonly examples: readonly Example[]
  readonly options?: (parser: Argv<GlobalArgs>) => Argv<GlobalArgs & Args>
  /** Options that take several values. Default none. */
  readonly lists?: readonly string[]
  /** What stands behind a `--` is text of its own. Default false: it is wrong usage. */
  readonly takesWords?: boolean
  /** Also runs where config.yaml cannot be read. Default false. */
  readonly withoutConfig?: boolean
  /** Is about the whole folder, not about one person's home. Default false. */
  readonly forAll?: boolean
  /** Is about no home: whether there is one does not matter. Default false. */
  readonly withoutHome?: boolean
  /** Contract: expected failures are answers; what it throws is a fault of the program. */
  readonly run: (args: GlobalArgs & Args, context: Context) => Promise<Answer>
}

/** A command that was called, with its arguments. */
export interface Call {
  readonly globals: GlobalArgs
  readonly withoutConfig: boolean
  readonly forAll: boolean
  readonly withoutHome: boolean
  readonly run: (context: Context) => Promise<Answer>
}

export interface ParserEvents {
  readonly onCall: (call: Call) => void
  /** What is wrong with the words, the most telling first. */
  readonly onProblem: (message: string) => void
}

/** Makes one verb known to the parser, which tells of the call instead of making it. `group`: its noun, `''` for none. */
export type Command = (parser: Argv<GlobalArgs>, group: string, events: ParserEvents) => void

/** The verbs of one noun by the word that calls them, each loaded when it is needed. */
export type Verbs = Readonly<Record<string, () => Promise<Command>>>

/** The parser makes a list of an option that is given twice, whatever its type. */
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
    forAll = false,
    withoutHome = false,
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
        // Without options of its own, a verb has the global ones alone.
        return (options ? options(built) : built) as Argv<GlobalArgs & Args>
      },
      (parsed) => {
        const twice = givenTwice(parsed, usage, lists)
        if (twice !== undefined) onProblem(`--${twice} was given more than once.`)
        const known: unknown = parsed
        const args = known as GlobalArgs & Args
        const [surplus] = args['--'] ?? []
        if (surplus !== undefined && !takesWords) onProblem(`'${surplus}' is not known here.`)
        onCall({ globals: args, withoutConfig, forAll, withoutHome, run: (context) => run(args, context) })
      },
    )
  }
