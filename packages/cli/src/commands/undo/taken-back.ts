/** Finds the decisions that an undo took back, so that undoing the undo decides the proposals again. Pure. */
import type { JournalRecord } from '@hermes/core'
import { summariseOp } from '../journal/describe-op.ts'
import type { UndoStep } from './undo-step.ts'

export const DECIDERS: ReadonlySet<JournalRecord['actor']> = new Set(['person', 'host'])

type Decide = Extract<UndoStep, { readonly kind: 'decide' }>

/** One for each proposal that `writes` let wait again: all records of an undo have one time. `records`: oldest first. */
export const decisionsTakenBack = (writes: readonly JournalRecord[], records: readonly JournalRecord[]): readonly Decide[] => {
  const [first] = writes
  if (!first || first.pendingId !== undefined || !DECIDERS.has(first.actor)) return []
  const decisions = new Map<string, Decide>()
  for (const [index, { at, actor, kind, pendingId: id, op, target }] of records.entries()) {
    if (kind !== 'held' || at !== first.at || actor !== first.actor || id === undefined || decisions.has(id)) continue
    const before = records.slice(0, index).findLast((record) => record.pendingId === id && record.kind !== 'held')
    if (!before || !op || (before.kind !== 'applied' && before.kind !== 'rejected')) continue
    const verb = before.kind === 'applied' ? 'approve' : 'reject'
    decisions.set(id, { kind: 'decide', id, verb, what: summariseOp(op, target) })
  }
  return [...decisions.values()]
}
