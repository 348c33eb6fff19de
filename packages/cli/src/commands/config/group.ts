/** The `hermes config` verbs, in the order of the help text. */
import type { Verbs } from '../../command.ts'

export const configCommands: Verbs = {
  check: async () => (await import('./check.ts')).checkCommand,
}
