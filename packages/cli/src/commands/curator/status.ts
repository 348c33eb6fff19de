/** `hermes curator status`: whether the curator is on, the last run, and what the next one will do. */
import {
  AGEING_PRESETS,
  DEFAULT_CURATOR_INTERVAL_HOURS,
  DEFAULT_CURATOR_MIN_IDLE_HOURS,
  DEFAULT_RETAIN_WEEKS,
  readCuratorStatus,
} from '@hermes/core/curator'
import { type Answer, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { curatorSettings } from './curator-settings.ts'
import { foresee } from './forecast.ts'
import { oneLook } from './one-look.ts'
import { renderStatus, type StatusView } from './status-view.ts'
import { warnOf } from './warn-of.ts'

const HOUR_MS = 3_600_000

const status = async (context: Context): Promise<Answer> => {
  const { storage, clock } = context
  const settings = curatorSettings(context)
  const {
    enabled = true,
    consolidate = false,
    intervalHours = DEFAULT_CURATOR_INTERVAL_HOURS,
    minIdleHours = DEFAULT_CURATOR_MIN_IDLE_HOURS,
    staleAfterDays = AGEING_PRESETS.daily.staleAfterDays,
    archiveAfterDays = AGEING_PRESETS.daily.archiveAfterDays,
    backup = {},
  } = settings
  const parts = { storage, ...oneLook(context) }
  const read = await readCuratorStatus({ ...parts, clock, activity: { lastStepAt: undefined } }, settings)
  if (!read.ok) return failed(read.error)
  const { problems, ...told } = read.value
  warnOf(problems, context)
  const forecast = await foresee({ ...parts, ...settings }, told.due, clock(), intervalHours * HOUR_MS)
  const { newest } = told.backups
  const view: StatusView = {
    ...told,
    enabled,
    consolidate,
    intervalHours,
    minIdleHours,
    staleAfterDays,
    archiveAfterDays,
    retainWeeks: backup.enabled === false ? 0 : (backup.retainWeeks ?? DEFAULT_RETAIN_WEEKS),
    backups: { count: told.backups.count, newest: newest && { id: newest.id, createdAt: newest.createdAt } },
    forecast,
  }
  return {
    value: { ...view, ...view.state, state: undefined, archivedCount: told.counts.archived },
    text: (terminal) => renderStatus(view, clock(), terminal),
  }
}

export const statusCommand = defineCommand({
  usage: 'status',
  describe: 'Show what the last run did, when the next one comes and what it will do.',
  examples: [
    ['hermes curator status', 'one screen'],
    ['hermes curator status --json', 'the same for programs'],
  ],
  onlyReads: true,
  run: (_args, context) => status(context),
})
