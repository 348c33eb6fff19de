/**
 * A whole curator run: lease → stamp → backup and transitions → journal → consolidation → report → state (reference skills-curator 12).
 * What a schedule and a person's command call; `runCurator` alone only decides and moves.
 */
import type { JournalRecordInput } from '../journal/journal.ts'
import { systemClock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { formatPythonTime } from '../usage/python-time.ts'
import type { ConsolidationNote, CurateOptions, CurateResult } from './curate-options.ts'
import type { CuratorReport } from './report/curator-report.ts'
import { summariseReport } from './report/report-text.ts'
import { writeCuratorReport } from './report/write-report.ts'
import { checkNoRollback } from './rollback/rollback-state.ts'
import { openChanges } from './run-changes.ts'
import { type RecoveredRun, recoverRuns } from './run-journal/run-journal-recover.ts'
import {
  DEFAULT_CURATOR_LEASE_MS,
  keepCuratorLease,
  type LeaseOptions,
  releaseCuratorLease,
  renewCuratorLease,
  takeCuratorLease,
} from './schedule/curator-lease.ts'
import { type CuratorStateChanged, updateCuratorState } from './schedule/curator-state.ts'
import { reportOf, runCurator } from './transitions/run-curator.ts'

const toJournalRecord = ({ name, from, to, reason }: CuratorReport['transitioned'][number]): JournalRecordInput => ({
  actor: 'curator',
  verdict: 'applied',
  target: 'skill',
  reason: `The skill '${name}' went from ${from} to ${to}. ${reason}`,
  ...(to === 'archived' ? { op: { action: 'archive', name } } : {}),
})

const describeRecovered = ({ startedAt, done, repaired, open, gone }: RecoveredRun): string =>
  `The run of ${formatPythonTime(startedAt)} was interrupted: ${done.length} of its transitions were done, ${repaired.length} are completed now, ${open.length} are decided anew, ${gone.length} of its skills are gone.`

interface Ended {
  readonly startedAt: number
  readonly endedAt: number
  readonly report: CuratorReport | undefined
  readonly note: ConsolidationNote | undefined
  readonly error: HermesError | undefined
  readonly reportPath: string | undefined
}

const toSummary = ({ report, note, error }: Ended): string =>
  [
    report ? summariseReport(report) : 'auto: not done',
    ...(note ? [note.summary] : []),
    ...(error ? [`failed: ${error.message}`] : []),
  ].join('; ')

/** Transitions that failed or were asked to stop keep their time of retry; a failed consolidation waits for the next run, as it costs. */
const stampEnd = (storage: CurateOptions['storage'], ended: Ended, isDone: boolean): Promise<Result<CuratorStateChanged>> =>
  updateCuratorState(storage, ({ retryAt, lastReportPath }) => ({
    lastRunDurationSeconds: (ended.endedAt - ended.startedAt) / 1000,
    lastRunSummary: toSummary(ended),
    lastReportPath: ended.reportPath ?? lastReportPath,
    retryAt: isDone ? undefined : retryAt,
  }))

const runUnderLease = async (options: CurateOptions, lease: LeaseOptions): Promise<Result<CurateResult>> => {
  const { storage, mayStart = () => true, consolidate, signal, journal } = options
  const { clock, leaseMs = DEFAULT_CURATOR_LEASE_MS } = lease
  const startedAt = clock()
  const problems: HermesError[] = []
  const note = (result: Result<unknown>): void => {
    if (!result.ok) problems.push(result.error)
  }

  // Saved before anything is done: a state that cannot be written would fire at every check.
  const stamped = await updateCuratorState(storage, (state) =>
    mayStart(state) ? { lastRunAt: startedAt, runCount: state.runCount + 1, retryAt: startedAt + leaseMs } : undefined,
  )
  if (!stamped.ok) return stamped
  if (stamped.value.problem) problems.push(stamped.value.problem)
  if (!stamped.value.changed) return ok({ started: false })

  const recovered = await recoverRuns(options)
  if (!recovered.ok) return recovered
  problems.push(...recovered.value.problems)

  const changes = openChanges(options, lease.owner, startedAt)
  const ran = await runCurator({ ...options, beforeChanges: changes.before, keepPlace: keepCuratorLease(lease) })
  const done = ran.ok ? ran.value : reportOf(ran.error)
  const report = done && { ...done, warnings: [...recovered.value.runs.map(describeRecovered), ...done.warnings] }
  if (report && report.transitioned.length > 0 && journal) note(await journal.append(report.transitioned.map(toJournalRecord)))

  const isMerging = consolidate && ran.ok && !ran.value.aborted
  const merged = isMerging
    ? await consolidate({
        storage,
        signal,
        runId: lease.owner,
        renew: () => renewCuratorLease(lease),
        beforeChanges: () => changes.before(),
      })
    : undefined
  note(await changes.end())
  const failure = ran.ok ? merged : ran
  const error = failure?.ok === false ? failure.error : merged?.ok ? merged.value.failure : undefined
  const ended = { startedAt, endedAt: clock(), report, note: merged?.ok ? merged.value : undefined, error }
  const facts = { startedAt, endedAt: ended.endedAt, backupId: changes.backupId(), error: error?.message }
  const written = report
    ? await writeCuratorReport(storage, { ...facts, report, consolidation: ended.note?.text, extras: ended.note?.extras })
    : undefined
  if (written) note(written)
  const reportPath = written?.ok ? written.value : undefined
  note(await stampEnd(storage, { ...ended, reportPath }, ran.ok && !ran.value.aborted))
  if (!ran.ok) return ran
  return ok({
    started: true,
    report: report ?? ran.value,
    reportPath,
    backupId: changes.backupId(),
    recovered: recovered.value.runs,
    problems: error ? [...problems, error] : problems,
  })
}

/**
 * `locked` while another run is under way or a rollback is unfinished; `unreadable` and whatever else stops `runCurator`, with
 * `details.report`. A failed consolidation is a problem of a run that was otherwise done. A dry run writes nothing at all.
 */
export const curate = async (options: CurateOptions): Promise<Result<CurateResult>> => {
  const { storage, clock = systemClock, createId, leaseMs, dryRun = false } = options
  const settled = await checkNoRollback(storage)
  if (!settled.ok) return settled
  if (dryRun) {
    const report = await runCurator({ ...options, beforeChanges: undefined })
    return report.ok
      ? ok({ started: true, report: report.value, reportPath: undefined, backupId: undefined, recovered: [], problems: [] })
      : report
  }
  const lease = { storage, clock, owner: createId(), leaseMs }
  const taken = await takeCuratorLease(lease)
  if (!taken.ok) return taken
  let released: Result<void> = ok(undefined)
  let outcome: Result<CurateResult>
  try {
    outcome = await runUnderLease(options, lease)
  } finally {
    released = await releaseCuratorLease(lease)
  }
  if (released.ok || !outcome.ok || !outcome.value.started) return outcome
  return ok({ ...outcome.value, problems: [...outcome.value.problems, released.error] })
}
