/** The `curator` options of `createHermes`, with units and defaults (see docs/configuration.md). Does not import the code of a run. */
import * as z from 'zod/mini'
import type { HostModel } from '../model/host-model.ts'
import { optionGroup } from '../shared/option-group.ts'

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
