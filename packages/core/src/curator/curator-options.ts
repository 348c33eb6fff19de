/** The `curator` options of `createHermes`, with their units and defaults; docs/configuration.md has a line on each. */
import { z } from 'zod'
import { DEFAULT_RETAIN_WEEKS } from './backup/backup-prune.ts'
import { LARGEST_BACKUP_BYTES } from './backup/backup-unpack.ts'
import { DEFAULT_BACKUP_MAX_BYTES, DEFAULT_BACKUP_MAX_FILE_BYTES } from './backup/skill-backup.ts'
import type { CuratorSettings } from './curator-settings.ts'
import { DEFAULT_CURATOR_INTERVAL_HOURS, DEFAULT_CURATOR_MIN_IDLE_HOURS } from './schedule/is-curator-due.ts'
import { AGEING_PRESETS } from './transitions/ageing-options.ts'
import type { HostModel } from '../model/host-model.ts'

export interface HermesCuratorOptions extends CuratorSettings {
  /** Reads and merges skills where `consolidate` is on. Default `review.model`; the host's own is known only inside a turn. */
  readonly model?: HostModel
}

const DAYS = 'must be a number of days, 1 or more'

const days = z.number(DAYS).min(1, DAYS)

const { staleAfterDays, archiveAfterDays } = AGEING_PRESETS.daily

export const curatorOptionsSchema = z
  .strictObject({
    enabled: z.boolean().default(true),
    intervalHours: z.number().positive().default(DEFAULT_CURATOR_INTERVAL_HOURS),
    minIdleHours: z.number().min(0).default(DEFAULT_CURATOR_MIN_IDLE_HOURS),
    staleAfterDays: days.default(staleAfterDays),
    archiveAfterDays: z.union([days, z.literal('never')], `${DAYS}, or 'never'`).default(archiveAfterDays),
    neverActive: z.enum(['exempt', 'from-creation']).default('exempt'),
    countBy: z.enum(['calendar', 'active-days']).default('calendar'),
    backup: z
      .strictObject({
        enabled: z.boolean().default(true),
        retainWeeks: z.number().positive().default(DEFAULT_RETAIN_WEEKS),
        maxBytes: z.int().min(1).max(LARGEST_BACKUP_BYTES).default(DEFAULT_BACKUP_MAX_BYTES),
        maxFileBytes: z.int().min(1).default(DEFAULT_BACKUP_MAX_FILE_BYTES),
      })
      .prefault({}),
    consolidate: z.boolean().default(false),
    model: z.custom<HostModel>((value) => typeof value === 'function', 'must be a function').optional(),
  })
  .prefault({})
