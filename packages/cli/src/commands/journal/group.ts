/** The `hermes journal` verbs, in the order of the help text. */
import type { Verbs } from '../../command.ts'

export const journalCommands: Verbs = {
  list: async () => (await import('./list.ts')).listCommand,
  show: async () => (await import('./show.ts')).showCommand,
}
