/** Runs for `hermes.curator`: recovery, backup, transitions, consolidation and events. */
import type { ReviewGate } from '../gate/review-gate.ts'
import type { HostActor, HostRecorder } from '../journal/host-writes.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { SkillStore } from '../skills/skill-store.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import { backUpRun } from './backup/back-up-run.ts'
import type { Consolidate, Merging } from './consolidation-step.ts'
import { type CurateOptions, curate } from './curate.ts'
import type {
  CuratorEvent,
  CuratorProblem,
  CuratorRun,
  CuratorRunOptions,
  CuratorRunReason,
  RequestedRunOptions,
  ScheduledRun,
  ScheduledRunOptions,
} from './curator-event.ts'
import type { HermesCuratorOptions } from './curator-options.ts'
import { readMergeIntent } from './merge-intent.ts'
import { consolidationOf } from './report/consolidation-report.ts'
import { recoverRollback } from './rollback/rollback-recover.ts'
import { readCuratorState } from './schedule/curator-state.ts'
import { isCuratorDue } from './schedule/is-curator-due.ts'
import { maybeRunCurator } from './schedule/maybe-run-curator.ts'
import { measureIdle } from './schedule/measure-idle.ts'
import { runCurator } from './transitions/run-curator.ts'

export interface CuratorDeps {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly createId: () => string
  readonly skills: SkillStore
  readonly usage: UsageStore
  readonly journal: Journal
  readonly pending: Pending
  /** Recorded in the journal as the author. */
  readonly actor: HostActor
  /** Writes to the journal; a failure is emitted as an event and does not fail the call. */
  readonly record: HostRecorder['record']
  /** Judges the texts that a consolidation would write. */
  readonly gate: ReviewGate
  readonly settings: HermesCuratorOptions
  /** Called if a run merges or finds an interrupted merge. */
  readonly loadMerging: () => Promise<Merging>
  readonly emit: (event: CuratorEvent | CuratorProblem) => void
  /** Time of the last step of any session in this process. */
  readonly lastStepAt: () => number | undefined
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

const unexpected = (cause: unknown): HermesError =>
  HermesError.isInstance(cause) ? cause : new HermesError('io', `The curator stopped: ${String(cause)}`, { cause })

/** Summary of the merges for the ledger. */
const describeMerges = ({ consolidation }: Pick<CuratorRun, 'consolidation'>): string =>
  `Skills merged: ${consolidation?.consolidated.length ?? 0}, archived without a merge: ${consolidation?.pruned.length ?? 0}.`

/** Run ids are used as file names. */
const toRunId = (id: string): string => `run-${id.replace(/[^A-Za-z0-9_-]+/g, '-')}`.slice(0, 90)

interface Spent {
  cost?: LearningCost
}

export const curatorRuns = (deps: CuratorDeps) => {
  const { storage, clock, skills, usage, journal, pending, gate, emit, loadMerging } = deps
  const { backup = {}, consolidate: mergesByDefault = false, model, ...settings } = deps.settings
  const ageing = { ...settings, storage, skills, usage, clock }

  /** Epoch milliseconds for an event; 0 if the host's clock throws, because the event must still be emitted. */
  const eventTime = (): number => {
    try {
      return clock()
    } catch {
      return 0
    }
  }

  /** Completes an interrupted rollback; called before any change to the library. */
  const settleRollback = async (): Promise<Result<void>> => {
    const recovered = await recoverRollback(storage, clock)
    if (!recovered.ok) return recovered
    const recovery = recovered.value
    if (recovery.recovered !== 'nothing') emit({ type: 'rollback-recovered', at: clock(), recovery })
    return ok(undefined)
  }

  const toMergingOptions = (own: NonNullable<typeof model>, spent: Spent) => ({
    storage,
    model: own,
    gate,
    clock,
    journal,
    pending,
    staleAfterDays: settings.staleAfterDays,
    onCost: (cost: LearningCost) => {
      spent.cost = cost
    },
  })

  const toStep =
    (isMerging: boolean, spent: Spent): Consolidate =>
    async (step) => {
      if (isMerging && model) return (await loadMerging()).consolidate(toMergingOptions(model, spent))(step)
      const interrupted = await readMergeIntent(storage)
      if (interrupted.ok && !interrupted.value) return ok(undefined)
      return (await loadMerging()).settle({ storage, clock })(step)
    }

  const toCurateOptions = (isMerging: boolean, { signal, onProgress }: CuratorRunOptions, spent: Spent): CurateOptions => ({
    ...ageing,
    journal,
    createId: () => toRunId(deps.createId()),
    beforeChanges: backUpRun({ storage, clock, settings: backup }),
    consolidate: toStep(isMerging, spent),
    signal,
    onProgress,
  })

  /** A problem if merging was requested and no model is configured. */
  const problemsOf = (isMerging: boolean): readonly HermesError[] => (isMerging && !model ? [noModel()] : [])

  /** Writes the model cost to the ledger and emits the outcome. */
  const tell = async (reason: CuratorRunReason, outcome: CuratorRun | HermesError, { cost }: Spent): Promise<void> => {
    const at = eventTime()
    const spent = cost ? { cost } : {}
    if (HermesError.isInstance(outcome)) {
      if (cost) await deps.record([{ actor: 'curator', kind: 'curator-failed', reason: outcome.message, cost }])
      emit({ type: 'curator-failed', at, reason, error: outcome, ...spent })
    } else {
      if (cost) await deps.record([{ actor: 'curator', kind: 'curator-finished', reason: describeMerges(outcome), cost }])
      emit({ type: 'curator-finished', at, reason, outcome, ...spent })
    }
  }

  const preview = async (isMerging: boolean, { signal }: CuratorRunOptions): Promise<Result<CuratorRun>> => {
    const previewed = await runCurator({ ...ageing, dryRun: true, signal })
    if (!previewed.ok) return previewed
    const nothing = { reportPath: undefined, backupId: undefined, recovered: [] }
    const outcome = { report: previewed.value, ...nothing, problems: problemsOf(isMerging) }
    if (!isMerging || !model) return ok(outcome)
    const planned = await (await loadMerging()).preview(toMergingOptions(model, {}), signal)
    const consolidation = planned.ok ? planned.value : consolidationOf(planned.error)
    const problems = planned.ok ? outcome.problems : [...outcome.problems, planned.error]
    return ok({ ...outcome, problems, ...(consolidation ? { consolidation } : {}) })
  }

  const runNow = async (isMerging: boolean, options: CuratorRunOptions, spent: Spent): Promise<Result<CuratorRun>> => {
    const settled = await settleRollback()
    if (!settled.ok) return settled
    const ran = await curate(toCurateOptions(isMerging, options, spent))
    if (!ran.ok) return ran
    if (!ran.value) return err(unexpected('a run did not start'))
    return ok({ ...ran.value, problems: [...ran.value.problems, ...problemsOf(isMerging)] })
  }

  /** Measured only if the interval has passed, since it reads the usage. */
  const measured = async (): Promise<number | undefined> => {
    const now = clock()
    const state = await readCuratorState(storage)
    if (!state.ok || !isCuratorDue(state.value, { now, idleMs: Number.POSITIVE_INFINITY }, settings).due) return undefined
    const idle = await measureIdle({ storage, usage, now, lastStepAt: deps.lastStepAt() })
    if (!idle.ok) emit({ type: 'storage-failed', at: clock(), operation: 'measure idle', error: idle.error })
    return idle.ok ? idle.value : undefined
  }

  const scheduled = async (options: ScheduledRunOptions, spent: Spent): Promise<ScheduledRun> => {
    const settled = await settleRollback()
    if (!settled.ok) return { ran: false, reason: 'failed', error: settled.error }
    const idleMs = options.idleMs ?? (await measured())
    const outcome = await maybeRunCurator({ ...toCurateOptions(mergesByDefault, options, spent), idleMs })
    return outcome.ran ? { ...outcome, problems: [...(outcome.problems ?? []), ...problemsOf(mergesByDefault)] } : outcome
  }

  const reportScheduledRun = async ({ ran: _, reason, error, report, nextAt: _at, ...rest }: ScheduledRun, spent: Spent): Promise<void> => {
    const { problems = [], recovered = [], reportPath, backupId } = rest
    if (reason === 'failed' && error) await tell('scheduled', error, spent)
    else if (reason === 'ran' && report) await tell('scheduled', { ...rest, report, reportPath, backupId, recovered, problems }, spent)
    else for (const problem of problems) emit({ type: 'storage-failed', at: eventTime(), operation: 'curator state', error: problem })
  }

  return {
    settleRollback,
    /** `disabled` if the curator is switched off; other errors as for `curate`. Never rejects. */
    run: async (options: RequestedRunOptions = {}): Promise<Result<CuratorRun>> => {
      const { dryRun = false, consolidate = mergesByDefault } = options
      const spent: Spent = {}
      try {
        if (options.consolidate === true && !model) return err(noModel())
        if (dryRun) return await preview(consolidate, options)
        if (settings.enabled === false) return err(switchedOff())
        const ran = await runNow(consolidate, options, spent)
        await tell('requested', ran.ok ? ran.value : ran.error, spent)
        return ran
      } catch (cause) {
        await tell('requested', unexpected(cause), spent)
        return err(unexpected(cause))
      }
    },
    /** Never rejects; `reason` says why nothing was done. */
    maybeRun: async (options: ScheduledRunOptions = {}): Promise<ScheduledRun> => {
      const spent: Spent = {}
      let outcome: ScheduledRun
      try {
        outcome = await scheduled(options, spent)
      } catch (cause) {
        outcome = { ran: false, reason: 'failed', error: unexpected(cause) }
      }
      await reportScheduledRun(outcome, spent)
      return outcome
    },
  }
}
