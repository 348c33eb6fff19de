/** Settles an interrupted merge: undone if no skill had been moved, otherwise finished. No content is lost either way. */
import type { ConsolidationStep } from '../../curator/consolidation-step.ts'
import { closeMergeIntent, type MergeIntent, type MergeSource, readMergeIntent } from '../../curator/merge-intent.ts'
import type { RecoveredMerge } from '../../curator/report/consolidation-report.ts'
import { addToRun } from '../../curator/run-journal/run-journal.ts'
import type { Journal, JournalRecordInput } from '../../journal/journal.ts'
import { ok, type Result } from '../../shared/result.ts'
import { findSkillFolders, SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import { archiveSources, type MergeDeps } from './archive.ts'
import { findUnwritten, undoWrites } from './undo.ts'

export interface RecoverMergeDeps extends MergeDeps {
  /** Receives a record of what was finished or undone. */
  readonly journal?: Pick<Journal, 'append'> | undefined
  /** The run during which it is settled; its backup is taken first. */
  readonly step?: Pick<ConsolidationStep, 'runId' | 'renew' | 'beforeChanges'> | undefined
}

type Settled = Omit<RecoveredMerge, 'problems'>

/** Counts the patch after the skills have moved. After a crash it may be counted twice; an existing record is not reset. */
export const recordUmbrella = async ({ umbrella }: MergeIntent, { usage }: MergeDeps): Promise<Result<unknown>> => {
  const { name, createdBy, model = null } = umbrella
  if (!umbrella.isNew) return usage.record(name, 'patch', { model })
  const records = await usage.load()
  if (!records.ok) return records
  const known = records.value.get(name)
  return known && known.state !== 'archived' ? ok(undefined) : usage.record(name, 'create', { createdBy, model })
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

const finish = async (intent: MergeIntent, deps: RecoverMergeDeps): Promise<Result<Settled>> => {
  const into = intent.umbrella.name
  const unwritten = await findUnwritten(deps.storage, intent)
  if (!unwritten.ok) return unwritten
  const split = await splitSources(intent, deps)
  if (!split.ok) return split
  const { live, gone } = split.value
  if (unwritten.value !== undefined) return ok({ into, outcome: 'left', archived: gone, kept: live.map(({ name }) => name) })
  const planned = live.map(({ name, path }) => ({ name, path, from: 'active' as const, to: 'archived' as const, absorbedInto: into }))
  const told = deps.step && planned.length > 0 ? await addToRun(deps.storage, deps.step.runId, planned) : ok(undefined)
  if (!told.ok) return told
  const moved = await archiveSources(live, intent.umbrella.path, deps)
  if (!moved.ok) return moved
  const recorded = await recordUmbrella(intent, deps)
  if (!recorded.ok) return recorded
  return ok({ into, outcome: 'finished', archived: [...gone, ...moved.value.archived.keys()], kept: [...moved.value.kept.keys()] })
}

const undo = async (intent: MergeIntent, deps: MergeDeps): Promise<Result<Settled>> => {
  const undone = await undoWrites(deps.storage, intent)
  if (!undone.ok) return undone
  const kept = intent.sources.map(({ name }) => name)
  return ok({ into: intent.umbrella.name, outcome: undone.value ? 'undone' : 'left', archived: [], kept })
}

const toRecords = ({ into, outcome, archived, kept }: Settled): readonly JournalRecordInput[] => {
  const shared = { actor: 'curator', kind: 'applied', target: 'skill' } as const
  if (outcome === 'undone')
    return [{ ...shared, reason: `A merge into '${into}' was interrupted and undone: ${kept.join(', ')} are unchanged.` }]
  return archived.map(
    (name): JournalRecordInput => ({
      ...shared,
      op: { action: 'archive', name, absorbedInto: into },
      reason: `A merge into '${into}' was interrupted; '${name}' is now recorded as archived.`,
    }),
  )
}

/** Call it at the start of a run, holding the lease. `undefined` if nothing was interrupted; a failure leaves it for the next start. */
export const recoverConsolidation = async (deps: RecoverMergeDeps): Promise<Result<RecoveredMerge | undefined>> => {
  const { storage, step, journal } = deps
  const intent = await readMergeIntent(storage)
  if (!intent.ok || intent.value === undefined) return intent.ok ? ok(undefined) : intent
  const renewed = step ? await step.renew() : ok(undefined)
  if (!renewed.ok) return renewed
  const saved = step ? await step.beforeChanges() : ok(undefined)
  if (!saved.ok) return saved
  const settled = intent.value.phase === 'writing' ? await undo(intent.value, deps) : await finish(intent.value, deps)
  if (!settled.ok) return settled
  const closed = await closeMergeIntent(storage, intent.value)
  if (!closed.ok) return closed
  const told = await journal?.append(toRecords(settled.value))
  return ok({ ...settled.value, problems: told && !told.ok ? [told.error] : [] })
}
