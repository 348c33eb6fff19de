/**
 * Decides which skills that a model removed live on in another one: first by declarations, then by the claims in its answer, then by the
 * tool calls (reference skills-curator 14). Pure.
 */
import { declaredSuccessors, findAbsorber, type SkillToolCall, skillCalls } from './reconcile-calls.ts'
import { type ClaimedMerge, type ClaimedPlan, readClaimedPlan } from './reconcile-words.ts'

export interface MergeEvidence {
  /** Names of the skills before and after. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly toolCalls: readonly SkillToolCall[]
  /** The model's final message. */
  readonly answer: string
}

interface ConsolidatedSkill {
  readonly name: string
  readonly into: string
  readonly reason: string
  readonly source: 'declared' | 'model' | 'model+audit' | 'audit-missing-umbrella' | 'audit-omitted'
}

interface PrunedSkill {
  readonly name: string
  readonly reason: string
  readonly source: 'declared-prune' | 'model' | 'fallback-missing-umbrella' | 'no-evidence'
}

export interface Reconciliation {
  readonly removed: readonly string[]
  readonly added: readonly string[]
  readonly claimed: ClaimedPlan
  readonly consolidated: readonly ConsolidatedSkill[]
  readonly pruned: readonly PrunedSkill[]
}

interface Facts {
  readonly declared: ReadonlyMap<string, string>
  readonly merges: ReadonlyMap<string, Omit<ClaimedMerge, 'from'>>
  readonly prunings: ReadonlyMap<string, string>
  readonly absorberOf: (name: string) => string | undefined
  readonly isThere: (name: string) => boolean
}

type Judged = ConsolidatedSkill | PrunedSkill

const judge = (name: string, { declared, merges, prunings, absorberOf, isThere }: Facts): Judged => {
  const successor = declared.get(name)
  const merge = merges.get(name)
  if (successor && isThere(successor)) {
    return { name, into: successor, source: 'declared', reason: merge?.into === successor ? merge.reason : '' }
  }
  if (successor === '') return { name, source: 'declared-prune', reason: prunings.get(name) ?? '' }
  const absorber = absorberOf(name)
  if (merge && isThere(merge.into)) {
    return { name, into: merge.into, source: absorber === merge.into ? 'model+audit' : 'model', reason: merge.reason }
  }
  if (merge) {
    return absorber
      ? { name, into: absorber, source: 'audit-missing-umbrella', reason: '' }
      : { name, source: 'fallback-missing-umbrella', reason: '' }
  }
  if (absorber) return { name, into: absorber, source: 'audit-omitted', reason: '' }
  const reason = prunings.get(name)
  return reason === undefined ? { name, source: 'no-evidence', reason: '' } : { name, source: 'model', reason }
}

const isConsolidated = (judged: Judged): judged is ConsolidatedSkill => 'into' in judged
const isPruned = (judged: Judged): judged is PrunedSkill => !isConsolidated(judged)

/** Sorted by name. A skill that still exists is in neither list, whatever was claimed. */
export const reconcile = ({ before, after, toolCalls, answer }: MergeEvidence): Reconciliation => {
  const there = new Set(after)
  const known = new Set(before)
  const claimed = readClaimedPlan(answer)
  const calls = skillCalls(toolCalls)
  const isThere = (name: string): boolean => there.has(name)
  const facts: Facts = {
    declared: declaredSuccessors(calls),
    merges: new Map(claimed.consolidations.map(({ from, into, reason }) => [from, { into, reason }])),
    prunings: new Map(claimed.prunings.map(({ name, reason }) => [name, reason])),
    absorberOf: (name) => findAbsorber(calls, name, isThere),
    isThere,
  }
  const removed = [...known].filter((name) => !there.has(name)).sort()
  const judged = removed.map((name) => judge(name, facts))
  return {
    removed,
    added: [...there].filter((name) => !known.has(name)).sort(),
    claimed,
    consolidated: judged.filter(isConsolidated),
    pruned: judged.filter(isPruned),
  }
}
