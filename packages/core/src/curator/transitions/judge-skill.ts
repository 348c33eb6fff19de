/** What is to become of one skill: the rule of its age within what its owner and its person allow. Pure. */
import type { GrantSubject } from '../../ownership/ownership-grant.ts'
import type { OwnershipMarks } from '../../ownership/ownership-marks.ts'
import { judgeOwnership, protectionAgainst } from '../../ownership/skill-ownership.ts'
import type { SkillState, UsageRecord } from '../../usage/usage-record.ts'
import type { SkipReason } from '../report/curator-report.ts'
import { cutoffsAt } from './ageing-cutoffs.ts'
import { type Ageing, windowFactor } from './ageing-options.ts'
import { nextState } from './next-skill-state.ts'
import { describeTransition } from './transition-reason.ts'

export interface JudgingContext {
  readonly marks: OwnershipMarks
  readonly ageing: Ageing
  /** Epoch milliseconds. */
  readonly now: number
  /** Days on which the agent was used, in order; asked for by `active-days` alone. */
  readonly activeDays: readonly string[]
}

export type SkillVerdict =
  | { readonly move: true; readonly from: SkillState; readonly to: SkillState; readonly reason: string }
  | { readonly move: false; readonly reason: SkipReason }

const stay = (reason: SkipReason): SkillVerdict => ({ move: false, reason })

/** Whose it is comes before the pin, as in seed 000. Asked again with the record of the moment before anything is done. */
export const judgeSkill = (
  skill: GrantSubject,
  record: UsageRecord | undefined,
  { marks, ageing, now, activeDays }: JudgingContext,
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
  return { move: true, from: record.state, to, reason: describeTransition({ record, to, now, ageing, factor, options }) }
}
