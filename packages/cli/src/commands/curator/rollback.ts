/** `hermes curator rollback`: restores all skills from a backup, and keeps a copy of the current ones. */

import { listBackups, resolveBackup, type SkillBackup } from '@hermes/core/curator'
import { type Answer, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { formatBytes } from '../../terminal/format-bytes.ts'
import { counted } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { whileShowing } from '../../terminal/progress.ts'
import { formatInstant, relativeTime } from '../../terminal/relative-time.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import { wrapText } from '../../terminal/wrap-text.ts'
import { askFirst } from './ask-first.ts'
import { openCurator } from './open-curator.ts'
import { warnOf } from './warn-of.ts'

const toColumns = (now: number): readonly Column<SkillBackup>[] => [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'TAKEN', cell: ({ createdAt }) => relativeTime(createdAt, now), drop: 1 },
  { title: 'SKILLS', cell: ({ skillCount }) => String(skillCount), align: 'right', drop: 2 },
  { title: 'SIZE', cell: ({ archiveBytes }) => formatBytes(archiveBytes), align: 'right', drop: 3 },
  { title: 'WHY', cell: ({ reason }) => reason, least: 12 },
]

const toValue = ({ id, createdAt, reason, archive, archiveBytes, skillCount, files, leftOut }: SkillBackup) => ({
  id,
  createdAt,
  reason,
  archive,
  archiveBytes,
  skillCount,
  fileCount: files.length,
  leftOut,
})

const listAll = (backups: readonly SkillBackup[], { clock }: Context): Answer => ({
  value: { backups: backups.map(toValue) },
  text: ({ columns, paint }) =>
    backups.length === 0
      ? `${wrapText("There is no backup yet. 'hermes curator backup' takes one; so does every run that changes something.", columns)}\n`
      : renderTable(toColumns(clock()), backups, { columns, paintTitle: paint.dim }),
})

interface RollbackArgs {
  readonly backup: string | undefined
  readonly list: boolean | undefined
  readonly yes: boolean | undefined
}

const rollBack = async ({ backup: target, list, yes }: RollbackArgs, context: Context): Promise<Answer> => {
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
}

export const rollbackCommand = defineCommand<RollbackArgs>({
  usage: 'rollback [backup]',
  describe: 'Restore all skills from a backup: of a day, by its id, or the newest. Asks first.',
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
  run: rollBack,
})
