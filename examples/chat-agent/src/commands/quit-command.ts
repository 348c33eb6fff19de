/** `/quit`: ends the chat; what was said is learned from first. */
import type { Command } from './command.ts'

export const quitCommand: Command = {
  name: 'quit',
  usage: '/quit',
  summary: 'leave (what was said is learned from first; Ctrl-C skips it)',
  run: () => Promise.resolve('quit'),
}
