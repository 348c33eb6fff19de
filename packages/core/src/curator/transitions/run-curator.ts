/**
 * One deterministic pass over the library: decides about every skill, then carries out the plan (seed 000, reference skills-curator 10).
 */
import { readOwnershipMarks } from '../../ownership/ownership-marks.ts'
import type { SkillHome } from '../../ownership/skill-home.ts'
import { callSafely } from '../../shared/call-safely.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { byName, type CuratorReport } from '../report/curator-report.ts'
import { checkNoRollback } from '../rollback/rollback-state.ts'
import { readActiveDays } from './active-days.ts'
import { type Ageing, type AgeingOptions, checkAgeing } from './ageing-options.ts'
import { type Applied, applyTransitions, type CuratorProgress, nothingApplied } from './apply-transitions.ts'
import { type CuratorPlan, changesSomething, type Library, planTransitions } from './plan-transitions.ts'

export interface RunCuratorOptions extends AgeingOptions, Pick<SkillHome, 'storage' | 'clock'> {
  readonly skills: Pick<SkillHome['skills'], 'list' | 'archiver' | 'restore' | 'listArchived'>
  readonly usage: Pick<SkillHome['usage'], 'load' | 'setStates'>
  /** Reports what would be done and changes nothing. */
  readonly dryRun?: boolean
  /** For a forecast with a later `clock`: the present, up to which reasons count the days. Epoch milliseconds; default: the time of the run. */
  readonly toldAt?: number | undefined
  /** Aborting ends the run between two batches; changes made until then remain. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CuratorProgress) => void) | undefined
  /** Called before each batch of changes: renews the run's lease. Its error, `locked` if the lease is lost, ends the run. */
  readonly keepPlace?: (() => Promise<Result<unknown>>) | undefined
  /** Called with a plan that changes something, before the first change: takes a backup. Its error ends the run with nothing done. */
  readonly beforeChanges?: ((plan: CuratorPlan) => Promise<Result<unknown>>) | undefined
}

const readLibrary = async (
  { skills, usage, storage, toldAt }: RunCuratorOptions,
  ageing: Ageing,
  now: number,
): Promise<Result<Library>> => {
  const marks = await readOwnershipMarks(storage, { clock: () => now })
  if (!marks.ok) return marks
  // Read before the skills: a skill created in between has no record here and is skipped.
  const records = await usage.load()
  if (!records.ok) return records
  const activeDays = ageing.countBy === 'active-days' ? await readActiveDays(storage) : ok([])
  if (!activeDays.ok) return activeDays
  // At once, so that both come from one listing.
  const [archived, listing] = await Promise.all([skills.listArchived(), skills.list()])
  if (!archived.ok) return archived
  if (!listing.ok) return listing
  return ok({
    marks: marks.value,
    records: records.value,
    activeDays: activeDays.value,
    archived: archived.value.entries,
    listing: listing.value,
    ageing,
    now,
    toldAt,
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
    `The curator stopped after ${report.transitioned.length} transitions: ${error.message} What it reports as done is done; the next run continues.`,
    { cause: error, details: { ...error.details, report } },
  )

/** The report in an error's details: what was done before the run failed; `undefined` if nothing was. */
export const reportOf = ({ details }: HermesError): CuratorReport | undefined => {
  const report = details['report']
  const isReport = (value: unknown): value is CuratorReport => typeof value === 'object' && value !== null && 'transitioned' in value
  return isReport(report) ? report : undefined
}

/**
 * Changes only skills of the agent or granted by a person, and never a pinned one. Fails closed: `unreadable` marks or records end it
 * before any change; a failed save ends it with an error whose `details.report` says what was done until then. Takes one listing, one
 * read and one write of the sidecar, and one of each for every hundred archived skills.
 */
export const runTransitions = async (options: RunCuratorOptions): Promise<Result<CuratorReport>> => {
  const { clock, dryRun = false, beforeChanges, onProgress, signal } = options
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

/** Runs the transitions outside of a whole run: `locked` while a rollback is unfinished. */
export const runCurator = async (options: RunCuratorOptions): Promise<Result<CuratorReport>> => {
  const settled = await checkNoRollback(options.storage)
  return settled.ok ? runTransitions(options) : settled
}
