/** What a run does before its first change, whoever makes it: the backup, then the journal that tells of an interrupted run. */
import { ok, type Result } from '../shared/result.ts'
import type { CurateOptions } from './curate-options.ts'
import { beginRun, endRun } from './run-journal/run-journal.ts'
import type { CuratorPlan } from './transitions/plan-transitions.ts'

/** Backup, then the journal of the run, before the first change and once a run, whoever asks first. */
export const openChanges = ({ storage, beforeChanges }: CurateOptions, runId: string, startedAt: number) => {
  let opened: Promise<Result<{ readonly id: string } | undefined>> | undefined
  let backupId: string | undefined
  const open = async (plan: CuratorPlan | undefined): Promise<Result<{ readonly id: string } | undefined>> => {
    const backup = (await beforeChanges?.(plan)) ?? ok(undefined)
    if (!backup.ok) return backup
    backupId = backup.value?.id
    const planned = (plan?.transitions ?? []).map(({ name, skill, from, to }) => ({ name, path: skill.path, from, to }))
    const begun = await beginRun(storage, { runId, startedAt, planned, ...(backupId === undefined ? {} : { backupId }) })
    return begun.ok ? backup : begun
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
