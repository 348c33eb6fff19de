/** Parses the command line, runs the command, prints the result and returns an exit code. Never throws. */

import { readFileSync } from 'node:fs'
import { type Answer, type ExitCode, failed, usage } from './answer.ts'
import type { Call } from './command.ts'
import { explainUnknown, isCompleting } from './command-words.ts'
import { COMPLETION_HELP, completionAnswer, parseForShell, shellOf } from './completion.ts'
import { GROUPS, HOME_VERBS } from './groups.ts'
import { withCommands } from './help-sections.ts'
import { createParser } from './parser.ts'
import { createReport } from './report.ts'
import { createProgress } from './terminal/progress.ts'
import { createTerminal, type Terminal } from './terminal/terminal.ts'
import type { World } from './world.ts'

const DEFAULT_HELP_COLUMNS = 80

/** The relative path is the same from the sources and from the build. */
const readVersion = (): string => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string }
  return version
}

/** Reads a flag before parsing, so that usage errors are reported in the right format too. Ignores words after `--`. */
const hasFlag = (argv: readonly string[], name: string): boolean => {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).some((word) => word === `--${name}` || word === `--${name}=true`)
}

interface Parsed {
  readonly call?: Call
  /** The most important problem. */
  readonly problem?: string
  /** Help, version or a completion script. */
  readonly output: string
}

/** An option with a name that every object has, such as `--constructor`: the parser would find the object's own. */
const optionOfObjects = (argv: readonly string[]): string | undefined => {
  const end = argv.indexOf('--')
  const names = argv.slice(0, end < 0 ? undefined : end).map((word) => /^--(?:no-)?([^=]+)/.exec(word)?.[1] ?? '')
  return names.find((name) => name in {} || name.replace(/-+(.)/g, (_, letter: string) => letter.toUpperCase()) in {})
}

const parse = async (argv: readonly string[], columns: number): Promise<Parsed> => {
  const unknown = optionOfObjects(argv)
  if (unknown !== undefined) return { problem: `Unknown argument '${unknown}'.`, output: '' }
  const calls: Call[] = []
  const problems: string[] = []
  const parser = await createParser(argv, {
    version: readVersion(),
    columns,
    onCall: (call) => calls.push(call),
    onProblem: (message) => problems.push(message.replace(/\s+/g, ' ').trim()),
  })
  let output = ''
  await parser.parseAsync(argv, {}, (_error: unknown, _args: unknown, text: string) => {
    // An empty list is the initial value of a list option, not a default worth showing.
    output = text.replaceAll(/ *\[default: \[\]\]/g, '')
  })
  const [call] = calls
  // The parser reports the name of its own command as an unknown word.
  const [problem] = argv[0] === 'completion' ? [] : problems
  // The parser calls a word an argument even where only a command is expected.
  if (problem !== undefined) return { problem: (problem.startsWith('Unknown ') && explainUnknown(argv)) || problem, output }
  if (call) return { call, output }
  return { output: withCommands(output === '' && !hasFlag(argv, 'json') ? await parser.getHelp() : output, columns) }
}

/** The call that shows the help closest to what was asked for. */
const helpFor = (argv: readonly string[]): string => {
  const group = argv.find((word) => [...GROUPS, ...HOME_VERBS].some(({ name }) => name === word))
  return `See 'hermes ${group === undefined ? '' : `${group} `}--help'.`
}

const unexpected = (cause: unknown): Answer =>
  failed({
    code: 'unexpected',
    message: `Something went wrong inside hermes: ${cause instanceof Error ? cause.message : String(cause)}. Please report it with the command you ran.`,
  })

/** Turns `help curator run` into `curator run --help`, and the other words for the version into `--version`. */
const asFlag = (argv: readonly string[]): readonly string[] => {
  const [first, ...rest] = argv
  if (first === 'help') return [...rest, '--help']
  return first === 'version' || first === '-V' ? ['--version', ...rest] : argv
}

/** A noun without a verb. */
const isNounAlone = (problem: string | undefined): boolean => problem?.startsWith('Missing command: ') === true

/** The values that fit the unfinished word, one a line; `undefined` if the parser knows better. Never fails: a completion has no place for an error. */
const completedValues = async (argv: readonly string[], world: World, terminal: Terminal): Promise<string | undefined> => {
  try {
    const { completeValues } = await import('./complete-values.ts')
    // The words of the shell begin with the command itself.
    const values = await completeValues(argv.slice(2), world, { terminal, progress: createProgress(world, true) })
    return values?.map((value) => `${value}\n`).join('')
  } catch {
    return undefined
  }
}

/** Output of the parser itself: help, version or a completion script. */
const answerOf = (output: string, argv: readonly string[], { env }: World): Answer => {
  const isVersion = hasFlag(argv, 'version')
  const isCompletion = argv[0] === 'completion' && !isVersion
  const isHelp = hasFlag(argv, 'help') || argv.includes('-h')
  // The parser offers the short form `-n` as `--n`.
  const offered = isCompleting(argv) ? output.replace(/^--\w(?::.*)?(?:\n|$)/gm, '') : output
  const shown = isCompletion && isHelp ? COMPLETION_HELP : offered
  const text = shown.endsWith('\n') ? shown : `${shown}\n`
  if (isCompletion && !isHelp) return completionAnswer(text, shellOf(argv, env))
  const value = isVersion ? { version: output.trim() } : { help: shown }
  return { value, text: () => text }
}

export const runCli = async (words: readonly string[], world: World): Promise<ExitCode> => {
  const argv = isCompleting(words) ? words : asFlag(words)
  const isJson = hasFlag(argv, 'json') && !isCompleting(argv)
  const terminal = createTerminal(world, hasFlag(argv, 'no-color'))
  const report = createReport(world, terminal, isJson)
  const values = isCompleting(argv) ? await completedValues(argv, world, terminal) : undefined
  if (values !== undefined) return report.finish({ text: () => values })
  const columns = Number.isFinite(terminal.columns) ? terminal.columns : DEFAULT_HELP_COLUMNS
  const parsed = await parseForShell(argv, () => parse(argv, columns))
  const { call, problem, output } = isNounAlone(parsed.problem) && !isJson ? await parse([...argv, '--help'], columns) : parsed
  if (problem !== undefined) {
    const hint = problem.includes('--help') ? undefined : helpFor(argv)
    return report.finish(failed(usage(problem)), hint)
  }
  if (!call && isJson && output === '') return report.finish(failed(usage("Missing command: 'hermes --help' lists the commands.")))
  if (!call) return report.finish(answerOf(output, argv, world))
  try {
    // Imported late, since it loads the storage.
    const { withContext } = await import('./with-context.ts')
    const progress = createProgress(world, isJson)
    const warn = (message: string): void => {
      progress.end()
      report.warn(message)
    }
    return report.finish(await withContext(call, { world, terminal, progress, warn, say: report.say, isJson }))
  } catch (cause) {
    return report.finish(unexpected(cause))
  }
}
