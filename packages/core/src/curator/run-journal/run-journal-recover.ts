/** Settles interrupted curator runs: reports what was done and completes half-done transitions (seed 003). */
import type { SkillHome } from '../../ownership/skill-home.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { ArchivedSkill } from '../../skills/archive.ts'
import { findSkillFolders, SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import type { UsageRecords } from '../../usage/usage-store.ts'
import { endRun, type JournalledTransition, type RunJournal, readUnfinishedRuns } from './run-journal.ts'

interface RecoverRunsOptions extends Pick<SkillHome, 'storage'> {
  readonly skills: Pick<SkillHome['skills'], 'listArchived'>
  readonly usage: Pick<SkillHome['usage'], 'load' | 'setStates'>
}

/** An interrupted run and the outcome of its transitions. */
export interface RecoveredRun {
  readonly runId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** The backup taken before the run. */
  readonly backupId: string | undefined
  /** Names of skills, as in the lists below. Fully done. */
  readonly done: readonly string[]
  /** The folder had moved; the state has been written now. */
  readonly repaired: readonly string[]
  /** Not begun; the next run decides anew. */
  readonly open: readonly string[]
  /** Neither in its place nor in the archive: moved by somebody since. */
  readonly gone: readonly string[]
}

export interface RecoveredRuns {
  /** Oldest first; empty if none was interrupted. */
  readonly runs: readonly RecoveredRun[]
  /** Unreadable journals, with the path in `details`; they are kept. */
  readonly problems: readonly HermesError[]
}

interface Library {
  readonly live: ReadonlySet<string>
  readonly archived: readonly Pick<ArchivedSkill, 'name' | 'archivedAt'>[]
  readonly records: UsageRecords
}

type Settlement = 'done' | 'repair' | 'open' | 'gone'

/** The time stamps in entry names have a resolution of one second. */
const SECOND_MS = 1000

/** The outcome of one transition, judged from the library alone. Pure. */
const settleTransition = (
  { name, path, to }: JournalledTransition,
  { startedAt }: RunJournal,
  { live, archived, records }: Library,
): Settlement => {
  const record = records.get(name)
  if (to !== 'archived') return record?.state === to ? 'done' : 'open'
  if (live.has(path)) return 'open'
  // An older entry of the same name is not the one that this run archived.
  const isOurs = (entry: Library['archived'][number]): boolean =>
    entry.name === name && (entry.archivedAt === 0 || entry.archivedAt > startedAt - SECOND_MS)
  if (!archived.some(isOurs)) return 'gone'
  return record === undefined || record.state === 'archived' ? 'done' : 'repair'
}

const readLibrary = async ({ storage, skills, usage }: RecoverRunsOptions): Promise<Result<Library>> => {
  const records = await usage.load()
  if (!records.ok) return records
  const archived = await skills.listArchived()
  if (!archived.ok) return archived
  const listed = await storage.list(SKILLS_FOLDER)
  if (!listed.ok) return listed
  const live = new Set(findSkillFolders(listed.value).map(({ path }) => path))
  return ok({ live, archived: archived.value.entries, records: records.value })
}

const recoverRun = async (options: RecoverRunsOptions, run: RunJournal, library: Library): Promise<Result<RecoveredRun>> => {
  const settled = run.planned.map((transition) => ({ transition, how: settleTransition(transition, run, library) }))
  const named = (how: Settlement) => settled.filter((one) => one.how === how).map(({ transition }) => transition.name)
  const repaired = named('repair')
  if (repaired.length > 0) {
    const states = await options.usage.setStates(new Map(repaired.map((name) => [name, 'archived'])))
    if (!states.ok) return states
  }
  const ended = await endRun(options.storage, run.runId)
  if (!ended.ok) return ended
  const { runId, startedAt, backupId } = run
  return ok({ runId, startedAt, backupId, done: named('done'), repaired, open: named('open'), gone: named('gone') })
}

/**
 * Call it at the start of a run, holding the lease, once no rollback is unfinished. A failure keeps the journal for the next run; running
 * it twice is safe.
 */
export const recoverRuns = async (options: RecoverRunsOptions): Promise<Result<RecoveredRuns>> => {
  const unfinished = await readUnfinishedRuns(options.storage)
  if (!unfinished.ok) return unfinished
  const { runs, problems } = unfinished.value
  const recovered: RecoveredRun[] = []
  for (const run of runs) {
    // Read anew for each run: settling one changes the library for the next.
    const library = await readLibrary(options)
    if (!library.ok) return err(library.error)
    const one = await recoverRun(options, run, library.value)
    if (!one.ok) return one
    recovered.push(one.value)
  }
  return ok({ runs: recovered, problems })
}
