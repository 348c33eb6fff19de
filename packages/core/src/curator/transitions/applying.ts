/** What carrying a plan out works with, and what it leaves behind as it goes. */
import type { Result } from '../../shared/result.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageRecord } from '../../usage/usage-record.ts'
import type { UsageStore } from '../../usage/usage-store.ts'
import type { SkillTransition, SkippedSkill } from '../report/curator-report.ts'
import { type JudgingContext, judgeSkill } from './judge-skill.ts'
import type { PlannedTransition } from './plan-transitions.ts'

export interface ApplyDeps {
  readonly skills: Pick<SkillStore, 'archiver' | 'restore'>
  readonly usage: Pick<UsageStore, 'load' | 'setStates'>
  readonly storage: StorageBackend
  readonly context: JudgingContext
  readonly signal?: AbortSignal | undefined
  /** Asked before each batch; its error ends the run. */
  readonly keepPlace?: (() => Promise<Result<unknown>>) | undefined
  /** Hears of each step; `done` of `total` are settled. */
  readonly onProgress?: ((progress: CuratorProgress) => void) | undefined
}

export interface CuratorProgress {
  readonly done: number
  readonly total: number
}

/** Filled while the plan is carried out, so that a failure half-way still tells what was done. */
export interface Applied {
  readonly transitioned: SkillTransition[]
  readonly skipped: SkippedSkill[]
  readonly repaired: string[]
  readonly warnings: string[]
  aborted: boolean
}

export const nothingApplied = (): Applied => ({ transitioned: [], skipped: [], repaired: [], warnings: [], aborted: false })

export const toTransition = ({ name, from, to, reason }: PlannedTransition, archivedAs?: string): SkillTransition => ({
  name,
  from,
  to,
  reason,
  ...(archivedAs === undefined ? {} : { archivedAs }),
})

/** Decided once more, on the record as it is now. */
export const isStill = ({ skill, from, to }: PlannedTransition, record: UsageRecord | undefined, context: JudgingContext): boolean => {
  const verdict = judgeSkill(skill, record, context)
  return verdict.move && verdict.from === from && verdict.to === to
}
