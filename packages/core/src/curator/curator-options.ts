/** The `curator` options of `createHermes`, with units and defaults (see docs/configuration.md). Does not import the code of a run. */
import * as z from 'zod/mini'
import type { HostModel } from '../model/host-model.ts'
import { optionGroup } from '../shared/option-group.ts'
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

const days = () => z.number(DAYS).check(z.gte(1, DAYS))

const BACKUP = {
  enabled: true,
  retainWeeks: DEFAULT_RETAIN_WEEKS,
  maxBytes: DEFAULT_BACKUP_MAX_BYTES,
  maxFileBytes: DEFAULT_BACKUP_MAX_FILE_BYTES,
}

const CURATOR = {
  enabled: true,
  intervalHours: DEFAULT_CURATOR_INTERVAL_HOURS,
  minIdleHours: DEFAULT_CURATOR_MIN_IDLE_HOURS,
  ...AGEING_PRESETS.daily,
  neverActive: 'exempt' as const,
  countBy: 'calendar' as const,
  backup: BACKUP,
  consolidate: false,
}

export const curatorOptionsSchema = () =>
  optionGroup(CURATOR, () =>
    z.strictObject({
      enabled: z._default(z.boolean(), CURATOR.enabled),
      intervalHours: z._default(z.number().check(z.positive()), CURATOR.intervalHours),
      minIdleHours: z._default(z.number().check(z.gte(0)), CURATOR.minIdleHours),
      staleAfterDays: z._default(days(), CURATOR.staleAfterDays),
      archiveAfterDays: z._default(z.union([days(), z.literal('never')], `${DAYS}, or 'never'`), CURATOR.archiveAfterDays),
      neverActive: z._default(z.enum(['exempt', 'from-creation']), CURATOR.neverActive),
      countBy: z._default(z.enum(['calendar', 'active-days']), CURATOR.countBy),
      backup: optionGroup(BACKUP, () =>
        z.strictObject({
          enabled: z._default(z.boolean(), BACKUP.enabled),
          retainWeeks: z._default(z.number().check(z.positive()), BACKUP.retainWeeks),
          maxBytes: z._default(z.int().check(z.gte(1), z.lte(LARGEST_BACKUP_BYTES)), BACKUP.maxBytes),
          maxFileBytes: z._default(z.int().check(z.gte(1)), BACKUP.maxFileBytes),
        }),
      ),
      consolidate: z._default(z.boolean(), CURATOR.consolidate),
      model: z.optional(z.custom<HostModel>((value) => typeof value === 'function', 'must be a function')),
    }),
  )
