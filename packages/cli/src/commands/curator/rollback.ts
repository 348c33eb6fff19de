/** `hermes curator rollback`: restores all skills from a backup, and keeps a copy of the current ones. */
import { listBackups, resolveBackup, type SkillBackup } from '@hermes/core/curator'
import { type Answer, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { askFirst } from '../../terminal/ask-first.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted, formatBytes, formatInstant, relativeTime } from '../../terminal/format.ts'
import { whileShowing } from '../../terminal/progress.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import { wrapText } from '../../terminal/text-width.ts'
import { openCurator, toBackupValue, warnOf } from './open-curator.ts'

const toColumns = (now: number): readonly Column<SkillBackup>[] => [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'TAKEN', cell: ({ createdAt }) => relativeTime(createdAt, now), drop: 1 },
  { title: 'SKILLS', cell: ({ skillCount }) => String(skillCount), align: 'right', drop: 2 },
  { title: 'SIZE', cell: ({ archiveBytes }) => formatBytes(archiveBytes), align: 'right', drop: 3 },
  { title: 'WHY', cell: ({ reason }) => reason, least: 12 },
]

const listAll = (backups: readonly SkillBackup[], { clock }: Context): Answer => ({
  value: { backups: backups.map(toBackupValue) },
  text: ({ columns, paint }) =>
    backups.length === 0
      ? `${wrapText("There is no backup yet. 'hermes curator backup' takes one; so does every run that changes something.", columns)}\n`
      : renderTable(toColumns(clock()), backups, { columns, paint }),
})

export const rollbackCommand = defineCommand({
  examples: [
    ['hermes curator rollback --list', 'the backups to choose from'],
    ['hermes curator rollback 2026-05-16', 'the last backup of that day'],
    ['hermes curator rollback 2026-05-16T10-00-00Z --yes', 'without confirmation, for scripts'],
  ],
  options: (parser) =>
    parser
      .positional('backup', { type: 'string', describe: 'a UTC day or an id; default: the newest' })
      .option('list', { alias: 'l', type: 'boolean', describe: 'only list the backups' })
      .option('yes', { alias: 'y', type: 'boolean', describe: 'do not ask' }),
  run: async ({ backup: target, list, yes }, context) => {
    const { storage, clock } = context
    const listed = await listBackups(storage)
    if (!listed.ok) return failed(listed.error)
    const { backups, problems } = listed.value
    if (list) {
      warnOf(problems, context)
      return listAll(backups, context)
    }
    const chosen = resolveBackup(backups, target)
    if (!chosen.ok) return failed(chosen.error)
    const { id, createdAt, reason, skillCount } = chosen.value
    const what = `Backup ${id} of ${formatInstant(createdAt)} (${relativeTime(createdAt, clock())}), ${counted(skillCount, 'skill')}: ${reason}`
    context.say(`${wrapText(oneLine(what), context.terminal.errorColumns)}
`)
    const refused = await askFirst(
      'Restore all skills from it? The current skills are backed up first; newer skills go to the archive.',
      yes,
      context,
    )
    if (refused) return refused
    const curator = await openCurator(context)
    const done = await whileShowing('Backing up the current skills, then restoring …', context, () => curator.rollback(id))
    if (!done.ok) return failed(done.error)
    const { safetyId, restored, archived, setAside } = done.value
    warnOf(done.value.problems, context)
    return {
      value: { id, safetyId, restored, archived, setAside },
      text: (terminal) => {
        const newer = archived.length === 0 ? '' : ` ${counted(archived.length, 'newer skill')} moved to the archive.`
        return `${wrapText(`All skills are as in ${id}: ${counted(restored.length, 'file')} restored.${newer}`, terminal.columns)}\n${hint(`Undo: hermes curator rollback ${safetyId}`, terminal)}`
      },
    }
  },
})
