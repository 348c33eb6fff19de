/** The `hermes curator` verbs, in the order of the help text. */
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
  prune: async () => (await import('./prune.ts')).pruneCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  rollback: async () => (await import('./rollback.ts')).rollbackCommand,
}
