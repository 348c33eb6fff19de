/** From a plan to facts: loads what is concerned, asks the gate, and merges; what is refused or held on the way moves nothing. */
import { ok, type Result } from '../../shared/result.ts'
import { sha256Of } from '../../shared/sha256.ts'
import { SKILL_FILE } from '../../skills/skill-discovery.ts'
import { isAboutThePlan, loadAndPrepare } from '../plan/load.ts'
import type { PlannedPruning, PlannedUmbrella } from '../plan/rules.ts'
import type { ConsolidationRun } from '../run.ts'
import { archiveSources } from './archive.ts'
import { type CarryOutDeps, commitUmbrella, prepareRun } from './commit.ts'
import { askApproval, tell, toRecord } from './dispose.ts'
import { textsBehind, toPruningChange, toUmbrellaChanges } from './gate.ts'
import { keepWaiting } from './waiting.ts'

/** An error ends the whole pass: the storage, the gate, the lease or the backup failed. */
export const carryOutUmbrella = async (plan: PlannedUmbrella, deps: CarryOutDeps, run: ConsolidationRun): Promise<Result<void>> => {
  const about = { kind: 'consolidation', names: plan.sources.map(({ skill }) => skill.name), into: plan.name } as const
  const prepared = await loadAndPrepare(plan, deps.storage)
  if (!prepared.ok) {
    if (!isAboutThePlan(prepared.error)) return prepared
    run.refused.push({ ...about, why: prepared.error.message })
    return ok(undefined)
  }
  const changes = toUmbrellaChanges(prepared.value)
  const asked = await askApproval(changes, textsBehind(prepared.value), about, deps, run)
  if (!asked.ok) return asked
  if (asked.value.verdict === 'approved') return commitUmbrella(prepared.value, changes, asked.value, deps, run)
  if (asked.value.verdict === 'held' && !deps.dryRun) {
    const kept = await keepWaiting(deps.storage, plan, prepared.value.before?.text, deps.clock())
    if (!kept.ok) run.problems.push(kept.error)
  }
  return ok(undefined)
}

/** The same for a skill that goes without its content going anywhere. */
export const carryOutPruning = async (plan: PlannedPruning, deps: CarryOutDeps, run: ConsolidationRun): Promise<Result<void>> => {
  const { skill, reason } = plan
  const about = { kind: 'pruning', names: [skill.name], into: undefined } as const
  const change = toPruningChange(plan)
  const asked = await askApproval([change], [skill.text], about, deps, run)
  if (!asked.ok) return asked
  if (asked.value.verdict !== 'approved') return ok(undefined)
  if (deps.dryRun) {
    run.pruned.push({ name: skill.name, reason, archivedAs: undefined })
    return ok(undefined)
  }
  const ready = await prepareRun([skill], undefined, deps)
  if (!ready.ok) return ready
  const moved = await archiveSources(
    [{ name: skill.name, path: skill.path, reason, files: [{ path: SKILL_FILE, sha256: await sha256Of(skill.bytes) }] }],
    undefined,
    deps,
  )
  if (!moved.ok) return moved
  const entry = moved.value.archived.get(skill.name)
  if (!entry) {
    run.refused.push({ ...about, why: moved.value.kept.get(skill.name) ?? '' })
    return ok(undefined)
  }
  run.pruned.push({ name: skill.name, reason, archivedAs: entry.id })
  await tell([{ ...toRecord(change, asked.value, deps), verdict: 'applied', reason: asked.value.reason }], deps, run)
  return ok(undefined)
}
