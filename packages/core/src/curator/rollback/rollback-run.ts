/**
 * Brings the library to the state of an opened backup. Every step can be repeated, so that the rollback can resume after an interruption.
 */

import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { ARCHIVE_FOLDER, readArchiveName } from '../../skills/archive.ts'
import { parseSkillDocument } from '../../skills/parse-skill-document.ts'
import { decodeSkillText } from '../../skills/read-skill.ts'
import { SKILL_FILE, SKILLS_FOLDER, type SkillFolder, toDocumentPath } from '../../skills/skill-discovery.ts'
import { equalContent } from '../../storage/equal-content.ts'
import { readDocument } from '../../storage/one-document.ts'
import type { DocumentInfo, StorageBackend } from '../../storage/storage-backend.ts'
import { USAGE_PATH } from '../../usage/usage-sidecar.ts'
import { inBatches } from '../backup/backup-batches.ts'
import type { OpenBackup } from '../backup/backup-open.ts'
import type { BackupContents } from '../backup/backup-unpack.ts'
import { dropRuns } from '../run-journal/run-journal.ts'
import { planRollback, type RollbackPlan, skillsIn } from './rollback-plan.ts'
import { replacedName } from './rollback-put.ts'
import { clearStaging, stageDocuments } from './rollback-stage.ts'
import { advanceRollback, closeRollback, type RollbackState } from './rollback-state.ts'
import { leaveEntries, nothingSwapped, type RollbackWork, type Swapped, swapDocuments } from './rollback-swap.ts'
import { restoreUsage } from './rollback-usage.ts'

const nameIn = (bytes: Uint8Array | undefined, folderName: string): string => {
  const text = bytes && decodeSkillText(bytes)
  return text === undefined ? folderName : parseSkillDocument(text, { folderName }).name
}

/** All names of the live skills in a backup: from their front matter and their folders. */
const liveNamesOf = (contents: BackupContents): ReadonlySet<string> =>
  new Set(
    skillsIn(contents.keys()).flatMap((folder) => [
      folder.folderName,
      nameIn(contents.get(toDocumentPath(folder))?.bytes, folder.folderName),
    ]),
  )

/** Skills with the keys of their usage records. */
const namedSkills = async (
  storage: StorageBackend,
  folders: readonly SkillFolder[],
): Promise<Result<readonly { readonly path: string; readonly name: string }[]>> =>
  inBatches(folders, async (folder) => {
    const read = await readDocument(storage, toDocumentPath(folder))
    // A skill that cannot be read is named after its folder; it is moved all the same.
    return ok({ path: folder.path, name: nameIn(read.ok ? read.value?.bytes : undefined, folder.folderName) })
  })

/** The archive entries whose skill has one of these names. */
const entriesNamed = async (
  storage: StorageBackend,
  entries: readonly string[],
  names: ReadonlySet<string>,
): Promise<Result<readonly string[]>> => {
  const found = await inBatches(entries, async (entry) => {
    const read = await readDocument(storage, `${ARCHIVE_FOLDER}/${entry}/${SKILL_FILE}`)
    if (read.ok && !read.value) return ok([])
    // A skill that cannot be read is named after its folder here too. It is moved aside, not deleted.
    const bytes = read.ok ? read.value?.bytes : undefined
    return ok(names.has(nameIn(bytes, readArchiveName(entry).base)) ? [entry] : [])
  })
  return found.ok ? ok(found.value.flat()) : found
}

/** What a rollback did; after a recovery, what the recovery did. */
export interface RollbackReport extends Readonly<Swapped> {
  /** The backup that was restored. */
  readonly id: string
  /** The backup of the previous state. */
  readonly safetyId: string
  /** Interrupted curator runs whose journals were dropped. */
  readonly droppedRuns: readonly string[]
}

const sameDocuments = async (
  storage: StorageBackend,
  live: readonly DocumentInfo[],
  { contents }: OpenBackup,
): Promise<Result<ReadonlySet<string>>> => {
  const candidates = live.filter(({ path, size }) => contents.get(path)?.bytes.length === size)
  const same = await inBatches(candidates, async ({ path }) => {
    const read = await readDocument(storage, path)
    if (!read.ok) return read
    return ok(read.value && equalContent(read.value, contents.get(path)) ? [path] : [])
  })
  return same.ok ? ok(new Set(same.value.flat())) : same
}

const makePlan = async ({
  storage,
  open,
}: RollbackWork): Promise<Result<{ readonly plan: RollbackPlan; readonly live: readonly DocumentInfo[] }>> => {
  const listed = await storage.list(SKILLS_FOLDER)
  if (!listed.ok) return listed
  const same = await sameDocuments(storage, listed.value, open)
  if (!same.ok) return same
  const plan = planRollback(listed.value, open, same.value)
  const [obstacle] = plan.obstacles
  if (obstacle === undefined) return ok({ plan, live: listed.value })
  const message = `'${obstacle}' is in the place of a document of the backup ${open.backup.id}. Move it away, then try again.`
  return err(new HermesError('occupied', message, { details: { paths: plan.obstacles } }))
}

/**
 * Before the first change, records what will be removed, so that a restart has the same list. `undefined` if another process has
 * finished.
 */
const stage = async (work: RollbackWork, plan: RollbackPlan, live: readonly DocumentInfo[]): Promise<Result<RollbackState | undefined>> => {
  const { storage, open, state } = work
  const staged = await stageDocuments(storage, open.contents, plan.puts, live)
  if (!staged.ok) return staged
  const gone = [...plan.leavingFirst, ...plan.leaving].flatMap(({ skill }) => skill ?? [])
  const skills = await namedSkills(storage, [...new Set(gone)])
  if (!skills.ok) return skills
  const entries = await entriesNamed(storage, plan.newEntries, liveNamesOf(open.contents))
  if (!entries.ok) return entries
  return advanceRollback(storage, { ...state, phase: 'swapping', leavingSkills: skills.value, leavingEntries: entries.value })
}

/** Called when all documents are in place. Returns the ids of the dropped runs. */
const settle = async (work: RollbackWork, done: Swapped): Promise<Result<readonly string[]>> => {
  const { storage, open, state } = work
  const left = await leaveEntries(work, done)
  if (!left.ok) return left
  const listed = await storage.list(SKILLS_FOLDER)
  if (!listed.ok) return listed
  const livePaths = new Set(skillsIn(listed.value.map(({ path }) => path)).map(({ path }) => path))
  const liveNames = liveNamesOf(open.contents)
  const archived = state.leavingSkills.filter(({ path, name }) => !livePaths.has(path) && !liveNames.has(name)).map(({ name }) => name)
  const then = open.contents.get(USAGE_PATH)?.bytes
  const { startedAt } = state
  const usage = await restoreUsage(storage, { then, archived: new Set(archived), startedAt, folder: replacedName(state) })
  if (!usage.ok) return usage
  if (usage.value) done.problems.push(usage.value)
  return dropRuns(storage)
}

const close = async (storage: StorageBackend, state: RollbackState): Promise<Result<void>> => {
  const cleared = await clearStaging(storage)
  return cleared.ok ? closeRollback(storage, state) : cleared
}

/** Cancels a rollback that has not changed anything yet. */
export const cancelRollback = close

/** After an error past the first change, call it again, now or at the next start (see `recoverRollback`). */
export const runRollback = async (work: RollbackWork): Promise<Result<RollbackReport>> => {
  const { storage, open } = work
  const planned = await makePlan(work)
  if (!planned.ok) return planned
  const { plan, live } = planned.value
  const done = nothingSwapped()
  const report = (droppedRuns: readonly string[]): Result<RollbackReport> =>
    ok({ id: open.backup.id, safetyId: work.state.safety, ...done, droppedRuns })

  const state = work.state.phase === 'staging' ? await stage(work, plan, live) : ok(work.state)
  if (!state.ok) return state
  if (!state.value) return report([])
  const swapping = { ...work, state: state.value }
  const swapped = await swapDocuments(swapping, plan, done)
  if (!swapped.ok) return swapped
  // Another process has finished, and the library is in use again.
  if (!swapped.value) return report([])
  const dropped = await settle(swapping, done)
  if (!dropped.ok) return dropped
  const closed = await close(storage, state.value)
  return closed.ok ? report(dropped.value) : closed
}
