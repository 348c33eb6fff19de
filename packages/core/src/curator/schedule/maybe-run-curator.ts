/** The run that comes by itself: when it is due and the host is idle, once in a home (seeds 001 and 003, reference skills-curator 11). */
import { systemClock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { curate } from '../curate.ts'
import type { CurateOptions, CurateOutcome } from '../curate-options.ts'
import type { CuratorReport } from '../report/curator-report.ts'
import { reportOf } from '../transitions/run-curator.ts'
import { readCuratorState, updateCuratorState } from './curator-state.ts'
import { type CuratorDue, type CuratorSchedule, checkSchedule, isCuratorDue } from './is-curator-due.ts'

export interface MaybeRunCuratorOptions extends Omit<CurateOptions, 'mayStart' | 'dryRun'>, CuratorSchedule {
  /** Milliseconds since the host last had something to do, as it measured them. Where it does not know, nothing runs. */
  readonly idleMs?: number | undefined
}

/** `ran`; why it is not due; `locked`: another run or a rollback is under way; `failed`: see `error`. */
export type MaybeRunReason = 'ran' | Extract<CuratorDue, { due: false }>['reason'] | 'locked' | 'failed'

export interface MaybeRunOutcome extends Partial<Omit<CurateOutcome, 'report'>> {
  /** Something may have been done, if only in part. */
  readonly ran: boolean
  readonly reason: MaybeRunReason
  readonly report?: CuratorReport
  readonly error?: HermesError
  /** Epoch milliseconds, with `interval`. */
  readonly nextAt?: number
}

const notRun = (due: Extract<CuratorDue, { due: false }>): MaybeRunOutcome =>
  due.reason === 'interval' ? { ran: false, reason: due.reason, nextAt: due.nextAt } : { ran: false, reason: due.reason }

const failed = (error: HermesError): MaybeRunOutcome => {
  const report = reportOf(error)
  return {
    ran: report !== undefined,
    reason: error.code === 'locked' && !report ? 'locked' : 'failed',
    error,
    ...(report ? { report } : {}),
  }
}

const check = async (options: MaybeRunCuratorOptions): Promise<MaybeRunOutcome> => {
  const { storage, clock = systemClock, idleMs } = options
  const schedule = checkSchedule(options)
  if (!schedule.ok) return failed(schedule.error)
  const now = clock()
  const dueIn = (state: Parameters<typeof isCuratorDue>[0]): CuratorDue => isCuratorDue(state, { now, idleMs }, options)

  const state = await readCuratorState(storage)
  if (!state.ok) return failed(state.error)
  const due = dueIn(state.value)
  if (!due.due && due.reason === 'first-sight') {
    const stamped = await updateCuratorState(storage, (current) => {
      const still = dueIn(current)
      return !still.due && still.reason === 'first-sight' ? { lastRunAt: now } : undefined
    })
    if (!stamped.ok) return failed(stamped.error)
    const { problem } = stamped.value
    return { ...notRun(due), ...(problem ? { problems: [problem] } : {}) }
  }
  if (!due.due) return notRun(due)

  const curated = await curate({ ...options, mayStart: (current) => dueIn(current).due })
  if (!curated.ok) return failed(curated.error)
  if (curated.value.started) {
    const { started: _, ...outcome } = curated.value
    return { ran: true, reason: 'ran', ...outcome }
  }
  // Another process ran, paused, or stamped it since it was read.
  const after = await readCuratorState(storage)
  if (!after.ok) return failed(after.error)
  const now2 = dueIn(after.value)
  return now2.due ? { ran: false, reason: 'locked' } : notRun(now2)
}

/** Never rejects and never throws: it runs behind whatever the host does. Call it at start and now and then; it is cheap when not due. */
export const maybeRunCurator = async (options: MaybeRunCuratorOptions): Promise<MaybeRunOutcome> => {
  try {
    return await check(options)
  } catch (cause) {
    if (HermesError.isInstance(cause)) return failed(cause)
    return failed(new HermesError('io', `The curator run ended with an error: ${String(cause)}`, { cause }))
  }
}
