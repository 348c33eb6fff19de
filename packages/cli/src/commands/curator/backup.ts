/** `hermes curator backup`: takes a verified snapshot of all skills. */

import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { formatBytes } from '../../terminal/format-bytes.ts'
import { counted } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { whileShowing } from '../../terminal/progress.ts'
import { openCurator } from './open-curator.ts'

export const backupCommand = defineCommand<{ readonly reason: string }>({
  usage: 'backup',
  describe: 'Take a backup of all skills, read it back and verify it.',
  examples: [['hermes curator backup --reason "before the big clean-up"', "'hermes curator rollback --list' shows the reason"]],
  options: (parser) => parser.option('reason', { type: 'string', default: 'manual', requiresArg: true, describe: 'what it is for' }),
  run: async ({ reason }, context) => {
    const curator = await openCurator(context)
    const taken = await whileShowing('Taking a backup and reading it back …', context, () => curator.backup(reason))
    if (!taken.ok) return failed(taken.error)
    const { id, createdAt, archive, archiveBytes, skillCount, files, leftOut } = taken.value
    for (const { path, why } of leftOut) context.warn(`'${path}' is not in the backup (${why}).`)
    return {
      value: { id, createdAt, reason: taken.value.reason, archive, archiveBytes, skillCount, fileCount: files.length, leftOut },
      text: (terminal) =>
        `Backup ${id}: ${counted(skillCount, 'skill')} in ${counted(files.length, 'file')}, ${formatBytes(archiveBytes)}.\n${hint(`Go back to it: hermes curator rollback ${id}`, terminal)}`,
    }
  },
})
