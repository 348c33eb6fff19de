/** `hermes curator backup`: takes a verified snapshot of all skills. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted, formatBytes } from '../../terminal/format.ts'
import { whileShowing } from '../../terminal/progress.ts'
import { openCurator, toBackupValue } from './open-curator.ts'

export const backupCommand = defineCommand({
  examples: [['hermes curator backup --reason "before the big clean-up"', "'hermes curator rollback --list' shows the reason"]],
  options: (parser) => parser.option('reason', { type: 'string', default: 'manual', requiresArg: true, describe: 'what it is for' }),
  run: async ({ reason }, context) => {
    const curator = await openCurator(context)
    const taken = await whileShowing('Taking a backup and reading it back …', context, () => curator.backup(reason))
    if (!taken.ok) return failed(taken.error)
    const { id, archiveBytes, skillCount, files, leftOut } = taken.value
    for (const { path, why } of leftOut) context.warn(`'${path}' is not in the backup (${why}).`)
    return {
      value: toBackupValue(taken.value),
      text: (terminal) =>
        `Backup ${id}: ${counted(skillCount, 'skill')} in ${counted(files.length, 'file')}, ${formatBytes(archiveBytes)}.\n${hint(`Go back to it: hermes curator rollback ${id}`, terminal)}`,
    }
  },
})
