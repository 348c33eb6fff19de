/**
 * `hermes curator prune`: deletes skills that were archived long ago, after a confirmation and a backup. No other command deletes skills.
 */

import { DEFAULT_PRUNE_AFTER_DAYS, prunableEntries } from '@hermes/core/curator'
import { failed } from '../../answer.ts'
import { wholeNumber } from '../../arguments.ts'
import { defineCommand } from '../../command.ts'
import { askFirst } from '../../terminal/ask-first.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted } from '../../terminal/format.ts'
import { whileShowing } from '../../terminal/progress.ts'
import { forStderr } from '../../terminal/terminal.ts'
import { openSkills } from '../skills/library.ts'
import { renderArchived } from './archived-table.ts'
import { openCurator, warnOf } from './open-curator.ts'

export const pruneCommand = defineCommand({
  examples: [
    ['hermes curator prune --dry-run', `what has been archived for ${DEFAULT_PRUNE_AFTER_DAYS} days or more`],
    ['hermes curator prune --days 365 --yes', 'without confirmation, for scripts'],
  ],
  options: (parser) =>
    parser
      .option('days', {
        coerce: wholeNumber('days', 1, 100_000),
        default: DEFAULT_PRUNE_AFTER_DAYS,
        requiresArg: true,
        describe: 'minimum number of days in the archive',
      })
      .option('yes', { alias: 'y', type: 'boolean', describe: 'do not ask' })
      .option('dry-run', { type: 'boolean', describe: 'only list what would be deleted' }),
  run: async ({ days, yes, 'dry-run': dryRun }, context) => {
    const { clock, terminal } = context
    const listed = await openSkills(context).listArchived()
    if (!listed.ok) return failed(listed.error)
    warnOf(listed.value.problems, context)
    const now = clock()
    const entries = prunableEntries(listed.value.entries, { now, olderThanDays: days })
    if (entries.length === 0) {
      return { value: { removed: [] }, text: () => `Nothing has been in the archive for ${counted(days, 'day')} or more.\n` }
    }
    if (dryRun) return { value: { wouldRemove: entries }, text: (own) => renderArchived(entries, now, own) }

    context.say(renderArchived(entries, now, forStderr(terminal)))
    const refused = await askFirst(
      `Delete ${counted(entries.length, 'archived skill')} permanently? A backup is taken first.`,
      yes,
      context,
    )
    if (refused) return refused
    const curator = await openCurator(context)
    const pruned = await whileShowing('Taking a backup, then deleting …', context, () => curator.prune(entries))
    if (!pruned.ok) return failed(pruned.error)
    const { removed, backupId } = pruned.value
    return {
      value: { removed, backupId },
      text: (own) =>
        `${counted(removed.length, 'archived skill')} deleted.\n${hint(`Undo, while the backup is kept: hermes curator rollback ${backupId}`, own)}`,
    }
  },
})
