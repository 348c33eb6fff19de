/**
 * The journal of a curator's run: what it is about to do, written before the first change and gone after the last (seed 003).
 *
 * How a run uses it: `beginRun` once everything is decided and the backup is there, with every planned transition; change the library;
 * `addToRun` once for each further batch that is decided later, before it is begun; `endRun` when all is done, also when it stopped at an
 * error that was reported. The next run, before anything else and under its lease: `recoverRuns`, once no rollback is open. Nothing is
 * written per operation: whether one was done is seen in the library itself, since each move is atomic.
 */
import * as z from 'zod'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { type LimitedSchema, libraryDocument, readJsonDocument } from '../../storage/json-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { SKILL_STATES } from '../../usage/usage-record.ts'
import { inBatches } from '../backup/backup-batches.ts'
import { RUNS_FOLDER } from '../backup/backup-scope.ts'
import { writeAhead } from '../write-ahead.ts'

const RUN_ID = /^[A-Za-z0-9_-](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?$/

const transition = z.object({
  /** The key of its usage record. */
  name: z.string(),
  /** Below the folder of skills, such as `devops/deploy`. */
  path: z.string(),
  from: z.enum(SKILL_STATES),
  to: z.enum(SKILL_STATES),
  /** The skill that holds its content from now on. */
  absorbedInto: z.string().optional(),
})

const run = z.object({
  /** 1–100 of letters, digits, `.`, `_` and `-`; does not begin with a dot. */
  runId: z.string().regex(RUN_ID),
  /** Epoch milliseconds. */
  startedAt: z.number(),
  /** The backup that was taken before; `undefined` where backups are switched off. */
  backupId: z.string().optional(),
  planned: z.array(transition).readonly(),
})

/** One step of a run, as it was decided. */
export type JournalledTransition = Readonly<z.infer<typeof transition>>

/** One run, from its first change to its last. */
export type RunJournal = Readonly<z.infer<typeof run>>

const schema: LimitedSchema<RunJournal> = libraryDocument(run)

const pathOf = (runId: string): string => `${RUNS_FOLDER}/${runId}.json`

const checkRunId = (runId: string): Result<string> =>
  RUN_ID.test(runId)
    ? ok(pathOf(runId))
    : err(new HermesError('invalid', `'${runId.slice(0, 80)}' is no id of a run. Use up to 100 letters, digits, '.', '_' and '-'.`))

/** `occupied` where a run of this id is there already. */
export const beginRun = async (storage: StorageBackend, journal: RunJournal): Promise<Result<void>> => {
  const path = checkRunId(journal.runId)
  if (!path.ok) return path
  const first = await writeAhead(path.value, schema).open(storage, journal)
  if (!first.ok) return first
  return first.value
    ? err(new HermesError('occupied', `The run '${journal.runId}' has begun already. Give each run its own id.`))
    : ok(undefined)
}

/** Further transitions of a run under way, one write for all of them. `not_found` where it has ended or was rolled back. */
export const addToRun = async (storage: StorageBackend, runId: string, planned: readonly JournalledTransition[]): Promise<Result<void>> => {
  const path = checkRunId(runId)
  if (!path.ok) return path
  const added = await writeAhead(path.value, schema).advance(
    storage,
    () => true,
    (current) => ({ ...current, planned: [...current.planned, ...planned] }),
  )
  if (!added.ok) return added
  const message = `The run '${runId}' has no journal: it has ended, or was rolled back. Stop it.`
  return added.value ? ok(undefined) : err(new HermesError('not_found', message, { details: { runId } }))
}

/** The report says what a run did; the journal is only for what was interrupted. Ending twice is fine. */
export const endRun = async (storage: StorageBackend, runId: string): Promise<Result<void>> => {
  const path = checkRunId(runId)
  if (!path.ok) return path
  const removed = await storage.update(path.value, () => undefined)
  return removed.ok ? ok(undefined) : removed
}

/** Journals that have no end yet. */
export interface UnfinishedRuns {
  /** Oldest first. */
  readonly runs: readonly RunJournal[]
  /** Journals that cannot be read, each with its path in `details`. */
  readonly problems: readonly HermesError[]
}

/** Runs that were interrupted, and those that are under way in another process: hold the lease of the curator before you recover them. */
export const readUnfinishedRuns = async (storage: StorageBackend): Promise<Result<UnfinishedRuns>> => {
  const listed = await storage.list(RUNS_FOLDER)
  if (!listed.ok) return listed
  const read = await inBatches(listed.value, async ({ path }) => ok(await readJsonDocument(storage, path, schema)))
  if (!read.ok) return read
  const runs = read.value.flatMap((outcome) => (outcome.ok && outcome.value ? [outcome.value] : []))
  const problems = read.value.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]))
  return ok({ runs: runs.sort((a, b) => a.startedAt - b.startedAt), problems })
}

/** After a rollback: the library is as it was before those runs, so that none of them has anything left to finish. Answers their ids. */
export const dropRuns = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const listed = await storage.list(RUNS_FOLDER)
  if (!listed.ok) return listed
  return inBatches(listed.value, async ({ path }) => {
    const removed = await storage.update(path, () => undefined)
    return removed.ok ? ok(path.slice(RUNS_FOLDER.length + 1).replace(/\.json$/, '')) : removed
  })
}
