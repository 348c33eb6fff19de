/** The status of the curator: schedule, managed skills, backups. Reads only (reference skills-curator 19). */
import {
  judgeOwnership,
  NO_OWNERSHIP_MARKS,
  type OwnershipGrant,
  protectionAgainst,
  readOwnershipMarks,
} from '../ownership/skill-ownership.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import type { SkillBackup } from './backup-manifest.ts'
import { listBackups } from './backups.ts'
import type { CuratorHome, LibraryHome } from './curator-home.ts'
import type { CuratorSettings } from './curator-options.ts'
import { isMerging } from './merging-run.ts'
import { type CuratorDue, isCuratorDue, measureIdle } from './schedule.ts'
import { type CuratorState, readCuratorState } from './state.ts'

export interface CuratorStatus {
  readonly state: CuratorState
  /** By the schedule alone, ignoring idle time. */
  readonly due: CuratorDue
  /** Milliseconds since the last activity in the home; `undefined` if there is none or it cannot be read. */
  readonly idleMs: number | undefined
  /** A run asks a model about merges at present, until then at the latest. Epoch milliseconds. */
  readonly mergingUntil: number | undefined
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

export type StatusHome = LibraryHome & Pick<CuratorHome, 'activity'>

const readSkills = async ({ storage, clock, skills, usage }: StatusHome, problems: HermesError[]) => {
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
export const readCuratorStatus = async (home: StatusHome, settings: CuratorSettings): Promise<Result<CuratorStatus>> => {
  const now = home.clock()
  const problems: HermesError[] = []
  const inspected = await readCuratorState(home.storage)
  if (!inspected.ok) return inspected
  const { state, problem } = inspected.value
  if (problem) problems.push(problem)
  const library = await readSkills(home, problems)
  if (!library.ok) return library
  const backups = await listBackups(home.storage)
  problems.push(...(backups.ok ? backups.value.problems : [backups.error]))
  const idle = await measureIdle(home, now)
  const known = backups.ok ? backups.value.backups : []
  const { merging } = state
  return ok({
    ...library.value,
    state,
    due: isCuratorDue(state, { now, idleMs: Number.POSITIVE_INFINITY }, settings),
    idleMs: idle.ok ? idle.value : undefined,
    mergingUntil: merging && isMerging(merging, now) ? merging.until : undefined,
    backups: { count: known.length, newest: known[0] },
    problems,
  })
}
