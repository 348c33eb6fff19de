/** The `curator` options of `createHermes`, with units and defaults (see docs/configuration.md). Does not import the code of a run. */
import * as z from 'zod'
import type { HostModel } from '../model/host-model.ts'
import {
  type BackupSettings,
  DEFAULT_BACKUP_MAX_BYTES,
  DEFAULT_BACKUP_MAX_FILE_BYTES,
  DEFAULT_RETAIN_WEEKS,
  LARGEST_BACKUP_BYTES,
} from './backup/backup-settings.ts'
import { type CuratorSchedule, DEFAULT_CURATOR_INTERVAL_HOURS, DEFAULT_CURATOR_MIN_IDLE_HOURS } from './schedule/is-curator-due.ts'
import { AGEING_PRESETS, type AgeingOptions } from './transitions/ageing-options.ts'

/** Curator settings of a host or a `config.yaml`. */
export interface CuratorSettings extends AgeingOptions, CuratorSchedule {
  /** Settings of the backup before the first change of a run. */
  readonly backup?: BackupSettings
  /** Merge near-identical and too narrow skills at the end of a run; needs model calls. Default false. */
  readonly consolidate?: boolean
}

export interface HermesCuratorOptions extends CuratorSettings {
  /** The model that merges skills if `consolidate` is on. Default `review.model`; the host's own model is known only during a turn. */
  readonly model?: HostModel
}

const DAYS = 'must be a number of days, 1 or more'

const days = () => z.number(DAYS).min(1, DAYS)

const { staleAfterDays, archiveAfterDays } = AGEING_PRESETS.daily

export const curatorOptionsSchema = () =>
  z
    .strictObject({
      enabled: z.boolean().default(true),
      intervalHours: z.number().positive().default(DEFAULT_CURATOR_INTERVAL_HOURS),
      minIdleHours: z.number().min(0).default(DEFAULT_CURATOR_MIN_IDLE_HOURS),
      staleAfterDays: days().default(staleAfterDays),
      archiveAfterDays: z.union([days(), z.literal('never')], `${DAYS}, or 'never'`).default(archiveAfterDays),
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
