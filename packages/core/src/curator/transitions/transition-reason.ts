/** Why a skill moves, in words for the journal, the report and the archive. Pure. */
import type { SkillState, UsageRecord } from '../../usage/usage-record.ts'
import { toDay } from './active-days.ts'
import type { Ageing } from './ageing-options.ts'
import { ageingAnchor, type NextStateOptions } from './next-skill-state.ts'

const DAY_MS = 86_400_000

const toReadableDay = (at: number): string => (Math.abs(at) <= 8.64e15 ? toDay(at) : 'an unknown day')

/** What its age counts from. */
const anchorWords = (record: UsageRecord, anchor: number, notBefore: number | undefined): string => {
  if (anchor === record.lastActivityAt) return 'Last active'
  if (anchor === record.restoredAt) return 'Restored'
  if (anchor === notBefore) return 'Handed over'
  return 'Never active; created'
}

const count = (days: number): string => `${days} day${days === 1 ? '' : 's'}`

export interface JudgedTransition {
  readonly record: UsageRecord
  readonly to: SkillState
  readonly now: number
  readonly ageing: Ageing
  /** How many times their length the windows of this skill have. */
  readonly factor: number
  readonly options: NextStateOptions
}

export const describeTransition = ({ record, to, now, ageing, factor, options }: JudgedTransition): string => {
  const anchor = ageingAnchor(record, options)
  if (anchor === Number.POSITIVE_INFINITY) return 'Never active, so it is not old.'
  const since = `${anchorWords(record, anchor, options.notBefore)} on ${toReadableDay(anchor)}, ${count(Math.max(0, Math.floor((now - anchor) / DAY_MS)))} ago`
  if (to === 'active') return `${since}: in use again.`
  const window = (to === 'stale' ? ageing.staleAfterDays : ageing.archiveAfterDays) * factor
  const kind = to === 'stale' ? 'stale' : 'archived'
  return `${since}; ${kind} after ${count(window)}${ageing.countBy === 'active-days' ? ' of use' : ''}.`
}
