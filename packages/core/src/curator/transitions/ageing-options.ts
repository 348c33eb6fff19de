/** How fast skills age, and whether calendar or active days count (seed 003, exercises 2 and 4). */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { UsageRecord } from '../../usage/usage-record.ts'
import type { NeverActive } from './next-skill-state.ts'

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

export interface Ageing {
  readonly staleAfterDays: number
  /** Days; Infinity: never. */
  readonly archiveAfterDays: number
  readonly neverActive: NeverActive
  readonly countBy: CountBy
  /** Warnings about the options, for people. */
  readonly warnings: readonly string[]
}

const MIN_DAYS = 1

const isDays = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)

const badDays = (name: string, value: unknown): HermesError =>
  new HermesError(
    'invalid',
    `'${name}' must be a number of days, such as 30, but is ${typeof value === 'string' ? `'${value}'` : String(value)}.`,
  )

/**
 * `invalid` for anything but a number of days. Less than one day counts as one, with a warning, so that a mistake does not archive the
 * library.
 */
export const checkAgeing = (options: AgeingOptions = {}): Result<Ageing> => {
  const { staleAfterDays = AGEING_PRESETS.daily.staleAfterDays, archiveAfterDays: archive = AGEING_PRESETS.daily.archiveAfterDays } =
    options
  const { neverActive = 'exempt', countBy = 'calendar' } = options
  const archiveAfterDays = archive === 'never' ? Number.POSITIVE_INFINITY : archive
  if (!isDays(staleAfterDays)) return err(badDays('staleAfterDays', staleAfterDays))
  if (!isDays(archiveAfterDays)) return err(badDays('archiveAfterDays', archiveAfterDays))
  if (neverActive !== 'exempt' && neverActive !== 'from-creation')
    return err(new HermesError('invalid', `'neverActive' is 'exempt' or 'from-creation', not '${String(neverActive)}'.`))
  if (countBy !== 'calendar' && countBy !== 'active-days')
    return err(new HermesError('invalid', `'countBy' is 'calendar' or 'active-days', not '${String(countBy)}'.`))

  const warnings: string[] = []
  const floor = (name: string, days: number): number => {
    if (days >= MIN_DAYS) return days
    warnings.push(`'${name}' is ${days}; it counts as ${MIN_DAYS} day, the minimum.`)
    return MIN_DAYS
  }
  const ageing = { staleAfterDays: floor('staleAfterDays', staleAfterDays), archiveAfterDays: floor('archiveAfterDays', archiveAfterDays) }
  if (ageing.archiveAfterDays < ageing.staleAfterDays) {
    warnings.push(
      `'archiveAfterDays' (${ageing.archiveAfterDays}) is below 'staleAfterDays' (${ageing.staleAfterDays}): skills are archived before they are stale. Make it larger.`,
    )
  }
  return ok({ ...ageing, neverActive, countBy, warnings })
}

const MAX_WINDOW_FACTOR = 4
const MISJUDGEMENTS_TO_EXEMPT = 2

/** Each restore from the archive doubles the windows of the skill, up to four times. */
export const windowFactor = ({ misjudgements }: Pick<UsageRecord, 'misjudgements'>): number =>
  Math.min(MAX_WINDOW_FACTOR, 2 ** Math.max(0, misjudgements))

/** A skill restored at least twice is not merged. */
export const isExemptFromMerging = ({ misjudgements }: Pick<UsageRecord, 'misjudgements'>): boolean =>
  misjudgements >= MISJUDGEMENTS_TO_EXEMPT
