/** `hermes config …`, in the order of its help. */
import type { Verbs } from '../../command.ts'

export const configCommands: Verbs = {
  check: async () => (await import('./check.ts')).checkCommand,
}
