/** The status of the curator: schedule, managed skills, unfinished work. Reads only (reference skills-curator 19). */
import type { OwnershipGrant } from '../../ownership/ownership-grant.ts'
import { NO_OWNERSHIP_MARKS, readOwnershipMarks } from '../../ownership/ownership-marks.ts'
import type { SkillHome } from '../../ownership/skill-home.ts'
import { judgeOwnership, protectionAgainst } from '../../ownership/skill-ownership.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import { listBackups } from '../backup/backup-list.ts'
import type { SkillBackup } from '../backup/backup-manifest.ts'
import type { CuratorSettings } from '../curator-options.ts'
import { readMergeIntent } from '../merge-intent.ts'
import { type RollbackState, readRollbackState } from '../rollback/rollback-state.ts'
import { type RunJournal, readUnfinishedRuns } from '../run-journal/run-journal.ts'
import { type CuratorLease, readCuratorLease } from './curator-lease.ts'
import { inspectCuratorState } from './curator-state.ts'
import type { CuratorState } from './curator-state-document.ts'
import { type CuratorDue, isCuratorDue } from './is-curator-due.ts'
import { measureIdle } from './measure-idle.ts'

export interface CuratorStatus {
  readonly state: CuratorState
  /** By the schedule alone, ignoring idle time. */
  readonly due: CuratorDue
  /** Milliseconds since the last activity in the home; `undefined` if there is none or it cannot be read. */
  readonly idleMs: number | undefined
  /** The run in progress, in any process. */
  readonly running: CuratorLease | undefined
  /** Work that was interrupted or is in progress in another process; the next run settles it. */
  readonly unfinished: {
    readonly rollback: RollbackState | undefined
    readonly runs: readonly RunJournal[]
    /** Name of the umbrella of an unfinished merge. */
    readonly merge: string | undefined
  }
  readonly counts: {
    readonly active: number
    readonly stale: number
    readonly archived: number
    /** Number of live skills that may age, pinned ones included. */
    readonly managed: number
    readonly unmanaged: number
  }
  /** Names as in the listing, as in the lists below. */
  readonly pinned: readonly string[]
  /** Skills restored from the archive, and how often; each restore makes a skill age more slowly. */
  readonly misjudged: readonly { readonly name: string; readonly misjudgements: number }[]
  /** Grants in force. */
  readonly grants: readonly OwnershipGrant[]
  readonly backups: { readonly count: number; readonly newest: SkillBackup | undefined }
  /** What cannot be read or is broken; the other fields are valid. */
  readonly problems: readonly HermesError[]
}

export interface CuratorStatusOptions extends Pick<SkillHome, 'storage' | 'clock'> {
  readonly skills: Pick<SkillHome['skills'], 'list' | 'listArchived'>
  readonly usage: Pick<SkillHome['usage'], 'load'>
  readonly settings: CuratorSettings
  /** Time of the last step of any session in this process. */
  readonly lastStepAt: number | undefined
}

const readSkills = async ({ storage, clock, skills, usage }: CuratorStatusOptions, problems: HermesError[]) => {
  // At once, so that live and archived skills come from one listing.
  const [listing, archive, records, marks] = await Promise.all([
    skills.list(),
    skills.listArchived(),
    usage.load(),
    readOwnershipMarks(storage, { clock }),
  ])
  if (!listing.ok) return listing
  problems.push(...listing.value.problems)
  for (const read of [records, marks, archive]) if (!read.ok) problems.push(read.error)
  if (archive.ok) problems.push(...archive.value.problems)
  const rows = listing.value.skills.map((skill) => {
    const record = records.ok ? records.value.get(skill.name) : undefined
    const ownership = judgeOwnership(skill, record, marks.ok ? marks.value : NO_OWNERSHIP_MARKS)
    // If the owners are unknown, no skill may age.
    const isManaged =
      marks.ok && (['stale', 'archive'] as const).some((step) => protectionAgainst({ ...ownership, pinned: false }, step) === undefined)
    const state = record === undefined || record.state === 'active' ? 'active' : 'stale'
    return { name: skill.name, state, isManaged, pinned: ownership.pinned, misjudgements: record?.misjudgements ?? 0 }
  })
  const count = (is: (row: (typeof rows)[number]) => boolean): number => rows.filter(is).length
  return ok({
    counts: {
      active: count(({ state }) => state === 'active'),
      stale: count(({ state }) => state === 'stale'),
      archived: archive.ok ? archive.value.entries.length : 0,
      managed: count(({ isManaged }) => isManaged),
      unmanaged: count(({ isManaged }) => !isManaged),
    },
    pinned: rows.filter(({ pinned }) => pinned).map(({ name }) => name),
    misjudged: rows.filter(({ misjudgements }) => misjudgements > 0).map(({ name, misjudgements }) => ({ name, misjudgements })),
    grants: marks.ok ? marks.value.grants : [],
  })
}

/** Fails only if the state or the skills cannot be read at all. */
export const readCuratorStatus = async (options: CuratorStatusOptions): Promise<Result<CuratorStatus>> => {
  const { storage, clock, usage, settings, lastStepAt } = options
  const now = clock()
  const problems: HermesError[] = []
  const valueOrProblem = <T>(read: Result<T>): T | undefined => {
    if (!read.ok) problems.push(read.error)
    return read.ok ? read.value : undefined
  }
  const inspected = await inspectCuratorState(storage)
  if (!inspected.ok) return inspected
  const { state, problem } = inspected.value
  if (problem) problems.push(problem)
  const library = await readSkills(options, problems)
  if (!library.ok) return library
  const running = valueOrProblem(await readCuratorLease(storage, clock))
  const runs = valueOrProblem(await readUnfinishedRuns(storage))
  const backups = valueOrProblem(await listBackups(storage))
  const idle = await measureIdle({ storage, usage, now, lastStepAt })
  const rollback = valueOrProblem(await readRollbackState(storage))
  const merge = valueOrProblem(await readMergeIntent(storage))
  problems.push(...(runs?.problems ?? []), ...(backups?.problems ?? []))
  return ok({
    ...library.value,
    state,
    due: isCuratorDue(state, { now, idleMs: Number.POSITIVE_INFINITY }, settings),
    idleMs: idle.ok ? idle.value : undefined,
    running,
    unfinished: { rollback, runs: runs?.runs.filter(({ runId }) => runId !== running?.owner) ?? [], merge: merge?.umbrella.name },
    backups: { count: backups?.backups.length ?? 0, newest: backups?.backups[0] },
    problems,
  })
}
