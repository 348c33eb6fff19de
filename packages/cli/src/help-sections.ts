/** The commands in the help text, by what a person wants to do. */
import { GROUPS, HOME_VERBS } from './groups.ts'
import { wrapText } from './terminal/text-width.ts'

/** Each command once. */
const SECTIONS: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['Look', ['demo', 'status', 'memory', 'profile', 'skills', 'journal', 'search', 'timeline', 'stats', 'ui']],
  ['Decide', ['pending', 'undo']],
  ['Change', ['review', 'learn', 'forget', 'import']],
  ['Look after', ['doctor', 'config', 'curator', 'reindex', 'export', 'init', 'eval', 'completion']],
  ['Coding agents', ['connect', 'disconnect', 'mcp']],
  ['Server', ['owners', 'serve', 'worker', 'migrate']],
]

export const COMPLETION = 'print the completion script for bash, zsh or fish'

/** Where the list of the commands is in the parser's help text: the parser itself would not keep its indentation. */
export const COMMANDS_HERE = '<commands>'

export const MAX_HELP_COLUMNS = 100

const listCommands = (columns: number): string => {
  const described = new Map([...GROUPS, ...HOME_VERBS].map(({ name, describe }) => [name, describe]))
  described.set('completion', COMPLETION)
  const width = Math.max(...[...described.keys()].map((name) => name.length))
  const line = (name: string): string => `  ${name.padEnd(width)}  ${wrapText(described.get(name) ?? '', columns, width + 4)}`
  return SECTIONS.map(([heading, names]) => `${heading}:\n${names.map(line).join('\n')}`).join('\n\n')
}

/** `columns`: width of the screen in cells; may be infinite. */
export const withCommands = (help: string, columns: number): string =>
  help.replace(COMMANDS_HERE, () => listCommands(Math.min(columns, MAX_HELP_COLUMNS)))
