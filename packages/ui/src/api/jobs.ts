/** Work that takes longer than a second: one job at a time for each home, with its progress. */
import { err, type Hermes, HermesError, ok, type Result } from '@hermes/core'
import type { JobView } from './views.ts'

interface Job {
  view: JobView
  readonly stop: AbortController
}

export interface Jobs {
  /** The running job, or the last one; undefined if there was none. */
  current(home: string): JobView | undefined
  /** `locked` while another one runs. `work` returns what was done. */
  start(home: string, title: string, cancellable: boolean, work: JobWork): Result<JobView>
  cancel(home: string, id: string): Result<JobView>
  stop(): void
}

export type JobWork = (signal: AbortSignal, progress: (done: number, total: number) => void) => Promise<Result<string>>

export const createJobs = (): Jobs => {
  const jobs = new Map<string, Job>()
  let count = 0

  const run = async (job: Job, work: JobWork): Promise<void> => {
    const update = (change: Partial<JobView>) => {
      job.view = { ...job.view, ...change }
    }
    try {
      const done = await work(job.stop.signal, (count, total) => update({ done: count, total }))
      if (done.ok) update({ state: job.stop.signal.aborted ? 'cancelled' : 'done', message: done.value })
      else update({ state: job.stop.signal.aborted ? 'cancelled' : 'failed', message: done.error.message })
    } catch (cause) {
      update({ state: 'failed', message: cause instanceof Error ? cause.message : String(cause) })
    }
  }

  return {
    current: (home) => jobs.get(home)?.view,
    start(home, title, cancellable, work) {
      if (jobs.get(home)?.view.state === 'running')
        return err(new HermesError('locked', 'Another job is running. Wait for it, or cancel it.'))
      count += 1
      const view: JobView = { id: `${count}`, title, state: 'running', done: 0, total: 0, message: '', cancellable }
      const job: Job = { view, stop: new AbortController() }
      jobs.set(home, job)
      void run(job, work)
      return ok(view)
    },
    cancel(home, id) {
      const job = jobs.get(home)
      if (job?.view.id !== id || job.view.state !== 'running') return err(new HermesError('not_found', 'This job is no longer running.'))
      if (!job.view.cancellable)
        return err(
          new HermesError('invalid', 'This job must not be left half done, so it cannot be cancelled. It can be undone afterwards.'),
        )
      job.stop.abort()
      return ok(job.view)
    },
    stop() {
      for (const { stop } of jobs.values()) stop.abort()
    },
  }
}

export const rollbackWork =
  (hermes: Hermes, id: string): JobWork =>
  async () => {
    const done = await hermes.curator.rollback(id)
    if (!done.ok) return done
    const { restored, archived, safetyId } = done.value
    const newer = archived.length === 0 ? '' : ` ${archived.length} newer ones are in the archive.`
    return ok(`The skills are as in ${id}: ${restored.length} files restored.${newer} To undo it, roll back to ${safetyId}.`)
  }

export const curatorWork =
  (hermes: Hermes): JobWork =>
  async (signal) => {
    const done = await hermes.curator.run({ signal })
    if (!done.ok) return done
    const { report, backupId, consolidation } = done.value
    const undo = backupId === undefined ? '' : ` To undo it, roll back to ${backupId}.`
    const merged = consolidation?.consolidated.map(({ name, into }) => `'${name}' is now part of '${into}'.`) ?? []
    return ok([`${report.transitioned.length} skills changed their state.`, ...merged].join(' ') + undo)
  }
