/**
 * A whole curator run: lease → time stamp → backup and transitions → journal → consolidation → report → state (reference skills-curator
 * 12).
 */
import type { Journal, JournalRecordInput } from '../journal/journal.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { formatPythonTime } from '../usage/python-time.ts'
import type { RunBackup } from './backup/back-up-run.ts'
import type { Consolidate, ConsolidationNote } from './consolidation-step.ts'
import type { CuratorRun } from './curator-event.ts'
import type { CuratorReport } from './report/curator-report.ts'
import { summariseReport } from './report/report-text.ts'
import { writeCuratorReport } from './report/write-report.ts'
import { checkNoRollback } from './rollback/rollback-state.ts'
import { beginRun, endRun } from './run-journal/run-journal.ts'
import { type RecoveredRun, recoverRuns } from './run-journal/run-journal-recover.ts'
import {
  CURATOR_LEASE_MS,
  keepCuratorLease,
  type LeaseOptions,
  releaseCuratorLease,
  renewCuratorLease,
  takeCuratorLease,
} from './schedule/curator-lease.ts'
import { updateCuratorState } from './schedule/curator-state.ts'
import type { CuratorState } from './schedule/curator-state-document.ts'
import type { CuratorPlan } from './transitions/plan-transitions.ts'
import { type RunCuratorOptions, reportOf, runTransitions } from './transitions/run-curator.ts'

export interface CurateOptions extends Omit<RunCuratorOptions, 'beforeChanges' | 'keepPlace' | 'dryRun'> {
  /**
   * Takes the backup: called once before the first change of the run, and never if nothing changes. `plan` is `undefined` if a
   * consolidation makes the first change. If it fails, the run ends with nothing changed; its id goes into the report.
   */
  readonly beforeChanges?: ((plan: CuratorPlan | undefined) => Promise<Result<RunBackup | undefined>>) | undefined
  /** Merges skills after the transitions. Default: no merging. */
  readonly consolidate?: Consolidate | undefined
  /** Receives a record of every transition. Default: none. */
  readonly journal?: Pick<Journal, 'append'> | undefined
  /** Must be unique for each run, such as a random UUID: at most 100 letters, digits, `.`, `_` and `-`. */
  readonly createId: () => string
  /** Called with the state inside the update that stamps the run; `false` ends the run with nothing done. Pure. */
  readonly mayStart?: ((state: CuratorState) => boolean) | undefined
}

const toJournalRecord = ({ name, from, to, reason }: CuratorReport['transitioned'][number]): JournalRecordInput => ({
  actor: 'curator',
  kind: 'applied',
  target: 'skill',
  reason: `The skill '${name}' went from ${from} to ${to}. ${reason}`,
  ...(to === 'archived' ? { op: { action: 'archive', name } } : {}),
})

const describeRecovered = ({ startedAt, done, repaired, open, gone }: RecoveredRun): string =>
  `The run of ${formatPythonTime(startedAt)} was interrupted: ${done.length} of its transitions were done, ${repaired.length} are completed now, ${open.length} are decided again, ${gone.length} of its skills no longer exist.`

/** Takes the backup and opens the run's journal: before the first change, once per run. */
const openChanges = ({ storage, beforeChanges }: CurateOptions, runId: string, startedAt: number, problems: HermesError[]) => {
  let opened: Promise<Result<unknown>> | undefined
  let backupId: string | undefined
  const open = async (plan: CuratorPlan | undefined): Promise<Result<unknown>> => {
    const backup = (await beforeChanges?.(plan)) ?? ok(undefined)
    if (!backup.ok) return backup
    backupId = backup.value?.id
    problems.push(...(backup.value?.problems ?? []))
    const planned = (plan?.transitions ?? []).map(({ name, skill, from, to }) => ({ name, path: skill.path, from, to }))
    return beginRun(storage, { runId, startedAt, planned, ...(backupId === undefined ? {} : { backupId }) })
  }
  return {
    before: (plan?: CuratorPlan): Promise<Result<unknown>> => {
      opened ??= open(plan)
      return opened
    },
    backupId: () => backupId,
    end: (): Promise<Result<void>> => (opened === undefined ? Promise.resolve(ok(undefined)) : endRun(storage, runId)),
  }
}

const toSummary = (report: CuratorReport | undefined, note: ConsolidationNote | undefined, error: HermesError | undefined): string =>
  [
    report ? summariseReport(report) : 'auto: not done',
    ...(note ? [note.summary] : []),
    ...(error ? [`failed: ${error.message}`] : []),
  ].join('; ')

const runUnderLease = async (options: CurateOptions, lease: LeaseOptions): Promise<Result<CuratorRun | undefined>> => {
  const { storage, mayStart = () => true, consolidate, signal, journal } = options
  const { clock, owner: runId } = lease
  const startedAt = clock()
  const problems: HermesError[] = []
  const note = (result: Result<unknown>): void => {
    if (!result.ok) problems.push(result.error)
  }

  // Saved first: if the state could not be written, a run would be due at every check.
  const stamped = await updateCuratorState(storage, (state) =>
    mayStart(state) ? { lastRunAt: startedAt, runCount: state.runCount + 1, retryAt: startedAt + CURATOR_LEASE_MS } : undefined,
  )
  if (!stamped.ok) return stamped
  if (stamped.value.problem) problems.push(stamped.value.problem)
  if (!stamped.value.changed) return ok(undefined)

  const recovered = await recoverRuns(options)
  if (!recovered.ok) return recovered
  problems.push(...recovered.value.problems)

  const changes = openChanges(options, runId, startedAt, problems)
  const ran = await runTransitions({ ...options, beforeChanges: changes.before, keepPlace: keepCuratorLease(lease) })
  const done = ran.ok ? ran.value : reportOf(ran.error)
  const report = done && { ...done, warnings: [...recovered.value.runs.map(describeRecovered), ...done.warnings] }
  if (report && report.transitioned.length > 0 && journal) note(await journal.append(report.transitioned.map(toJournalRecord)))

  const isWhole = ran.ok && !ran.value.aborted
  const step = { storage, signal, runId, renew: () => renewCuratorLease(lease), beforeChanges: () => changes.before() }
  const merged: Result<ConsolidationNote | undefined> = consolidate && isWhole ? await consolidate(step) : ok(undefined)
  note(await changes.end())
  const consolidated = merged.ok ? merged.value : undefined
  const error = !ran.ok ? ran.error : merged.ok ? consolidated?.failure : merged.error
  const [endedAt, backupId] = [clock(), changes.backupId()]
  const written =
    report &&
    (await writeCuratorReport(storage, {
      startedAt,
      endedAt,
      backupId,
      error: error?.message,
      report,
      consolidation: consolidated?.text,
      extras: consolidated?.extras,
    }))
  if (written) note(written)
  const reportPath = written?.ok ? written.value : undefined
  // Failed or aborted transitions keep their retry time; a failed consolidation waits for the next run because it costs model calls.
  const ended = await updateCuratorState(storage, ({ retryAt, lastReportPath }) => ({
    lastRunDurationSeconds: (endedAt - startedAt) / 1000,
    lastRunSummary: toSummary(report, consolidated, error),
    lastReportPath: reportPath ?? lastReportPath,
    retryAt: isWhole ? undefined : retryAt,
  }))
  note(ended)
  if (!ran.ok) return ran
  if (error) problems.push(error)
  const consolidation = consolidated?.report
  return ok({
    report: report ?? ran.value,
    reportPath,
    backupId,
    recovered: recovered.value.runs,
    problems,
    ...(consolidation ? { consolidation } : {}),
  })
}

/**
 * `undefined` if `mayStart` returned false. `locked` while another run is in progress or a rollback is unfinished; `unreadable` and the
 * other errors of `runCurator` carry `details.report`. A failed consolidation is a problem of an otherwise complete run.
 */
export const curate = async (options: CurateOptions): Promise<Result<CuratorRun | undefined>> => {
  const { storage, clock, createId } = options
  const lease = { storage, clock, owner: createId() }
  const taken = await takeCuratorLease(lease)
  let released: Result<void> = ok(undefined)
  let outcome: Result<CuratorRun | undefined>
  try {
    // Checked under the lease, which a rollback takes too: after this check none begins unless a person forces it.
    const settled = await checkNoRollback(storage)
    outcome = !settled.ok ? settled : taken.ok ? await runUnderLease(options, lease) : taken
  } finally {
    if (taken.ok) released = await releaseCuratorLease(lease)
  }
  if (released.ok || !outcome.ok || !outcome.value) return outcome
  return ok({ ...outcome.value, problems: [...outcome.value.problems, released.error] })
}
