/** `hermes curator status`: whether the curator is on, the last run, and what the next one will do. */
import {
  AGEING_PRESETS,
  type CuratorStatus,
  DEFAULT_CURATOR_INTERVAL_HOURS,
  DEFAULT_CURATOR_MIN_IDLE_HOURS,
  DEFAULT_RETAIN_WEEKS,
  previewRun,
  readCuratorStatus,
  type SkillTransition,
} from '@hermes/core/curator'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { openSkills, openUsage } from '../skills/library.ts'
import { curatorSettings, warnOf } from './open-curator.ts'
import { type Forecast, renderStatus, SOON_DAYS, type StatusView } from './status-view.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Reads the skills and their usage once, since the status and both forecasts need them. */
const readOnce = async (context: Context) => {
  const store = openSkills(context)
  const [listing, archive, usage] = await Promise.all([store.list(), store.listArchived(), openUsage(context).load()])
  return {
    storage: context.storage,
    skills: { list: async () => listing, listArchived: async () => archive },
    usage: { load: async () => usage },
  }
}

const nextRunAt = (due: CuratorStatus['due'], now: number, intervalMs: number): number | undefined => {
  if (due.due) return now
  if (due.reason === 'interval') return due.nextAt
  return due.reason === 'first-sight' ? now + intervalMs : undefined
}

/**
 * What coming runs would do if no skill were used until then: dry runs with a later clock. Both lists are empty if no forecast is possible,
 * such as with skills that cannot be read, which the status reports.
 */
const foresee = async (
  parts: Omit<Parameters<typeof previewRun>[0], 'clock'> & Parameters<typeof previewRun>[1],
  at: number | undefined,
  now: number,
): Promise<Forecast> => {
  const look = async (time: number): Promise<readonly SkillTransition[]> => {
    const planned = await previewRun({ ...parts, clock: () => time }, parts, now)
    return planned.ok ? planned.value.transitioned : []
  }
  const next = await look(at ?? now)
  const later = await look((at ?? now) + SOON_DAYS * DAY_MS)
  const seen = new Set(next.map(({ name, to }) => `${to} ${name}`))
  return { nextRunAt: at, next, soon: later.filter(({ name, to }) => !seen.has(`${to} ${name}`)) }
}

export const statusCommand = defineCommand({
  examples: [
    ['hermes curator status', 'one screen'],
    ['hermes curator status --json', 'the same for programs'],
  ],
  onlyReads: true,
  run: async (_args, context) => {
    const { clock } = context
    const settings = curatorSettings(context)
    const { intervalHours = DEFAULT_CURATOR_INTERVAL_HOURS, backup = {} } = settings
    const parts = await readOnce(context)
    const read = await readCuratorStatus({ ...parts, clock, activity: { lastStepAt: undefined } }, settings)
    if (!read.ok) return failed(read.error)
    const { problems, ...found } = read.value
    warnOf(problems, context)
    const { count, newest } = found.backups
    const view: StatusView = {
      ...found,
      enabled: settings.enabled ?? true,
      consolidate: settings.consolidate ?? false,
      intervalHours,
      minIdleHours: settings.minIdleHours ?? DEFAULT_CURATOR_MIN_IDLE_HOURS,
      staleAfterDays: settings.staleAfterDays ?? AGEING_PRESETS.daily.staleAfterDays,
      archiveAfterDays: settings.archiveAfterDays ?? AGEING_PRESETS.daily.archiveAfterDays,
      retainWeeks: backup.enabled === false ? 0 : (backup.retainWeeks ?? DEFAULT_RETAIN_WEEKS),
      backups: { count, newest: newest && { id: newest.id, createdAt: newest.createdAt } },
      forecast: await foresee({ ...parts, ...settings }, nextRunAt(found.due, clock(), intervalHours * HOUR_MS), clock()),
    }
    return {
      value: { ...view, ...view.state, state: undefined, archivedCount: found.counts.archived },
      text: (terminal) => renderStatus(view, clock(), terminal),
    }
  },
})
