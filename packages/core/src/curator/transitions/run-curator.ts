/** One deterministic pass over the library: decides about every skill, then carries it out (seed 000, reference skills-curator 10). */
import { readOwnershipMarks } from '../../ownership/ownership-marks.ts'
import { callSafely } from '../../shared/call-safely.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageStore } from '../../usage/usage-store.ts'
import { byName, type CuratorReport } from '../report/curator-report.ts'
import { checkNoRollback } from '../rollback/rollback-state.ts'
import { readActiveDays } from './active-days.ts'
import { type Ageing, type AgeingOptions, checkAgeing } from './ageing-options.ts'
import { type Applied, applyTransitions, type CuratorProgress, nothingApplied } from './apply-transitions.ts'
import { type CuratorPlan, changesSomething, type Library, planTransitions } from './plan-transitions.ts'

export interface RunCuratorOptions extends AgeingOptions {
  readonly skills: Pick<SkillStore, 'list' | 'archiver' | 'restore' | 'listArchived'>
  readonly usage: Pick<UsageStore, 'load' | 'setStates'>
  /** The one that holds the skills: what is bundled, from a hub or handed over is read from it. */
  readonly storage: StorageBackend
  /** The one that the usage was counted by. Default: the machine's time. */
  readonly clock?: Clock
  /** Only reports what would be done. */
  readonly dryRun?: boolean
  /** Ends the run between two batches; what was done until then stays done. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CuratorProgress) => void) | undefined
  /** Asked before each batch of changes, however often that is: keeps the run's place among others. Its error, `locked` where the place is lost, ends the run. */
  readonly keepPlace?: (() => Promise<Result<unknown>>) | undefined
  /** Called with a plan that changes something, before anything is done: a backup. Its failure ends the run with nothing done. */
  readonly beforeChanges?: ((plan: CuratorPlan) => Promise<Result<unknown>>) | undefined
}

const readLibrary = async ({ skills, usage, storage }: RunCuratorOptions, ageing: Ageing, now: number): Promise<Result<Library>> => {
  const marks = await readOwnershipMarks(storage, { clock: () => now })
  if (!marks.ok) return marks
  // Before the skills: what is created in between then has no record here and is left alone.
  const records = await usage.load()
  if (!records.ok) return records
  const activeDays = ageing.countBy === 'active-days' ? await readActiveDays(storage) : ok([])
  if (!activeDays.ok) return activeDays
  const archived = await skills.listArchived()
  if (!archived.ok) return archived
  const listing = await skills.list()
  if (!listing.ok) return listing
  return ok({
    marks: marks.value,
    records: records.value,
    activeDays: activeDays.value,
    archived: archived.value.entries,
    listing: listing.value,
    ageing,
    now,
  })
}

const toReport = (plan: CuratorPlan, applied: Applied, { now }: Library, finishedAt: number, dryRun: boolean): CuratorReport => ({
  checkedAt: now,
  finishedAt,
  dryRun,
  transitioned: applied.transitioned.toSorted(byName),
  skipped: [...plan.skipped, ...applied.skipped].sort(byName),
  repaired: applied.repaired.toSorted(),
  warnings: [...plan.warnings, ...applied.warnings],
  aborted: applied.aborted,
})

const failedWith = (error: HermesError, report: CuratorReport): HermesError =>
  new HermesError(
    error.code,
    `The curator stopped after ${report.transitioned.length} transitions: ${error.message} What it reports as done is done; the next run carries on.`,
    { cause: error, details: { ...error.details, report } },
  )

/** What was done before a run failed; `undefined` for an error from before it did anything. */
export const reportOf = ({ details }: HermesError): CuratorReport | undefined => {
  const report = details['report']
  const isReport = (value: unknown): value is CuratorReport => typeof value === 'object' && value !== null && 'transitioned' in value
  return isReport(report) ? report : undefined
}

/**
 * Only skills of the agent, or handed over by a person, and never a pinned one. Fails closed: `unreadable` marks or records
 * stop it before anything is done; a failed save ends it with an error whose `details.report` holds what
 * was done until then. One listing; one read and one write of the sidecar, and one of each for every hundred archived skills.
 */
export const runTransitions = async (options: RunCuratorOptions): Promise<Result<CuratorReport>> => {
  const { clock = systemClock, dryRun = false, beforeChanges, onProgress, signal } = options
  const ageing = checkAgeing(options)
  if (!ageing.ok) return ageing
  const now = clock()
  const library = await readLibrary(options, ageing.value, now)
  if (!library.ok) return library
  const plan = planTransitions(library.value)
  const applied = nothingApplied()
  if (dryRun) {
    applied.transitioned.push(...plan.transitions.map(({ name, from, to, reason }) => ({ name, from, to, reason })))
    applied.repaired.push(...plan.repairs.map(({ name }) => name))
  } else if (changesSomething(plan)) {
    const prepared = (await beforeChanges?.(plan)) ?? ok(undefined)
    if (!prepared.ok) return prepared
    const done = await applyTransitions(
      plan,
      {
        skills: options.skills,
        usage: options.usage,
        storage: options.storage,
        context: library.value,
        signal,
        keepPlace: options.keepPlace,
        onProgress: onProgress && ((progress) => callSafely(onProgress, progress)),
      },
      applied,
    )
    if (!done.ok) return err(failedWith(done.error, toReport(plan, applied, library.value, clock(), dryRun)))
  }
  return ok(toReport(plan, applied, library.value, clock(), dryRun))
}

/** The same by itself, outside of a whole run: `locked` while a rollback is unfinished. */
export const runCurator = async (options: RunCuratorOptions): Promise<Result<CuratorReport>> => {
  const settled = await checkNoRollback(options.storage)
  return settled.ok ? runTransitions(options) : settled
}
