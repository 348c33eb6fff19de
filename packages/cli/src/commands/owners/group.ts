/** The `hermes owners` verbs, in the order of the help text. */
import type { Verbs } from '../../command.ts'

export const ownersCommands: Verbs = {
  list: async () => (await import('./list.ts')).listCommand,
  erase: async () => (await import('./erase.ts')).eraseCommand,
}
