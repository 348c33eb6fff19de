/** The `hermes skills` verbs, in the order of the help text. */
import type { Verbs } from '../../command.ts'

export const skillsCommands: Verbs = {
  list: async () => (await import('./list.ts')).listCommand,
  show: async () => (await import('./show.ts')).showCommand,
  usage: async () => (await import('./usage.ts')).usageCommand,
  manage: async () => (await import('./manage.ts')).manageCommand,
  unmanage: async () => (await import('./unmanage.ts')).unmanageCommand,
}
