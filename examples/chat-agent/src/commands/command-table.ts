/** All commands; a new one is a line here. */

import { tell } from '@hermes/example-chat-parts/terminal'
import { wrapText } from '@hermes/example-chat-parts/text'
import { HELP_PARAGRAPHS, MODEL_TABLE } from '../help-text.ts'
import type { Command, CommandContext } from './command.ts'
import { curatorCommand } from './curator.ts'
import { journalCommand } from './journal.ts'
import { approveCommand, memoryCommand, rejectCommand } from './memory.ts'
import { recallCommand } from './recall.ts'
import { skillsCommand } from './skills.ts'

const USAGE_WIDTH = 14
const MODEL_WIDTH = 17
const MAX_TEXT_WIDTH = 80

const printHelp = async ({ terminal }: CommandContext): Promise<void> => {
  const row = (left: string, right: string, width: number): void =>
    tell(terminal, `  ${left.padEnd(width)} ${right}`, ' '.repeat(width + 3))
  for (const { usage, summary } of COMMANDS) row(usage, summary, USAGE_WIDTH)
  for (const paragraph of HELP_PARAGRAPHS) terminal.print(`\n${wrapText(paragraph, Math.min(terminal.columns, MAX_TEXT_WIDTH))}`)
  for (const [variable, model] of MODEL_TABLE) row(variable, model, MODEL_WIDTH)
}

const COMMANDS: readonly Command[] = [
  memoryCommand,
  skillsCommand,
  curatorCommand,
  approveCommand,
  rejectCommand,
  journalCommand,
  recallCommand,
  { usage: '/review', summary: 'learn now from what was said; Ctrl-C skips that', run: (_, { review }) => review() },
  { usage: '/new', summary: 'end this session, learn from it, and start the next one', run: (_, { startNewSession }) => startNewSession() },
  { usage: '/help', summary: 'this text', run: (_, context) => printHelp(context) },
  { usage: '/quit', summary: 'leave (first learns from the conversation; Ctrl-C skips that)', run: async (_, { quit }) => quit() },
]

/** `line` begins with a slash. */
export const runCommand = async (line: string, context: CommandContext): Promise<void> => {
  const [, name = '', argument = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? []
  const command = COMMANDS.find(({ usage }) => usage.split(' ')[0] === `/${name.toLowerCase()}`)
  if (command === undefined) return context.terminal.print(`There is no command /${name}. /help lists the commands.`)
  return command.run(argument.trim(), context)
}
