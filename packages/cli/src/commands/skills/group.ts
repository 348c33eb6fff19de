/** The `hermes skills` verbs, in the order of the help text. */
import type { Verbs } from '../../command.ts'

export const skillsCommands: Verbs = {
  list: async () => (await import('./list.ts')).listCommand,
  show: async () => (await import('./show.ts')).showCommand,
  usage: async () => (await import('./usage.ts')).usageCommand,
  new: async () => (await import('./edit/new.ts')).newCommand,
  edit: async () => (await import('./edit/edit.ts')).editCommand,
  install: async () => (await import('./install/install.ts')).installCommand,
  uninstall: async () => (await import('./install/uninstall.ts')).uninstallCommand,
  manage: async () => (await import('./manage.ts')).manageCommand,
  unmanage: async () => (await import('./unmanage.ts')).unmanageCommand,
}
