/** Settles runs of the curator that were interrupted: what was done is reported, what was half done is completed (seed 003). */
import type { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { ArchivedSkill } from '../../skills/archive/archived-skill.ts'
import { findSkillFolders, SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageRecords, UsageStore } from '../../usage/usage-store.ts'
import { endRun, type JournalledTransition, type RunJournal, readUnfinishedRuns } from './run-journal.ts'

export interface RecoverRunsOptions {
  readonly storage: StorageBackend
  readonly skills: Pick<SkillStore, 'listArchived'>
  readonly usage: Pick<UsageStore, 'load' | 'setStates'>
}

/** One interrupted run and what became of its transitions. */
export interface RecoveredRun {
  readonly runId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** What the library was before. */
  readonly backupId: string | undefined
  /** Names; so below. Was done in full. */
  readonly done: readonly string[]
  /** The folder had moved; its state is written now. */
  readonly repaired: readonly string[]
  /** Was not begun; the next run decides anew. */
  readonly open: readonly string[]
  /** Neither in its place nor in the archive: somebody has moved it since. */
  readonly gone: readonly string[]
}

/** Every interrupted run. */
export interface RecoveredRuns {
  /** Oldest first; empty where none was interrupted. */
  readonly runs: readonly RecoveredRun[]
  /** Journals that cannot be read; each stays, with its path in `details`. */
  readonly problems: readonly HermesError[]
}

interface Library {
  readonly live: ReadonlySet<string>
  readonly archived: readonly Pick<ArchivedSkill, 'name' | 'archivedAt'>[]
  readonly records: UsageRecords
}

type Settlement = 'done' | 'repair' | 'open' | 'gone'

/** Times in the names of entries have no smaller unit. */
const SECOND_MS = 1000

/** What became of one transition, judged by the library alone. Pure. */
const settleTransition = (
  { name, path, to }: JournalledTransition,
  { startedAt }: RunJournal,
  { live, archived, records }: Library,
): Settlement => {
  const record = records.get(name)
  if (to !== 'archived') return record?.state === to ? 'done' : 'open'
  if (live.has(path)) return 'open'
  // An older one of its name is not the one that this run was to put away.
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

/** For the start of a run, under its lease, once no rollback is unfinished. A failure leaves the journal for the next run; recovering twice is fine. */
export const recoverRuns = async (options: RecoverRunsOptions): Promise<Result<RecoveredRuns>> => {
  const unfinished = await readUnfinishedRuns(options.storage)
  if (!unfinished.ok) return unfinished
  const { runs, problems } = unfinished.value
  const recovered: RecoveredRun[] = []
  for (const run of runs) {
    // Anew for each: what one has settled is where the next one starts.
    const library = await readLibrary(options)
    if (!library.ok) return err(library.error)
    const one = await recoverRun(options, run, library.value)
    if (!one.ok) return one
    recovered.push(one.value)
  }
  return ok({ runs: recovered, problems })
}
