/**
 * The scheduled run: starts if it is due and the host is idle, at most once in a home at a time (seeds 001 and 003, reference
 * skills-curator 11).
 */
import { HermesError } from '../../shared/hermes-error.ts'
import { type CurateOptions, curate } from '../curate.ts'
import type { ScheduledRun } from '../curator-event.ts'
import { reportOf } from '../transitions/run-curator.ts'
import { readCuratorState, updateCuratorState } from './curator-state.ts'
import { type CuratorDue, type CuratorSchedule, checkSchedule, isCuratorDue } from './is-curator-due.ts'

export interface MaybeRunCuratorOptions extends Omit<CurateOptions, 'mayStart'>, CuratorSchedule {
  /** Milliseconds since the host was last active, as measured by the host. If missing, nothing runs. */
  readonly idleMs?: number | undefined
}

const notRun = ({ due: _, ...why }: Extract<CuratorDue, { due: false }>): ScheduledRun => ({ ran: false, ...why })

const failed = (error: HermesError): ScheduledRun => {
  const report = reportOf(error)
  return {
    ran: report !== undefined,
    reason: error.code === 'locked' && !report ? 'locked' : 'failed',
    error,
    ...(report ? { report } : {}),
  }
}

const check = async (options: MaybeRunCuratorOptions): Promise<ScheduledRun> => {
  const { storage, clock, idleMs } = options
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

  const ran = await curate({ ...options, mayStart: (current) => dueIn(current).due })
  if (!ran.ok) return failed(ran.error)
  if (ran.value) return { ran: true, reason: 'ran', ...ran.value }
  // Another process has run, paused or stamped it since the first read.
  const after = await readCuratorState(storage)
  if (!after.ok) return failed(after.error)
  const dueNow = dueIn(after.value)
  return dueNow.due ? { ran: false, reason: 'locked' } : notRun(dueNow)
}

/** Never rejects or throws. Call it at start and now and then; it is cheap if no run is due. */
export const maybeRunCurator = async (options: MaybeRunCuratorOptions): Promise<ScheduledRun> => {
  try {
    return await check(options)
  } catch (cause) {
    if (HermesError.isInstance(cause)) return failed(cause)
    return failed(new HermesError('io', `The curator run ended with an error: ${String(cause)}`, { cause }))
  }
}
