/**
 * The journal of a curator run: its planned transitions, written before the first change and removed after the last (seed 003).
 *
 * Usage: `beginRun` with all planned transitions once they are decided and the backup is taken; change the library; `addToRun` before
 * each batch that is decided later; `endRun` at the end, also after a reported error. The next run first calls `recoverRuns`, holding its
 * lease, once no rollback is unfinished. Single operations are not recorded: each move is atomic, so the library shows whether it was
 * done.
 */

import * as z from 'zod/mini'
import type { ShapeOf } from '../../shared/check-shape.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { type LimitedSchema, libraryDocument, readJsonDocument } from '../../storage/json-document.ts'
import { updateDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { SKILL_STATES, type SkillState } from '../../usage/usage-record.ts'
import { inBatches } from '../backup/backup-batches.ts'
import { RUNS_FOLDER } from '../backup/backup-scope.ts'
import { writeAhead } from '../write-ahead.ts'

const RUN_ID = /^[A-Za-z0-9_-](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?$/

/** A planned transition. */
export interface JournalledTransition {
  /** The key of the skill's usage record. */
  readonly name: string
  /** Relative to the skills folder, such as `devops/deploy`. */
  readonly path: string
  readonly from: SkillState
  readonly to: SkillState
  /** The skill that holds the content from now on. */
  readonly absorbedInto?: string | undefined
}

/** A run in progress. */
export interface RunJournal {
  /** 1–100 letters, digits, `.`, `_` and `-`; does not begin with a dot. */
  readonly runId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** The backup taken before the run; `undefined` if backups are switched off. */
  readonly backupId?: string | undefined
  readonly planned: readonly JournalledTransition[]
}

const transition = z.object({
  name: z.string(),
  path: z.string(),
  from: z.enum(SKILL_STATES),
  to: z.enum(SKILL_STATES),
  absorbedInto: z.optional(z.string()),
} satisfies ShapeOf<JournalledTransition>)

const run = z.object({
  runId: z.string().check(z.regex(RUN_ID)),
  startedAt: z.number(),
  backupId: z.optional(z.string()),
  planned: z.readonly(z.array(transition)),
} satisfies ShapeOf<RunJournal>)

const schema: LimitedSchema<RunJournal> = libraryDocument(run)

const pathOf = (runId: string): string => `${RUNS_FOLDER}/${runId}.json`

const checkRunId = (runId: string): Result<string> =>
  RUN_ID.test(runId)
    ? ok(pathOf(runId))
    : err(new HermesError('invalid', `'${runId.slice(0, 80)}' is not a valid run id. Use up to 100 letters, digits, '.', '_' and '-'.`))

/** `occupied` if a run with this id exists. */
export const beginRun = async (storage: StorageBackend, journal: RunJournal): Promise<Result<void>> => {
  const path = checkRunId(journal.runId)
  if (!path.ok) return path
  const first = await writeAhead(path.value, schema).open(storage, journal)
  if (!first.ok) return first
  return first.value
    ? err(new HermesError('occupied', `The run '${journal.runId}' has already begun. Give each run its own id.`))
    : ok(undefined)
}

/** Adds transitions to a run in progress, in one write. `not_found` if it has ended or was rolled back. */
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

/** Removes the journal; the report says what the run did. Ending twice is safe. */
export const endRun = async (storage: StorageBackend, runId: string): Promise<Result<void>> => {
  const path = checkRunId(runId)
  if (!path.ok) return path
  const removed = await updateDocument(storage, path.value, () => undefined)
  return removed.ok ? ok(undefined) : removed
}

export interface UnfinishedRuns {
  /** Oldest first. */
  readonly runs: readonly RunJournal[]
  /** Unreadable journals, each with its path in `details`. */
  readonly problems: readonly HermesError[]
}

/** Includes runs in progress in other processes: hold the curator's lease before recovering them. */
export const readUnfinishedRuns = async (storage: StorageBackend): Promise<Result<UnfinishedRuns>> => {
  const listed = await storage.list(RUNS_FOLDER)
  if (!listed.ok) return listed
  const read = await inBatches(listed.value, async ({ path }) => ok(await readJsonDocument(storage, path, schema)))
  if (!read.ok) return read
  const runs = read.value.flatMap((outcome) => (outcome.ok && outcome.value ? [outcome.value] : []))
  const problems = read.value.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]))
  return ok({ runs: runs.sort((a, b) => a.startedAt - b.startedAt), problems })
}

/** Call it after a rollback: the library is as before those runs, so there is nothing to recover. Returns their ids. */
export const dropRuns = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const listed = await storage.list(RUNS_FOLDER)
  if (!listed.ok) return listed
  return inBatches(listed.value, async ({ path }) => {
    const removed = await updateDocument(storage, path, () => undefined)
    return removed.ok ? ok(path.slice(RUNS_FOLDER.length + 1).replace(/\.json$/, '')) : removed
  })
}
