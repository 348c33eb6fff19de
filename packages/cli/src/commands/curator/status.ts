/** `hermes curator status`: is it on, what did it do, when does it come again, and how do the skills stand. */
import { type Answer, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { readSkillLibrary } from '../skills/skill-library.ts'
import { curatorParts } from './curator-parts.ts'
import { renderStatus, type StatusView } from './status-view.ts'

const status = async (context: Context): Promise<Answer> => {
  const { core, clock, warn } = context
  const { storage, ageing, schedule, settings } = curatorParts(context)
  const now = clock()
  const [state, library, backups, unfinished] = await Promise.all([
    core.readCuratorState(storage),
    readSkillLibrary(context),
    core.listBackups(storage),
    core.readRollbackState(storage),
  ])
  if (!state.ok) return failed(state.error)
  if (!library.ok) return failed(library.error)
  if (!backups.ok) return failed(backups.error)
  for (const { message } of backups.value.problems) warn(message)
  if (!unfinished.ok) warn(unfinished.error.message)
  else if (unfinished.value)
    warn(
      `A rollback to ${unfinished.value.target} is not finished. 'hermes curator backup', or any command that changes the skills, finishes it first.`,
    )

  const {
    intervalHours = core.DEFAULT_CURATOR_INTERVAL_HOURS,
    minIdleHours = core.DEFAULT_CURATOR_MIN_IDLE_HOURS,
    enabled = true,
  } = schedule
  const { staleAfterDays = core.AGEING_PRESETS.daily.staleAfterDays, archiveAfterDays = core.AGEING_PRESETS.daily.archiveAfterDays } =
    ageing
  // As if the host were idle: what is left is the schedule alone.
  const due = core.isCuratorDue(state.value, { now, idleMs: Number.POSITIVE_INFINITY }, schedule)
  const [newest] = backups.value.backups
  const { skills, archivedCount } = library.value
  const view: StatusView = {
    enabled,
    state: state.value,
    due,
    intervalHours,
    minIdleHours,
    staleAfterDays,
    archiveAfterDays,
    retainWeeks: settings.backup.enabled === false ? 0 : (settings.backup.retainWeeks ?? core.DEFAULT_RETAIN_WEEKS),
    backups: { count: backups.value.backups.length, newest: newest && { id: newest.id, createdAt: newest.createdAt } },
    skills,
    archivedCount,
  }
  return { value: { ...view, ...view.state, state: undefined }, text: (terminal) => renderStatus(view, now, terminal) }
}

export const statusCommand = defineCommand({
  usage: 'status',
  describe: 'Show when it ran and what it did, when it runs again, and how the skills stand.',
  examples: [
    ['hermes curator status', 'one screen'],
    ['hermes curator status --json', 'the same for programs'],
  ],
  run: (_args, context) => status(context),
})
