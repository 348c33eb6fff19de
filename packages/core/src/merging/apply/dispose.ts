/** Asks the gate about the changes of one umbrella or pruning together, and sees to it that a no is told and a hold is kept. */

import type { RefusedConsolidation } from '../../curator/report/consolidation-report.ts'
import type { ReviewGate } from '../../gate/review-gate.ts'
import type { Journal, JournalRecordInput } from '../../journal/journal.ts'
import type { Pending } from '../../journal/pending.ts'
import type { Result } from '../../shared/result.ts'
import type { ConsolidationRun } from '../run.ts'
import { type Disposition, disposeChanges, type GatedChange } from './gate.ts'

export interface DisposeDeps {
  readonly gate: ReviewGate
  readonly journal: Pick<Journal, 'append'> | undefined
  readonly pending: Pick<Pending, 'hold'> | undefined
  readonly dryRun: boolean
  /** The model that proposes. */
  readonly model?: (() => string | undefined) | undefined
}

/** A journal that fails never undoes what was decided. */
export const tell = async (
  records: readonly JournalRecordInput[],
  { journal }: Pick<DisposeDeps, 'journal'>,
  run: ConsolidationRun,
): Promise<void> => {
  const told = await journal?.append(records)
  if (told && !told.ok) run.problems.push(told.error)
}

export const toRecord = (
  { proposal }: GatedChange,
  { origin }: Disposition,
  { model: modelOf }: Pick<DisposeDeps, 'model'>,
): Pick<JournalRecordInput, 'actor' | 'target' | 'op' | 'rationale' | 'score' | 'origin' | 'model'> => {
  const model = modelOf?.()
  return {
    actor: 'curator',
    target: 'skill',
    op: proposal.op,
    rationale: proposal.rationale,
    score: proposal.score,
    ...(origin === undefined ? {} : { origin }),
    ...(model === undefined ? {} : { model }),
  }
}

/** What the gate says. Whatever it does not approve of may not be done: a no is told, and what is held waits. */
export const askApproval = async (
  changes: readonly GatedChange[],
  texts: readonly string[],
  about: Pick<RefusedConsolidation, 'kind' | 'names' | 'into'>,
  deps: DisposeDeps,
  run: ConsolidationRun,
): Promise<Result<Disposition>> => {
  const disposed = await disposeChanges(deps.gate, changes, texts)
  if (!disposed.ok) return disposed
  const { verdict, reason, origin } = disposed.value
  if (verdict === 'approved') return disposed
  const pendingIds = new Map<GatedChange, string>()
  if (verdict === 'rejected') run.refused.push({ ...about, why: reason })
  else {
    for (const change of deps.dryRun ? [] : changes) {
      const { proposal, current } = change
      const kept = await deps.pending?.hold({
        proposals: [proposal],
        base: current?.version ?? null,
        reason,
        origin,
        model: deps.model?.(),
      })
      if (kept?.ok) pendingIds.set(change, kept.value.id)
      else if (kept) run.problems.push(kept.error)
    }
    run.held.push({ names: about.names, into: about.into, why: reason, pendingIds: [...pendingIds.values()] })
  }
  if (!deps.dryRun) {
    const told = verdict === 'held' ? ({ verdict: 'held', reason } as const) : ({ verdict: 'rejected', reason } as const)
    const records = changes.map((change): JournalRecordInput => {
      const pendingId = pendingIds.get(change)
      return { ...toRecord(change, disposed.value, deps), ...told, ...(pendingId === undefined ? {} : { pendingId }) }
    })
    await tell(records, deps, run)
  }
  return disposed
}
