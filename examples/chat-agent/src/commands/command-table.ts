/** All commands; a new one is a line here. */

import { tell } from '@hermes/example-chat-parts/terminal'
import { helpText } from '../options.ts'
import type { Command, CommandContext } from './command.ts'
import { journalCommand } from './journal.ts'
import { approveCommand, memoryCommand, rejectCommand } from './memory.ts'
import { skillsCommand } from './skills.ts'

const USAGE_WIDTH = 14

const printHelp = async ({ terminal }: CommandContext): Promise<void> => {
  for (const { usage, summary } of COMMANDS) tell(terminal, `  ${usage.padEnd(USAGE_WIDTH)} ${summary}`, ' '.repeat(USAGE_WIDTH + 3))
  terminal.print(`\n${helpText()}`)
}

const COMMANDS: readonly Command[] = [
  memoryCommand,
  skillsCommand,
  approveCommand,
  rejectCommand,
  journalCommand,
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
