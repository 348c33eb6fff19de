/** `/quit`: ends the chat; what is under way is finished first. */
import type { Command } from './command.ts'

export const quitCommand: Command = {
  name: 'quit',
  usage: '/quit',
  summary: 'leave (a review that is under way is finished first)',
  run: () => Promise.resolve('quit'),
}
