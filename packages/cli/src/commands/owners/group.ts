/** `hermes owners …`, in the order of its help. */
import type { Verbs } from '../../command.ts'

export const ownersCommands: Verbs = {
  list: async () => (await import('./list.ts')).listCommand,
  erase: async () => (await import('./erase.ts')).eraseCommand,
}
