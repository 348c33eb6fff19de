/** The `curator` options of `createHermes`, with units and defaults (see docs/configuration.md). Does not import the code of a run. */
import type { HostModel } from '../model/host-model.ts'
import { callback, flag, group, number, numberFault, type Option, oneOf, option } from '../shared/check-options.ts'
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

const daysFault = (given: unknown): string | undefined =>
  numberFault(given, { least: 1, fractions: true }) === undefined ? undefined : DAYS

const days = (preset: number): Option<number> => option(daysFault, preset)

export const curatorOptions = group({
  enabled: flag(true),
  intervalHours: number({ above: 0, fractions: true }, DEFAULT_CURATOR_INTERVAL_HOURS),
  minIdleHours: number({ least: 0, fractions: true }, DEFAULT_CURATOR_MIN_IDLE_HOURS),
  staleAfterDays: days(AGEING_PRESETS.daily.staleAfterDays),
  archiveAfterDays: option<number | 'never'>(
    (given) => (given === 'never' || daysFault(given) === undefined ? undefined : `${DAYS}, or 'never'`),
    AGEING_PRESETS.daily.archiveAfterDays,
  ),
  neverActive: oneOf(['exempt', 'from-creation'], 'exempt'),
  countBy: oneOf(['calendar', 'active-days'], 'calendar'),
  backup: group({
    enabled: flag(true),
    retainWeeks: number({ above: 0, fractions: true }, DEFAULT_RETAIN_WEEKS),
    maxBytes: number({ least: 1, most: LARGEST_BACKUP_BYTES }, DEFAULT_BACKUP_MAX_BYTES),
    maxFileBytes: number({ least: 1 }, DEFAULT_BACKUP_MAX_FILE_BYTES),
  }),
  consolidate: flag(false),
  model: callback<HostModel | undefined>(),
})
