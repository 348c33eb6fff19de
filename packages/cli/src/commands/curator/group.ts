/** The `hermes curator` verbs, in the order of the help text. The last two are shared with `hermes skills`. */
import type { Verbs } from '../../command.ts'

export const curatorCommands: Verbs = {
  status: async () => (await import('./status.ts')).statusCommand,
  run: async () => (await import('./run.ts')).runCommand,
  pause: async () => (await import('./pause.ts')).pauseCommand,
  resume: async () => (await import('./pause.ts')).resumeCommand,
  pin: async () => (await import('./pin.ts')).pinCommand,
  unpin: async () => (await import('./pin.ts')).unpinCommand,
  archive: async () => (await import('./archive.ts')).archiveCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  'list-archived': async () => (await import('./list-archived.ts')).listArchivedCommand,
  purge: async () => (await import('./purge.ts')).purgeCommand,
  prune: async () => (await import('./purge.ts')).pruneCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  rollback: async () => (await import('./rollback.ts')).rollbackCommand,
  manage: async () => (await import('../skills/manage.ts')).manageCommand,
  unmanage: async () => (await import('../skills/unmanage.ts')).unmanageCommand,
}
