/** All commands; a new one is a file of its own and a line here. */
import type { Command, CommandContext } from './command.ts'
import { curatorCommand } from './curator-command.ts'
import { approveCommand, rejectCommand } from './decide-commands.ts'
import { helpCommand } from './help-command.ts'
import { journalCommand } from './journal-command.ts'
import { memoryCommand } from './memory-command.ts'
import { newCommand } from './new-command.ts'
import { quitCommand } from './quit-command.ts'
import { skillsCommand } from './skills-command.ts'

const COMMANDS: readonly Command[] = [
  memoryCommand,
  skillsCommand,
  curatorCommand,
  approveCommand,
  rejectCommand,
  journalCommand,
  newCommand,
  helpCommand(() => COMMANDS),
  quitCommand,
]

/** `line` begins with a slash. Resolves to `quit` when the chat is to end. */
export const runCommand = async (line: string, context: CommandContext): Promise<'quit' | undefined> => {
  const [, name = '', argument = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? []
  const command = COMMANDS.find((known) => known.name === name.toLowerCase())
  if (command === undefined) {
    context.terminal.print(`There is no command /${name}. /help lists the commands.`)
    return undefined
  }
  return command.run(argument.trim(), context)
}
