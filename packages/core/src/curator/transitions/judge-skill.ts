/** Decides the state of one skill: the age rule, within what its owner and pins allow. Pure. */
import type { GrantSubject } from '../../ownership/ownership-grant.ts'
import type { OwnershipMarks } from '../../ownership/ownership-marks.ts'
import { judgeOwnership, protectionAgainst } from '../../ownership/skill-ownership.ts'
import type { SkillState, UsageRecord } from '../../usage/usage-record.ts'
import type { SkipReason } from '../report/curator-report.ts'
import { toDay } from './active-days.ts'
import { type Ageing, windowFactor } from './ageing-options.ts'
import { ageingAnchor, type NextStateOptions, nextState } from './next-skill-state.ts'

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
