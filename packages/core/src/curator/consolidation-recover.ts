/** Settles a merge that was interrupted: taken back as long as no skill had moved, else finished. Nothing of any skill is lost either way. */
import { ok, type Result } from '../shared/result.ts'
import { findSkillFolders, SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { archiveSources, type MergeDeps, type MergeSource } from './consolidation-archive.ts'
import { closeMergeIntent, type MergeIntent, readMergeIntent } from './consolidation-intent.ts'
import { findWritten, undoWrites } from './consolidation-undo.ts'

export interface RecoveredMerge {
  /** The umbrella's name. */
  readonly into: string
  /**
   * `undone`: the umbrella is as it was before. `finished`: its skills are in the archive, but for those in `kept`. `left`: somebody has changed the
   * umbrella since, so it stays as it is, and so do the skills that were still alive.
   */
  readonly outcome: 'undone' | 'finished' | 'left'
  /** Names. */
  readonly archived: readonly string[]
  readonly kept: readonly string[]
}

const isWhole = async ({ writes }: MergeIntent, { storage }: MergeDeps): Promise<Result<boolean>> => {
  for (const write of writes) {
    const written = await findWritten(storage, write)
    if (!written.ok) return written
    if (!written.value) return ok(false)
  }
  return ok(true)
}

/** Counted once its skills have moved. After a crash a patch may count once too often, which hurts nobody; a new record never starts over. */
export const recordUmbrella = async ({ umbrella }: MergeIntent, { usage }: MergeDeps): Promise<Result<unknown>> => {
  if (!umbrella.isNew) return usage.record(umbrella.name, 'patch')
  const records = await usage.load()
  if (!records.ok) return records
  const known = records.value.get(umbrella.name)
  return known && known.state !== 'archived' ? ok(undefined) : usage.record(umbrella.name, 'create', { createdBy: umbrella.createdBy })
}

interface Split {
  readonly live: readonly MergeSource[]
  readonly gone: readonly string[]
}

const splitSources = async ({ sources }: MergeIntent, { storage, skills, usage }: MergeDeps): Promise<Result<Split>> => {
  const listed = await storage.list(SKILLS_FOLDER)
  if (!listed.ok) return listed
  const folders = new Set(findSkillFolders(listed.value).map(({ path }) => path))
  const archive = await skills.listArchived()
  if (!archive.ok) return archive
  const absorbed = new Set(archive.value.entries.map(({ name }) => name))
  const moved = sources.filter(({ path, name }) => !folders.has(path) && absorbed.has(name)).map(({ name }) => name)
  const states = new Map(moved.map((name) => [name, 'archived'] as const))
  const written =
    states.size === 0 ? ok(undefined) : await usage.setStates(states, (_, { state, pinned }) => state !== 'archived' && !pinned)
  if (!written.ok) return written
  return ok({ live: sources.filter(({ path }) => folders.has(path)), gone: moved })
}

const finish = async (intent: MergeIntent, deps: MergeDeps): Promise<Result<RecoveredMerge>> => {
  const into = intent.umbrella.name
  const whole = await isWhole(intent, deps)
  if (!whole.ok) return whole
  const split = await splitSources(intent, deps)
  if (!split.ok) return split
  const { live, gone } = split.value
  if (!whole.value) return ok({ into, outcome: 'left', archived: gone, kept: live.map(({ name }) => name) })
  const moved = await archiveSources(live, intent.umbrella.path, deps)
  if (!moved.ok) return moved
  const recorded = await recordUmbrella(intent, deps)
  if (!recorded.ok) return recorded
  return ok({ into, outcome: 'finished', archived: [...gone, ...moved.value.archived.keys()], kept: [...moved.value.kept.keys()] })
}

const undo = async (intent: MergeIntent, deps: MergeDeps): Promise<Result<RecoveredMerge>> => {
  const undone = await undoWrites(deps.storage, intent)
  if (!undone.ok) return undone
  const kept = intent.sources.map(({ name }) => name)
  return ok({ into: intent.umbrella.name, outcome: undone.value ? 'undone' : 'left', archived: [], kept })
}

/** For the start of a run, under its lease. `undefined` where nothing was interrupted; a failure leaves it for the next start. */
export const recoverConsolidation = async (deps: MergeDeps): Promise<Result<RecoveredMerge | undefined>> => {
  const intent = await readMergeIntent(deps.storage)
  if (!intent.ok || intent.value === undefined) return intent.ok ? ok(undefined) : intent
  const settled = intent.value.phase === 'writing' ? await undo(intent.value, deps) : await finish(intent.value, deps)
  if (!settled.ok) return settled
  const closed = await closeMergeIntent(deps.storage, intent.value)
  return closed.ok ? settled : closed
}
