/** `hermes curator …` */
import type { Command } from '../../command.ts'
import { archiveCommand } from './archive.ts'
import { backupCommand } from './backup.ts'
import { listArchivedCommand } from './list-archived.ts'
import { pauseCommand, resumeCommand } from './pause.ts'
import { pinCommand, unpinCommand } from './pin.ts'
import { pruneCommand } from './prune.ts'
import { restoreCommand } from './restore.ts'
import { rollbackCommand } from './rollback.ts'
import { runCommand } from './run.ts'
import { statusCommand } from './status.ts'

export const curatorCommands: readonly Command[] = [
  statusCommand,
  runCommand,
  pauseCommand,
  resumeCommand,
  pinCommand,
  unpinCommand,
  archiveCommand,
  restoreCommand,
  listArchivedCommand,
  pruneCommand,
  backupCommand,
  rollbackCommand,
]
