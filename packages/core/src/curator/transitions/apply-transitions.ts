/**
 * Carries out a plan: states in one write, then the archive in batches, each of which moves folders first and records it after. The
 * report lists only stored changes; a skill that another process uses or pins meanwhile stays or is moved back.
 */
import type { SkillHome } from '../../ownership/skill-home.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { concernsOneSkill } from '../../skills/archive.ts'
import type { SkillArchiver } from '../../skills/archive-skill.ts'
import type { UsageRecord } from '../../usage/usage-record.ts'
import type { SkillTransition, SkippedSkill, SkipReason } from '../report/curator-report.ts'
import { checkNoRollback } from '../rollback/rollback-state.ts'
import { type JudgingContext, judgeSkill } from './judge-skill.ts'
import type { CuratorPlan, PlannedRepair, PlannedTransition } from './plan-transitions.ts'

interface ApplyDeps extends Pick<SkillHome, 'storage'> {
  readonly skills: Pick<SkillHome['skills'], 'archiver' | 'restore'>
  readonly usage: Pick<SkillHome['usage'], 'load' | 'setStates'>
  readonly context: JudgingContext
  readonly signal?: AbortSignal | undefined
  /** Called before each batch; its error ends the run. */
  readonly keepPlace?: (() => Promise<Result<unknown>>) | undefined
  /** Called after each step; `done` of `total` are settled. */
  readonly onProgress?: ((progress: CuratorProgress) => void) | undefined
}

export interface CuratorProgress {
  readonly done: number
  readonly total: number
}

/** Filled as the plan is carried out, so that a failure half-way still reports what was done. */
export interface Applied {
  readonly transitioned: SkillTransition[]
  readonly skipped: SkippedSkill[]
  readonly repaired: string[]
  readonly warnings: string[]
  aborted: boolean
}

export const nothingApplied = (): Applied => ({ transitioned: [], skipped: [], repaired: [], warnings: [], aborted: false })

const toTransition = ({ name, from, to, reason }: PlannedTransition, archivedAs?: string): SkillTransition => ({
  name,
  from,
  to,
  reason,
  ...(archivedAs === undefined ? {} : { archivedAs }),
})

/** Judges again, with the present record. */
const isStill = ({ skill, from, to }: PlannedTransition, record: UsageRecord | undefined, context: JudgingContext): boolean => {
  const verdict = judgeSkill(skill, record, context)
  return verdict.move && verdict.from === from && verdict.to === to
}

const toSkipReason = ({ code }: HermesError): SkipReason => (code === 'not_found' ? 'changed-meanwhile' : 'archive-failed')

/** The skill was used or pinned between the move and the record: moves it back. */
const restoreUsedSkill = async (name: string, archivedAs: string, { skills }: ApplyDeps, applied: Applied): Promise<void> => {
  applied.skipped.push({ name, reason: 'changed-meanwhile' })
  const restored = await skills.restore(archivedAs)
  if (!restored.ok) {
    applied.warnings.push(`The skill '${name}' was used during the run but is archived as '${archivedAs}': ${restored.error.message}`)
  }
}

type Moved = Map<string, { readonly transition: PlannedTransition; readonly archivedAs: string }>

/** Fills `moved` and `applied.skipped`. A storage error ends it, after all moves have finished. */
const moveToArchive = async (
  batch: readonly PlannedTransition[],
  deps: ApplyDeps,
  applied: Applied,
  archive: SkillArchiver,
  moved: Moved,
): Promise<Result<void>> => {
  const settled = await checkNoRollback(deps.storage)
  if (!settled.ok) return settled
  const records = await deps.usage.load()
  if (!records.ok) return records
  const due = batch.filter((transition) => {
    const isDue = isStill(transition, records.value.get(transition.name), deps.context)
    if (!isDue) applied.skipped.push({ name: transition.name, reason: 'changed-meanwhile' })
    return isDue
  })
  const outcomes = await archive(due.map(({ skill, reason }) => ({ skill, reason, at: deps.context.now })))
  let failure: HermesError | undefined
  for (const [index, transition] of due.entries()) {
    const archived = outcomes[index]
    if (archived?.ok) moved.set(transition.name, { transition, archivedAs: archived.value.id })
    else if (archived && concernsOneSkill(archived.error))
      applied.skipped.push({ name: transition.name, reason: toSkipReason(archived.error), detail: archived.error.message })
    else failure ??= archived?.error
  }
  return failure ? err(failure) : ok(undefined)
}

/** Records every move, even if a later one failed. */
const archiveBatch = async (
  batch: readonly PlannedTransition[],
  deps: ApplyDeps,
  applied: Applied,
  archive: SkillArchiver,
): Promise<Result<void>> => {
  const moved: Moved = new Map()
  const outcome = await moveToArchive(batch, deps, applied, archive, moved)
  if (moved.size === 0) return outcome
  const states = new Map([...moved.keys()].map((name) => [name, 'archived'] as const))
  const written = await deps.usage.setStates(states, (name, current) => {
    const found = moved.get(name)
    return found !== undefined && isStill(found.transition, current, deps.context)
  })
  if (!written.ok) return written
  for (const [name, { transition, archivedAs }] of moved) {
    // A concurrent run may have found it in the archive and recorded it first.
    const isRecorded = written.value.changed.has(name) || written.value.left.get(name)?.state === 'archived'
    if (isRecorded) applied.transitioned.push(toTransition(transition, archivedAs))
    else await restoreUsedSkill(name, archivedAs, deps, applied)
  }
  return outcome
}

/** A crash leaves at most this many moves unrecorded; larger batches write the sidecar less often. */
const ARCHIVES_AT_ONCE = 100

/** If the skill was restored, archived or created anew meanwhile, its record is already right. */
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

/** The first storage error ends it; `applied` then holds what was done until then. */
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
