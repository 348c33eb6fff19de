/** The `curator` options of `createHermes`, with units and defaults (see docs/configuration.md). Does not import the code of a run. */
import type { HostModel } from '../model/host-model.ts'
import { callback, flag, group, number, numberFault, type Option, oneOf, option } from '../shared/check-options.ts'

/**
 * `exempt`: a skill that was never used does not age (seed 000). `from-creation`: its age counts from its creation, as in Python Hermes.
 */
export type NeverActive = 'exempt' | 'from-creation'

/** `active-days`: only days on which the agent was used count, so that an absence archives no skills. */
export type CountBy = 'calendar' | 'active-days'

export interface AgeingOptions {
  /** Days of 24 hours without activity. Default 30; minimum 1. */
  readonly staleAfterDays?: number
  /** Default 90; `'never'`: no skill is archived by age. */
  readonly archiveAfterDays?: number | 'never'
  /** Default `exempt`. */
  readonly neverActive?: NeverActive
  /** Default `calendar`. */
  readonly countBy?: CountBy
}

/** For agents used daily, monthly, or once a year. */
export const AGEING_PRESETS = {
  daily: { staleAfterDays: 30, archiveAfterDays: 90 },
  monthly: { staleAfterDays: 120, archiveAfterDays: 365 },
  yearly: { staleAfterDays: 365, archiveAfterDays: 'never' },
} as const satisfies Readonly<Record<string, AgeingOptions>>

export interface CuratorSchedule {
  /** Default `true`. */
  readonly enabled?: boolean | undefined
  /** Default 168 (one week). */
  readonly intervalHours?: number | undefined
  /** Default 2. */
  readonly minIdleHours?: number | undefined
}

export const DEFAULT_CURATOR_INTERVAL_HOURS = 168
export const DEFAULT_CURATOR_MIN_IDLE_HOURS = 2

/** Milliseconds between two records of activity: the recorded time may be this old while somebody is at work. */
export const ACTIVITY_GRAIN_MS = 600_000

export interface BackupSettings {
  /** `false`: runs change skills without a backup. Default true. */
  readonly enabled?: boolean
  /** Weeks for which backups are kept; the newest one is always kept. Default 4. */
  readonly retainWeeks?: number
  /** Bytes of all files together, uncompressed. Default 256 MiB, maximum 512 MiB. */
  readonly maxBytes?: number
  /** Bytes of one file. Default 16 MiB. */
  readonly maxFileBytes?: number
}

/** Weeks (seed 003). */
export const DEFAULT_RETAIN_WEEKS = 4
const DEFAULT_BACKUP_MAX_BYTES = 256 * 1024 * 1024
const DEFAULT_BACKUP_MAX_FILE_BYTES = 16 * 1024 * 1024
/** Maximum bytes of one backup, unpacked: an open backup is held in memory. Larger backups are not written either. */
export const LARGEST_BACKUP_BYTES = 512 * 1024 * 1024

/** Bytes. */
export interface BackupBounds {
  /** All files together, uncompressed. */
  readonly maxBytes: number
  readonly maxFileBytes: number
}

export const toBackupBounds = ({
  maxBytes = DEFAULT_BACKUP_MAX_BYTES,
  maxFileBytes = DEFAULT_BACKUP_MAX_FILE_BYTES,
}: BackupSettings = {}): BackupBounds => ({ maxBytes: Math.min(maxBytes, LARGEST_BACKUP_BYTES), maxFileBytes })

/** Curator settings of a host or a `config.yaml`. */
export interface CuratorSettings extends AgeingOptions, CuratorSchedule {
  /** Settings of the backup before the first change of a run. */
  readonly backup?: BackupSettings
  /** Merge near-identical and too narrow skills at the end of a run; needs model calls. Default false. */
  readonly consolidate?: boolean
}

export interface HermesCuratorOptions extends CuratorSettings {
  /** The model that merges skills if `consolidate` is on. Default `review.model`; the host's own model is known only during a turn. */
  readonly model?: HostModel | undefined
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
