/** All commands; a new one is a line here. */
import { HELP_PARAGRAPHS, MODEL_TABLE } from '../help-text.ts'
import { tell } from '../terminal/terminal.ts'
import { wrapText } from '../terminal/text.ts'
import type { Command, CommandContext } from './command.ts'
import { curatorCommand } from './curator.ts'
import { journalCommand } from './journal.ts'
import { approveCommand, memoryCommand, rejectCommand } from './memory.ts'
import { skillsCommand } from './skills.ts'

const USAGE_WIDTH = 14
const MODEL_WIDTH = 17
const MAX_TEXT_WIDTH = 80

const newCommand: Command = {
  usage: '/new',
  summary: 'end this session, learn from it, and start the next one',
  run: (_argument, { startNewSession }) => startNewSession(),
}

const helpCommand: Command = {
  usage: '/help',
  summary: 'this text',
  run: async (_argument, { terminal }) => {
    const table = (rows: readonly (readonly [string, string])[], width: number): void => {
      for (const [left, right] of rows) tell(terminal, `  ${left.padEnd(width)} ${right}`, ' '.repeat(width + 3))
    }
    table(
      COMMANDS.map(({ usage, summary }) => [usage, summary]),
      USAGE_WIDTH,
    )
    for (const paragraph of HELP_PARAGRAPHS) terminal.print(`\n${wrapText(paragraph, Math.min(terminal.columns, MAX_TEXT_WIDTH))}`)
    table(MODEL_TABLE, MODEL_WIDTH)
  },
}

const quitCommand: Command = {
  usage: '/quit',
  summary: 'leave (what was said is learned from first; Ctrl-C skips it)',
  run: async (_argument, { quit }) => quit(),
}

const COMMANDS: readonly Command[] = [
  memoryCommand,
  skillsCommand,
  curatorCommand,
  approveCommand,
  rejectCommand,
  journalCommand,
  newCommand,
  helpCommand,
  quitCommand,
]

/** `line` begins with a slash. */
export const runCommand = async (line: string, context: CommandContext): Promise<void> => {
  const [, name = '', argument = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? []
  const command = COMMANDS.find(({ usage }) => usage.split(' ')[0] === `/${name.toLowerCase()}`)
  if (command === undefined) return context.terminal.print(`There is no command /${name}. /help lists the commands.`)
  return command.run(argument.trim(), context)
}
