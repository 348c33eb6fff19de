/** A whole run of the curator: the transitions, one update, then the merges, each an update of its own (reference skills-curator 12). Also the check whether one is due. */
import type { LearningCost } from '../model/learning-cost.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { takeBackup } from './backup.ts'
import { type CuratorHome, journalAt } from './curator-home.ts'
import { toBackupBounds } from './curator-options.ts'
import type { MergeOptions } from './merge/merge-skills.ts'
import { isMerging, isSameRun, type MergingRun, mergingRun } from './merging-run.ts'
import type { ConsolidationReport, CuratorRun, ScheduledRun } from './report.ts'
import { type DoneRun, previewRun, runTransitions } from './run-transitions.ts'
import { type CuratorDue, checkSchedule, isCuratorDue, measureIdle } from './schedule.ts'
import { CURATOR_STATE_PATH, type CuratorState, planState, readCuratorState, updateCuratorState } from './state.ts'
import { CURATOR_LOGS_FOLDER, type RunFacts, reportPuts, summariseReport } from './write-report.ts'

interface RunGiven {
  readonly signal?: AbortSignal | undefined
  readonly onCost: (cost: LearningCost) => void
}

const switchedOff = (): HermesError =>
  new HermesError(
    'disabled',
    "The curator is switched off: 'curator.enabled' is false. Set it to true, or use 'dryRun' to see what a run would do.",
  )

const noModel = (): HermesError =>
  new HermesError(
    'invalid',
    "No skills are merged, because there is no model for it. Set 'curator.model' or 'review.model' in createHermes.",
  )

const mergesElsewhere = ({ until }: MergingRun): HermesError =>
  new HermesError(
    'locked',
    `No skills are merged, because another run is asking a model about merges at present. Try again when it is done, after ${new Date(until).toISOString()} at the latest.`,
  )

const modelOf = ({ options: { curator, review } }: CuratorHome) => curator.model ?? review.model

/** A backup before the first merge, if the transitions needed none. */
const saveFirst = (home: CuratorHome, facts: RunFacts) => {
  let backupId = facts.backupId
  const { enabled = true, ...settings } = home.options.curator.backup ?? {}
  return {
    backupId: () => backupId,
    beforeChanges: async (): Promise<Result<unknown>> => {
      if (backupId !== undefined || !enabled) return ok(undefined)
      const options = { reason: 'pre-curator-run', at: home.clock(), bounds: toBackupBounds(settings) }
      const taken = await takeBackup(home.storage, options, async () => ok({ paths: [], plan: () => ({}) }))
      if (taken.ok) backupId = taken.value.id
      return taken
    },
  }
}

/** For the end of a run: it clears only its own mark. */
const clearMark = (own: MergingRun, { merging }: CuratorState): Partial<CuratorState> | undefined =>
  isSameRun(merging, own) ? { merging: undefined } : undefined

const toError = (cause: unknown): HermesError =>
  HermesError.isInstance(cause) ? cause : new HermesError('io', `The merges of the run stopped: ${String(cause)}. Try again.`, { cause })

/** What fails or throws after the transitions. */
const orProblem = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work()
  } catch (cause) {
    return err(toError(cause))
  }
}

/** Merges, and writes the report and the state again, with the cost in the journal. What fails is a problem of the run, since its transitions are done. */
const mergeAfter = async (home: CuratorHome, done: DoneRun, own: MergingRun, options: MergeOptions): Promise<CuratorRun> => {
  const { facts, reportPath } = done
  const { backupId, beforeChanges } = saveFirst(home, facts)
  let cost: LearningCost | undefined
  let consolidation: ConsolidationReport | undefined
  let failure: HermesError | undefined
  const written = await orProblem(async () => {
    const { mergeSkills } = await import('./merge/merge-skills.ts')
    const { toConsolidationNote } = await import('./merge/merge-report.ts')
    const merged = await mergeSkills(home, {
      ...options,
      beforeChanges,
      onCost: (spent) => {
        cost = spent
        options.onCost?.(spent)
      },
    })
    consolidation = merged.report
    failure = merged.failure
    const { text, summary, extras } = toConsolidationNote(merged.report)
    const endedAt = home.clock()
    const next: RunFacts = { ...facts, endedAt, backupId: backupId(), error: failure?.message, consolidation: text, extras }
    const lastRunSummary = [summariseReport(facts.report), summary, ...(failure ? [`failed: ${failure.message}`] : [])].join('; ')
    const reason = `Skills merged: ${merged.report.consolidated.length}, archived without a merge: ${merged.report.pruned.length}.`
    const journal = journalAt(home, endedAt)
    const append = cost ? journal.append([{ actor: 'curator', kind: 'curator-finished', reason, cost }]) : {}
    return home.storage.update([`${CURATOR_LOGS_FOLDER}/`, CURATOR_STATE_PATH, `${SKILLS_FOLDER}/`, journal.path], (cut) => {
      const lastRunDurationSeconds = (endedAt - facts.startedAt) / 1000
      const state = planState(cut, (current) => {
        // Another run may have begun since.
        const told = current.lastReportPath === reportPath ? { lastRunDurationSeconds, lastRunSummary } : undefined
        const cleared = clearMark(own, current)
        return told || cleared ? { ...told, ...cleared } : undefined
      })
      return { put: { ...reportPuts(reportPath, next), ...state.put }, append, value: undefined }
    })
  })
  const cleared = written.ok ? written : await orProblem(() => updateCuratorState(home.storage, (current) => clearMark(own, current)))
  const failures = [written, cleared].flatMap((each) => (each.ok ? [] : [each.error]))
  const problems = [...done.problems, ...failures, ...(failure ? [failure] : [])]
  return { report: facts.report, reportPath, backupId: backupId(), problems, ...(consolidation ? { consolidation } : {}) }
}

/** `undefined` if `mayStart` returned false. */
const runNow = async (
  home: CuratorHome,
  merges: boolean,
  { signal, onCost }: RunGiven,
  mayStart: (state: CuratorState) => boolean,
): Promise<Result<CuratorRun | undefined>> => {
  const model = modelOf(home)
  if (signal?.aborted) {
    const preview = await previewRun(home, home.options.curator)
    if (!preview.ok) return preview
    const report = { ...preview.value, dryRun: false, transitioned: [], repaired: [], aborted: true }
    return ok({ report, reportPath: undefined, backupId: undefined, problems: [] })
  }
  const now = home.clock()
  let other: MergingRun | undefined
  const own = mergingRun(now, home.createId)
  const alsoState = ({ merging }: CuratorState): Partial<CuratorState> => {
    other = isMerging(merging, now) ? merging : undefined
    return merges && model && !other ? { merging: own } : {}
  }
  const done = await runTransitions(home, { mayStart, alsoState })
  if (!done.ok || !done.value) return done.ok ? ok(undefined) : done
  if (merges && model && !other) return ok(await mergeAfter(home, done.value, own, { model, signal, onCost }))
  const refusals = merges ? [other && model ? mergesElsewhere(other) : noModel()] : []
  const { facts, reportPath, problems } = done.value
  return ok({ report: facts.report, reportPath, backupId: facts.backupId, problems: [...problems, ...refusals] })
}

const preview = async (home: CuratorHome, merges: boolean, { signal, onCost }: RunGiven): Promise<Result<CuratorRun>> => {
  const previewed = await previewRun(home, home.options.curator)
  if (!previewed.ok) return previewed
  const model = modelOf(home)
  const outcome = { report: previewed.value, reportPath: undefined, backupId: undefined }
  if (!merges || !model) return ok({ ...outcome, problems: merges ? [noModel()] : [] })
  const { mergeSkills } = await import('./merge/merge-skills.ts')
  const { report: consolidation, failure } = await mergeSkills(home, { model, signal, onCost, dryRun: true })
  return ok({ ...outcome, problems: failure ? [failure] : [], consolidation })
}

/** A run that a person or the host's code asks for. */
export const runCurator = async (
  home: CuratorHome,
  {
    dryRun = false,
    consolidate,
    ...given
  }: RunGiven & { readonly dryRun?: boolean | undefined; readonly consolidate?: boolean | undefined },
): Promise<Result<CuratorRun>> => {
  const { enabled, consolidate: byDefault = false } = home.options.curator
  if (consolidate === true && !modelOf(home)) return err(noModel())
  const merges = consolidate ?? byDefault
  if (dryRun) return preview(home, merges, given)
  if (enabled === false) return err(switchedOff())
  const ran = await runNow(home, merges, given, () => true)
  if (!ran.ok) return ran
  return ran.value ? ok(ran.value) : err(new HermesError('io', 'The run of the curator did not start. Try again.'))
}

const notRun = ({ due: _, ...why }: Extract<CuratorDue, { due: false }>): ScheduledRun => ({ ran: false, ...why })

const failed = (error: HermesError): ScheduledRun => ({ ran: false, reason: error.code === 'locked' ? 'locked' : 'failed', error })

/** A run if one is due and the home is idle; `idleMs` is measured if it is not given. It is checked again in the update of the run. */
export const runIfDue = async (
  home: CuratorHome,
  { idleMs: known, ...given }: RunGiven & { readonly idleMs: number | undefined },
): Promise<ScheduledRun> => {
  const { storage, clock, options } = home
  const schedule = checkSchedule(options.curator)
  if (!schedule.ok) return failed(schedule.error)
  const now = clock()
  const read = await readCuratorState(storage)
  if (!read.ok) return failed(read.error)
  let idleMs = known
  const dueIn = (state: CuratorState): CuratorDue => isCuratorDue(state, { now, idleMs }, options.curator)
  const first = dueIn(read.value.state)
  if (!first.due && first.reason === 'first-sight') {
    const stamped = await updateCuratorState(storage, (current) => {
      const still = dueIn(current)
      return !still.due && still.reason === 'first-sight' ? { lastRunAt: now } : undefined
    })
    if (!stamped.ok) return failed(stamped.error)
    const { problem } = stamped.value
    return { ...notRun(first), ...(problem ? { problems: [problem] } : {}) }
  }
  // Measured only if the interval has passed, since it reads the usage.
  if (known === undefined && !first.due && first.reason === 'idle-unknown') {
    const idle = await measureIdle(home, now)
    if (idle.ok) idleMs = idle.value
    else home.emit({ type: 'storage-failed', at: now, operation: 'measure idle', error: idle.error })
  }
  const due = dueIn(read.value.state)
  if (!due.due) return notRun(due)
  const ran = await runNow(home, options.curator.consolidate ?? false, given, (current) => dueIn(current).due)
  if (!ran.ok) return failed(ran.error)
  if (ran.value) return { ran: !ran.value.report.aborted, reason: 'ran', ...ran.value }
  // Another process has run, paused or stamped it since the first read.
  const after = await readCuratorState(storage)
  if (!after.ok) return failed(after.error)
  const dueNow = dueIn(after.value.state)
  return dueNow.due ? { ran: false, reason: 'locked' } : notRun(dueNow)
}
