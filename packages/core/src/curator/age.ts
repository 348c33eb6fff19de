/** How skills age: the options, the state of one skill by its age, and what its owner and its pin allow (seeds 000 and 003, reference skills-curator 10). Pure. */
import { type GrantSubject, judgeOwnership, type OwnershipMarks, protectionAgainst } from '../ownership/skill-ownership.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { SkillState, UsageRecord } from '../usage/usage-record.ts'
import { toDay } from './active-days.ts'
import { AGEING_PRESETS, type AgeingOptions, type CountBy, type NeverActive } from './curator-options.ts'
import type { SkipReason } from './report.ts'

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

/** The input of the decision; a `UsageRecord` fits. */
interface AgeingRecord
  extends Pick<UsageRecord, 'state' | 'lastActivityAt'>,
    Partial<Pick<UsageRecord, 'createdAt' | 'restoredAt' | 'useCount'>> {}

interface NextStateOptions {
  /** Default `exempt`. */
  readonly neverActive?: NeverActive
  /** Epoch milliseconds: the age counts from this time at the earliest, such as the time of a person's grant. */
  readonly notBefore?: number
}

const newest = (times: readonly number[]): number | undefined => (times.length === 0 ? undefined : Math.max(...times))

/**
 * The time that the age counts from, in epoch milliseconds: the later of the last activity and the restore from the archive. Infinity,
 * newer than any cutoff, for a skill that was never active.
 */
const ageingAnchor = (record: AgeingRecord, { neverActive = 'exempt', notBefore = 0 }: NextStateOptions = {}): number => {
  const { lastActivityAt, restoredAt = 0, createdAt = 0 } = record
  // The seed has no activity before 1970; Python Hermes does.
  const wasActive = neverActive === 'exempt' ? lastActivityAt > 0 : lastActivityAt !== 0
  const known = newest([...(wasActive ? [lastActivityAt] : []), ...(restoredAt === 0 ? [] : [restoredAt])])
  const fallback = neverActive === 'from-creation' && createdAt !== 0 ? createdAt : Number.POSITIVE_INFINITY
  return Math.max(known ?? fallback, notBefore === 0 ? Number.NEGATIVE_INFINITY : notBefore)
}

/**
 * Cutoffs in epoch milliseconds, inclusive. The archive cutoff is checked first, so an old skill skips stale; a skill never leaves the
 * archive by itself.
 */
export const nextState = (record: AgeingRecord, staleCutoff: number, archiveCutoff: number, options: NextStateOptions = {}): SkillState => {
  const { state, useCount = Number.NaN } = record
  const anchor = ageingAnchor(record, options)
  // As in Python Hermes, a skill that was never used is not archived before it could be stale. Matters only if the archive cutoff comes
  // before the stale one.
  const isSpared = options.neverActive === 'from-creation' && useCount === 0 && anchor > staleCutoff
  if (anchor <= archiveCutoff && state !== 'archived' && !isSpared) return 'archived'
  if (anchor <= staleCutoff && state === 'active') return 'stale'
  if (anchor > staleCutoff && state === 'stale') return 'active'
  return state
}

const DAY_MS = 86_400_000

const toReadableDay = (at: number): string => (Math.abs(at) <= 8.64e15 ? toDay(at) : 'an unknown day')

/** The event that the age counts from, for people. */
const anchorWords = (record: UsageRecord, anchor: number, notBefore: number | undefined): string => {
  if (anchor === record.lastActivityAt) return 'Last active'
  if (anchor === record.restoredAt) return 'Restored'
  if (anchor === notBefore) return 'Handed over'
  return 'Never active; created'
}

const count = (days: number): string => `${days} day${days === 1 ? '' : 's'}`

interface JudgedTransition {
  readonly record: UsageRecord
  readonly to: SkillState
  readonly toldAt: number
  readonly ageing: Ageing
  /** The factor by which the skill's windows are extended. */
  readonly factor: number
  readonly options: NextStateOptions
}

const describeTransition = ({ record, to, toldAt, ageing, factor, options }: JudgedTransition): string => {
  const anchor = ageingAnchor(record, options)
  if (anchor === Number.POSITIVE_INFINITY) return 'Never active, so it is not old.'
  const since = `${anchorWords(record, anchor, options.notBefore)} on ${toReadableDay(anchor)}, ${count(Math.max(0, Math.floor((toldAt - anchor) / DAY_MS)))} ago`
  if (to === 'active') return `${since}: in use again.`
  const window = (to === 'stale' ? ageing.staleAfterDays : ageing.archiveAfterDays) * factor
  const kind = to === 'stale' ? 'stale' : 'archived'
  return `${since}; ${kind} after ${count(window)}${ageing.countBy === 'active-days' ? ' of use' : ''}.`
}

// The resolution of a stamp: the last moment before a day is this much earlier.
const MICROSECOND_MS = 0.001

interface Cutoffs {
  /** Epoch milliseconds: a skill whose age counts from this time or earlier is stale. */
  readonly stale: number
  readonly archive: number
}

/** The start of the n-th latest active day: activity before it is older than the window. With fewer days, nothing is older. */
const activeDayCutoff = (days: readonly string[], window: number): number => {
  const day = days[days.length - Math.ceil(window)]
  return day === undefined ? Number.NEGATIVE_INFINITY : Date.parse(`${day}T00:00:00Z`) - MICROSECOND_MS
}

/** `factor` extends the windows of a skill that was archived by mistake; `days` are the active days, sorted. */
export const cutoffsAt = (
  now: number,
  { staleAfterDays, archiveAfterDays, countBy }: Ageing,
  factor: number,
  days: readonly string[],
): Cutoffs => {
  const cutoff = (window: number): number => (countBy === 'calendar' ? now - window * DAY_MS : activeDayCutoff(days, window))
  return { stale: cutoff(staleAfterDays * factor), archive: cutoff(archiveAfterDays * factor) }
}

export interface JudgingContext {
  readonly marks: OwnershipMarks
  readonly ageing: Ageing
  /** Epoch milliseconds. */
  readonly now: number
  /** Epoch milliseconds: reasons count the days up to here. Default: `now`. */
  readonly toldAt?: number | undefined
  /** Days on which the agent was used, sorted; needed for `active-days` only. */
  readonly activeDays: readonly string[]
}

export type SkillVerdict =
  | { readonly move: true; readonly from: SkillState; readonly to: SkillState; readonly reason: string }
  | { readonly move: false; readonly reason: SkipReason }

const stay = (reason: SkipReason): SkillVerdict => ({ move: false, reason })

/** The owner is checked before the pin, as in seed 000. Called again with the present record before anything is changed. */
export const judgeSkill = (
  skill: GrantSubject,
  record: UsageRecord | undefined,
  { marks, ageing, now, toldAt = now, activeDays }: JudgingContext,
): SkillVerdict => {
  const ownership = judgeOwnership(skill, record, marks)
  const unpinned = { ...ownership, pinned: false }
  const againstStale = protectionAgainst(unpinned, 'stale')
  const againstArchive = protectionAgainst(unpinned, 'archive')
  if (againstStale && againstArchive) return stay(againstStale)
  if (ownership.pinned) return stay('pinned')
  if (!record) return stay('no-record')

  const factor = windowFactor(record)
  const { stale, archive } = cutoffsAt(now, ageing, factor, activeDays)
  const options = { neverActive: ageing.neverActive, ...(ownership.grant ? { notBefore: ownership.grant.grantedAt } : {}) }
  const isOneStepOnly = ageing.countBy === 'active-days' && record.state === 'active' && !againstStale
  const archiveCutoff = againstArchive || isOneStepOnly ? Number.NEGATIVE_INFINITY : archive
  const to = nextState(record, stale, archiveCutoff, options)
  if (to === record.state || (to !== 'archived' && againstStale)) return stay('no-change')
  return { move: true, from: record.state, to, reason: describeTransition({ record, to, toldAt, ageing, factor, options }) }
}
