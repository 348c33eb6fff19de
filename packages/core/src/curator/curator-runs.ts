/** Runs of the curator for `hermes.curator`: recovery, backup, transitions, consolidation, and the events that tell of them. */
import { backUpRun } from './backup/back-up-run.ts'
import { consolidateSkills, consolidationOf } from '../merging/consolidate-skills.ts'
import { consolidatingStep, settlingStep } from '../merging/consolidating-step.ts'
import { readMergeIntent } from './merge-intent.ts'
import { proposeConsolidations } from '../merging/options.ts'
import type { ConsolidationReport } from './report/consolidation-report.ts'
import { curate } from './curate.ts'
import type { CurateOptions } from './curate-options.ts'
import type { CuratorRun, CuratorRunOptions, RequestedRunOptions, ScheduledRun, ScheduledRunOptions } from './curator-run.ts'
import { recoverRollback } from './rollback/rollback-recover.ts'
import { readCuratorState } from './schedule/curator-state.ts'
import { isCuratorDue } from './schedule/is-curator-due.ts'
import { maybeRunCurator } from './schedule/maybe-run-curator.ts'
import { measureIdle } from './schedule/measure-idle.ts'
import type { HermesCuratorDeps } from './curator-deps.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { CuratorRunReason } from '../session/hermes-event.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'

const switchedOff = (): HermesError =>
  new HermesError('disabled', "The curator is switched off: 'curator.enabled' is false. Set it to true, or look with 'dryRun'.")

const noModel = (): HermesError =>
  new HermesError('invalid', "No skills are merged, since there is no model for it. Set 'curator.model' or 'review.model' in createHermes.")

const unexpected = (cause: unknown): HermesError =>
  HermesError.isInstance(cause) ? cause : new HermesError('io', `The curator stopped: ${String(cause)}`, { cause })

/** For the ledger. */
const describeMerges = ({ consolidation }: Pick<CuratorRun, 'consolidation'>): string =>
  `Skills merged: ${consolidation?.consolidated.length ?? 0}, put away: ${consolidation?.pruned.length ?? 0}.`

/** Ids of runs are names of files. */
const toRunId = (id: string): string => `run-${id.replace(/[^A-Za-z0-9_-]+/g, '-')}`.slice(0, 90)

/** What is learnt while a run goes on, beside its outcome. */
interface Learnt {
  readonly problems: HermesError[]
  consolidation?: ConsolidationReport
  cost?: LearningCost
}

/** Epoch milliseconds for an event; 0 where the host's clock throws, since the event must still be emitted. */
const eventTime = (clock: Clock): number => {
  try {
    return clock()
  } catch {
    return 0
  }
}

export const curatorRuns = (deps: HermesCuratorDeps) => {
  const { storage, clock, skills, usage, journal, pending, gate, emit } = deps
  const { backup = {}, consolidate: mergesByDefault = false, model, ...settings } = deps.settings
  const { staleAfterDays } = settings
  const merging = model && { storage, proposer: proposeConsolidations(model), gate, clock, journal, pending, staleAfterDays }

  /** Before anything that changes the library: a rollback that was interrupted comes to its end first. */
  const settleRollback = async (): Promise<Result<void>> => {
    const recovered = await recoverRollback(storage, clock)
    if (!recovered.ok) return recovered
    const recovery = recovered.value
    if (recovery.recovered !== 'nothing') emit({ type: 'rollback-recovered', at: clock(), recovery })
    return ok(undefined)
  }

  const stepOf = async (isMerging: boolean, learnt: Learnt): Promise<CurateOptions['consolidate']> => {
    if (isMerging && merging) {
      const onCost = (cost: LearningCost) => {
        learnt.cost = cost
      }
      return consolidatingStep({ ...merging, onCost }, (report) => {
        learnt.consolidation = report
      })
    }
    if (isMerging) learnt.problems.push(noModel())
    const interrupted = await readMergeIntent(storage)
    return interrupted.ok && !interrupted.value ? undefined : settlingStep({ storage, clock })
  }

  const toCurateOptions = async (isMerging: boolean, { signal, onProgress }: CuratorRunOptions, learnt: Learnt) => {
    const onProblem = (problem: HermesError) => learnt.problems.push(problem)
    const consolidate = await stepOf(isMerging, learnt)
    return {
      ...settings,
      storage,
      skills,
      usage,
      journal,
      clock,
      createId: () => toRunId(deps.createId()),
      beforeChanges: backUpRun({ storage, clock, settings: backup, onProblem }),
      consolidate,
      signal,
      onProgress,
    } satisfies CurateOptions
  }

  const withLearnt = <T extends object>(outcome: T, { consolidation }: Learnt) => ({
    ...outcome,
    ...(consolidation ? { consolidation } : {}),
  })

  /** How the calls of a model ended, for the ledger. */
  const recordCost = async ({ cost }: Learnt, verdict: 'curator-finished' | 'curator-failed', reason: string): Promise<void> => {
    if (cost) await deps.record([{ actor: 'curator', verdict, reason, cost }])
  }

  const failed = async (reason: CuratorRunReason, error: HermesError, learnt: Learnt): Promise<void> => {
    await recordCost(learnt, 'curator-failed', error.message)
    emit({ type: 'curator-failed', at: eventTime(clock), reason, error, ...(learnt.cost ? { cost: learnt.cost } : {}) })
  }

  const finished = async (reason: CuratorRunReason, outcome: CuratorRun, learnt: Learnt): Promise<void> => {
    await recordCost(learnt, 'curator-finished', describeMerges(outcome))
    emit({ type: 'curator-finished', at: eventTime(clock), reason, outcome, ...(learnt.cost ? { cost: learnt.cost } : {}) })
  }

  const preview = async (isMerging: boolean, { signal }: CuratorRunOptions): Promise<Result<CuratorRun>> => {
    const ran = await curate({ ...settings, storage, skills, usage, clock, dryRun: true, signal, createId: deps.createId })
    if (!ran.ok) return ran
    if (!ran.value.started) return err(unexpected('a preview did not start'))
    const { started: _, ...outcome } = ran.value
    if (!isMerging) return ok(outcome)
    if (!merging) return ok({ ...outcome, problems: [...outcome.problems, noModel()] })
    const planned = await consolidateSkills({ ...merging, dryRun: true, signal })
    const consolidation = planned.ok ? planned.value : consolidationOf(planned.error)
    const problems = planned.ok ? outcome.problems : [...outcome.problems, planned.error]
    return ok({ ...outcome, problems, ...(consolidation ? { consolidation } : {}) })
  }

  const runNow = async (isMerging: boolean, options: CuratorRunOptions, learnt: Learnt): Promise<Result<CuratorRun>> => {
    const settled = await settleRollback()
    if (!settled.ok) return settled
    const ran = await curate(await toCurateOptions(isMerging, options, learnt))
    if (!ran.ok) return ran
    if (!ran.value.started) return err(unexpected('a run did not start'))
    const { started: _, ...outcome } = ran.value
    return ok(withLearnt({ ...outcome, problems: [...outcome.problems, ...learnt.problems] }, learnt))
  }

  const requested = async (options: RequestedRunOptions, learnt: Learnt): Promise<Result<CuratorRun>> => {
    const { dryRun = false, consolidate = mergesByDefault } = options
    if (options.consolidate === true && !model) return err(noModel())
    if (dryRun) return preview(consolidate, options)
    if (settings.enabled === false) return err(switchedOff())
    const ran = await runNow(consolidate, options, learnt)
    if (ran.ok) await finished('requested', ran.value, learnt)
    else await failed('requested', ran.error, learnt)
    return ran
  }

  /** Asked only where the schedule says yes: it costs reading what there is about use. */
  const measured = async (): Promise<number | undefined> => {
    const now = clock()
    const state = await readCuratorState(storage)
    if (!state.ok || !isCuratorDue(state.value, { now, idleMs: Number.POSITIVE_INFINITY }, settings).due) return undefined
    const idle = await measureIdle({ storage, usage, now, lastStepAt: deps.lastStepAt() })
    if (!idle.ok) emit({ type: 'storage-failed', at: clock(), operation: 'measure idle', error: idle.error })
    return idle.ok ? idle.value : undefined
  }

  const scheduled = async (options: ScheduledRunOptions, learnt: Learnt): Promise<ScheduledRun> => {
    const settled = await settleRollback()
    if (!settled.ok) return { ran: false, reason: 'failed', error: settled.error }
    const curating = await toCurateOptions(mergesByDefault, options, learnt)
    const outcome = await maybeRunCurator({ ...curating, idleMs: options.idleMs ?? (await measured()) })
    if (!outcome.ran) return outcome
    return withLearnt({ ...outcome, problems: [...(outcome.problems ?? []), ...learnt.problems] }, learnt)
  }

  const tell = async (outcome: ScheduledRun, learnt: Learnt): Promise<void> => {
    const { reason, report, reportPath, backupId, recovered = [], problems = [], error, consolidation } = outcome
    if (reason === 'failed' && error) await failed('scheduled', error, learnt)
    else if (reason === 'ran' && report) {
      const told = { report, reportPath, backupId, recovered, problems, ...(consolidation ? { consolidation } : {}) }
      await finished('scheduled', told, learnt)
    } else
      for (const problem of problems) emit({ type: 'storage-failed', at: eventTime(clock), operation: 'curator state', error: problem })
  }

  return {
    settleRollback,
    /** `disabled` where the curator is switched off; otherwise as `curate`. Never rejects. */
    run: async (options: RequestedRunOptions = {}): Promise<Result<CuratorRun>> => {
      const learnt: Learnt = { problems: [] }
      try {
        return await requested(options, learnt)
      } catch (cause) {
        await failed('requested', unexpected(cause), learnt)
        return err(unexpected(cause))
      }
    },
    /** Never rejects; why nothing was done is in `reason`. */
    maybeRun: async (options: ScheduledRunOptions = {}): Promise<ScheduledRun> => {
      const learnt: Learnt = { problems: [] }
      let outcome: ScheduledRun
      try {
        outcome = await scheduled(options, learnt)
      } catch (cause) {
        outcome = { ran: false, reason: 'failed', error: unexpected(cause) }
      }
      await tell(outcome, learnt)
      return outcome
    },
  }
}
