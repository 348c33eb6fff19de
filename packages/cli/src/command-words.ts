/** What the words of a command line name: other names of commands, and the words that no command has. */
import { closeNames } from './close-names.ts'
import { GROUPS, HOME_VERBS } from './groups.ts'
import { oneLine } from './terminal/clean-text.ts'

/** Called by a completion script: its words may be options of any kind, and none of them is meant for this call. */
export const isCompleting = (argv: readonly string[]): boolean => argv[0]?.startsWith('--get-yargs-completions') === true

/** The options of every command that take a value. */
const VALUED: ReadonlySet<string> = new Set(['--home', '--user', '--tenant'])

/** Other names of commands, as `gh`, `git` and `docker` have them. */
const SHORT_COMMANDS: Readonly<Record<string, readonly [noun: string, verb: string]>> = { log: ['journal', 'list'] }

/** Other names of verbs, by noun. */
const VERB_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  memory: { list: 'show', ls: 'show', rm: 'remove' },
  skills: { ls: 'list', rm: 'archive' },
  journal: { ls: 'list', log: 'list' },
  curator: { ls: 'list-archived', list: 'list-archived' },
  owners: { ls: 'list' },
  config: { ls: 'check', list: 'check', show: 'check' },
}

const aliasOf = <T>(aliases: Readonly<Record<string, T>> | undefined, word: string): T | undefined =>
  aliases && Object.hasOwn(aliases, word) ? aliases[word] : undefined

/** Where the words are that are neither options nor their values. */
const plainWords = (argv: readonly string[]): readonly number[] => {
  const end = argv.indexOf('--')
  return argv
    .slice(0, end < 0 ? undefined : end)
    .flatMap((word, at) => (word.startsWith('-') || VALUED.has(argv[at - 1] ?? '') ? [] : [at]))
}

/** The same words with the names that the commands have. */
export const withoutAliases = (argv: readonly string[]): readonly string[] => {
  const [noun = -1, verb = -1] = plainWords(argv)
  const short = aliasOf(SHORT_COMMANDS, argv[noun] ?? '')
  if (short) return argv.toSpliced(noun, 1, ...short)
  const name = aliasOf(aliasOf(VERB_ALIASES, argv[noun] ?? ''), argv[verb] ?? '')
  return name === undefined ? argv : argv.with(verb, name)
}

/** For the help of a noun: `Also: list, ls (show); rm (remove).` Empty if its verbs have one name each. */
export const aliasHelp = (noun: string): string => {
  const aliases = Object.entries(aliasOf(VERB_ALIASES, noun) ?? {})
  const verbs = [...new Set(aliases.map(([, verb]) => verb))]
  const told = verbs.map((verb) => `${aliases.flatMap(([alias, name]) => (name === verb ? [alias] : [])).join(', ')} (${verb})`)
  return told.length === 0 ? '' : `Also: ${told.join('; ')}.`
}

/** Which word is no command, and which one was probably meant; `undefined` if all are known. */
export const explainUnknown = async (argv: readonly string[]): Promise<string | undefined> => {
  const [first, second] = plainWords(argv).map((at) => argv[at] ?? '')
  if (first === undefined) return undefined
  const group = GROUPS.find(({ name }) => name === first)
  const commands = [...GROUPS, ...HOME_VERBS].map(({ name }) => name)
  if (!group)
    return commands.includes(first) ? undefined : toldUnknown('', first, [...commands, ...Object.keys(SHORT_COMMANDS), 'completion'])
  const verbs = Object.keys(await group.load())
  return second === undefined || verbs.includes(second) ? undefined : toldUnknown(`${first} `, second, verbs)
}

const toldUnknown = (noun: string, word: string, known: readonly string[]): string => {
  const [near] = closeNames(word, known)
  const meant = near === undefined ? '' : ` Did you mean '${noun}${near}'?`
  return `There is no command '${noun}${oneLine(word).slice(0, 80)}'.${meant}`
}
