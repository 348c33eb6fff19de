/**
 * Carries a plan out: states in one write, then the archive in batches, each of which moves its folders first and says so after. What is
 * reported is durable; what another process used or pinned meanwhile stays or comes back.
 */
import { ok, type Result } from '../../shared/result.ts'
import type { UsageRecord } from '../../usage/usage-record.ts'
import { archiveBatch } from '../archive/archive-batch.ts'
import { type Applied, type ApplyDeps, isStill, toTransition } from './applying.ts'
import type { CuratorPlan, PlannedRepair, PlannedTransition } from './plan-transitions.ts'

/** Few enough that little is unsaid should the process die, many enough that the sidecar is written seldom. */
const ARCHIVES_AT_ONCE = 100

/** A skill that was restored, put away or made anew meanwhile is where its record says. */
const isSameRecord = (planned: UsageRecord | undefined, current: UsageRecord): boolean =>
  planned !== undefined &&
  planned.state === current.state &&
  planned.restoredAt === current.restoredAt &&
  planned.createdAt === current.createdAt &&
  planned.lastActivityAt === current.lastActivityAt

const changeStates = async (
  planned: readonly PlannedTransition[],
  repairs: readonly PlannedRepair[],
  deps: ApplyDeps,
  applied: Applied,
): Promise<Result<void>> => {
  const byName = new Map(planned.map((transition) => [transition.name, transition]))
  const repairOf = new Map(repairs.map((repair) => [repair.name, repair]))
  const states = new Map([...planned.map(({ name, to }) => [name, to] as const), ...repairs.map(({ name, to }) => [name, to] as const)])
  if (states.size === 0) return ok(undefined)
  const written = await deps.usage.setStates(states, (name, current) => {
    const transition = byName.get(name)
    return transition ? isStill(transition, current, deps.context) : isSameRecord(repairOf.get(name)?.record, current)
  })
  if (!written.ok) return written
  for (const name of written.value.changed.keys()) {
    const transition = byName.get(name)
    if (transition) applied.transitioned.push(toTransition(transition))
    else applied.repaired.push(name)
  }
  for (const name of written.value.left.keys()) applied.skipped.push({ name, reason: 'changed-meanwhile' })
  return ok(undefined)
}

/** The first failure of the storage ends it; `applied` then holds what was done until then. */
export const applyTransitions = async (plan: CuratorPlan, deps: ApplyDeps, applied: Applied): Promise<Result<void>> => {
  const archives = plan.transitions.filter(({ to }) => to === 'archived')
  const total = plan.transitions.length + plan.repairs.length
  const report = (left: number) => deps.onProgress?.({ done: total - left, total })
  const keepPlace = deps.keepPlace ?? (async () => ok(undefined))
  const kept = await keepPlace()
  if (!kept.ok) return kept
  const changed = await changeStates(
    plan.transitions.filter(({ to }) => to !== 'archived'),
    plan.repairs,
    deps,
    applied,
  )
  if (!changed.ok) return changed
  report(archives.length)
  if (archives.length === 0) return ok(undefined)
  const archive = await deps.skills.archiver()
  if (!archive.ok) return archive
  for (let start = 0; start < archives.length; start += ARCHIVES_AT_ONCE) {
    if (deps.signal?.aborted) {
      applied.aborted = true
      return ok(undefined)
    }
    const stillKept = await keepPlace()
    if (!stillKept.ok) return stillKept
    const batched = await archiveBatch(archives.slice(start, start + ARCHIVES_AT_ONCE), deps, applied, archive.value)
    if (!batched.ok) return batched
    report(Math.max(0, archives.length - start - ARCHIVES_AT_ONCE))
  }
  return ok(undefined)
}
