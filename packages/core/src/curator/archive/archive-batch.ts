/** A batch of skills into the archive: the folders first, then one write that says so. What was used or pinned meanwhile comes back. */
import type { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { SkillArchiver } from '../../skills/archive/skill-archiver.ts'
import type { SkipReason } from '../report/curator-report.ts'
import { checkNoRollback } from '../rollback/rollback-state.ts'
import { type Applied, type ApplyDeps, isStill, toTransition } from '../transitions/applying.ts'
import type { PlannedTransition } from '../transitions/plan-transitions.ts'

/** So that one move's wait for the disk is another one's work. */
const MOVES_AT_ONCE = 8

/** Of one skill alone; any other failure is the storage's, and ends the run. */
const OWN_FAILURES: readonly HermesError['code'][] = ['not_found', 'occupied', 'invalid_path', 'ambiguous', 'unreadable', 'invalid']

const toSkipReason = ({ code }: HermesError): SkipReason => (code === 'not_found' ? 'changed-meanwhile' : 'archive-failed')

/** Used or pinned between the move and the record: it goes back to where it was. */
const bringBack = async (name: string, archivedAs: string, { skills }: ApplyDeps, applied: Applied): Promise<void> => {
  applied.skipped.push({ name, reason: 'changed-meanwhile' })
  const restored = await skills.restore(archivedAs)
  if (!restored.ok) {
    applied.warnings.push(
      `The skill '${name}' was used during the run but lies in the archive as '${archivedAs}': ${restored.error.message}`,
    )
  }
}

type Moved = Map<string, { readonly transition: PlannedTransition; readonly archivedAs: string }>

/** Fills `moved` and `applied.skipped`; answers the failure of the storage, if any. */
const moveOne = async (
  transition: PlannedTransition,
  deps: ApplyDeps,
  applied: Applied,
  archive: SkillArchiver,
  moved: Moved,
): Promise<HermesError | undefined> => {
  const { name, skill, reason } = transition
  const archived = await archive(skill, { reason, at: deps.context.now })
  if (archived.ok) {
    moved.set(name, { transition, archivedAs: archived.value.id })
    return undefined
  }
  if (!OWN_FAILURES.includes(archived.error.code)) return archived.error
  applied.skipped.push({ name, reason: toSkipReason(archived.error), detail: archived.error.message })
  return undefined
}

/** A failure of the storage ends it, after what was under way beside it. */
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
  for (let start = 0; start < due.length; start += MOVES_AT_ONCE) {
    const moves = due.slice(start, start + MOVES_AT_ONCE).map((transition) => moveOne(transition, deps, applied, archive, moved))
    const [failure] = (await Promise.all(moves)).filter((error) => error !== undefined)
    if (failure) return err(failure)
  }
  return ok(undefined)
}

/** What was moved is recorded whatever happened after it. */
export const archiveBatch = async (
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
    // A run beside this one may have found it in the archive and said so first.
    const isRecorded = written.value.changed.has(name) || written.value.left.get(name)?.state === 'archived'
    if (isRecorded) applied.transitioned.push(toTransition(transition, archivedAs))
    else await bringBack(name, archivedAs, deps, applied)
  }
  return outcome
}
