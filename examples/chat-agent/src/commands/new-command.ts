/** `/new`: the next session, which starts with everything learned so far. */
import type { Command } from './command.ts'

export const newCommand: Command = {
  name: 'new',
  usage: '/new',
  summary: 'end this session, learn from it, and start the next one',
  run: async (_argument, { startNewSession }) => {
    await startNewSession()
    return undefined
  },
}
