/** Words of a command line that no command has, and which command was meant. */
import { closeNames } from './close-names.ts'
import { GROUPS, HOME_VERBS } from './groups.ts'
import { oneLine } from './terminal/clean-text.ts'

/** Called by a completion script: its words may be options of any kind, and none of them is meant for this call. */
export const isCompleting = (argv: readonly string[]): boolean => argv[0]?.startsWith('--get-yargs-completions') === true

/** The options of every command that take a value. */
const VALUED: ReadonlySet<string> = new Set(['--home', '--user', '--tenant'])

/** What other programs call a command: each command has one name, and the error says which. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  log: 'journal list',
  recall: 'search',
  approve: 'pending <id> --approve',
  reject: 'pending <id> --reject',
  'memory list': 'memory show',
  'memory ls': 'memory show',
  'memory rm': 'memory remove',
  'skills ls': 'skills list',
  'skills rm': 'curator archive',
  'skills pin': 'curator pin',
  'skills unpin': 'curator unpin',
  'skills archive': 'curator archive',
  'skills restore': 'curator restore',
  'journal ls': 'journal list',
  'journal log': 'journal list',
  'curator list': 'skills list --state archived',
  'curator ls': 'skills list --state archived',
  'curator list-archived': 'skills list --state archived',
  'curator manage': 'skills manage',
  'curator unmanage': 'skills unmanage',
  'owners ls': 'owners list',
  'config list': 'config check',
  'config ls': 'config check',
  'config show': 'config check',
}

const otherName = (words: string): string | undefined => (Object.hasOwn(OTHER_NAMES, words) ? OTHER_NAMES[words] : undefined)

/** Where the words are that are neither options nor their values. */
const plainWords = (argv: readonly string[]): readonly number[] => {
  const end = argv.indexOf('--')
  return argv
    .slice(0, end < 0 ? undefined : end)
    .flatMap((word, at) => (word.startsWith('-') || VALUED.has(argv[at - 1] ?? '') ? [] : [at]))
}

/** Which word is no command, and which one was probably meant; `undefined` if all are known. */
export const explainUnknown = (argv: readonly string[]): string | undefined => {
  const [first, second = ''] = plainWords(argv).map((at) => argv[at] ?? '')
  if (first === undefined) return undefined
  const group = GROUPS.find(({ name }) => name === first)
  const verbs = group && Object.keys(group.load)
  const commands = [...GROUPS, ...HOME_VERBS].map(({ name }) => name)
  if (verbs ? second === '' || verbs.includes(second) : commands.includes(first)) return undefined
  const other = otherName(`${first} ${second}`) ?? (verbs ? undefined : otherName(first))
  const [near] = verbs ? closeNames(second, verbs).map((verb) => `${first} ${verb}`) : closeNames(first, [...commands, 'completion'])
  const advice = other !== undefined ? ` Use 'hermes ${other}'.` : near === undefined ? '' : ` Did you mean '${near}'?`
  return `There is no command '${oneLine(verbs ? `${first} ${second}` : first).slice(0, 80)}'.${advice}`
}
