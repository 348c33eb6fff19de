/** A home as its curator uses it, and what it reads of the library for decisions. */
import type { SkillEvaluationLimits, SkillEvaluator } from '../evaluation/skill-evaluator.ts'
import type { ReviewGate } from '../gate/review-gate.ts'
import type { HostActor } from '../journal/host-recorder.ts'
import { type JournalRecordInput, type PreparedRecords, prepareRecords } from '../journal/journal.ts'
import { dayOf, journalPath } from '../journal/journal-days.ts'
import type { HostModel } from '../model/host-model.ts'
import { readOwnershipMarks } from '../ownership/skill-ownership.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { concernsOneSkill } from '../skills/archive.ts'
import { SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import type { SkillStore } from '../skills/skill-store.ts'
import { isBelow } from '../storage/document-tree.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import { readActiveDays } from './active-days.ts'
import type { Ageing } from './age.ts'
import type { HermesCuratorOptions } from './curator-options.ts'
import type { Library } from './plan-transitions.ts'
import type { CuratorEvent, CuratorProblem } from './report.ts'
import type { IdleHome } from './schedule.ts'

/** What a preview and the status read. */
export interface LibraryHome {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly skills: Pick<SkillStore, 'list' | 'listArchived'>
  readonly usage: Pick<UsageStore, 'load'>
}

export interface CuratorHome extends LibraryHome, IdleHome {
  readonly createId: () => string
  /** The ids of the journal records that the verbs take back. */
  readonly undoes?: readonly string[] | undefined
  readonly skills: SkillStore
  readonly usage: UsageStore
  readonly gate: ReviewGate
  /** Who calls the verbs, for the journal. */
  readonly actor: HostActor
  readonly emit: (event: CuratorEvent | CuratorProblem) => void
  readonly options: {
    readonly curator: HermesCuratorOptions
    readonly review: { readonly model?: HostModel | undefined }
    readonly skills?: { readonly evaluate?: SkillEvaluator | undefined; readonly evaluation: SkillEvaluationLimits }
  }
}

/** The skills, their owners and the days of use; usage is in the cut that decides. `over` notes what was read of owners and days. */
export const readLibrary = async (
  { skills }: Pick<LibraryHome, 'skills'>,
  over: StorageBackend,
  { ageing, now, toldAt }: { readonly ageing: Ageing; readonly now: number; readonly toldAt?: number | undefined },
): Promise<Result<Omit<Library, 'records'>>> => {
  const marks = await readOwnershipMarks(over, { clock: () => now })
  if (!marks.ok) return marks
  const activeDays = ageing.countBy === 'active-days' ? await readActiveDays(over) : ok([])
  if (!activeDays.ok) return activeDays
  // At once, so that both come from one listing.
  const [archived, listing] = await Promise.all([skills.listArchived(), skills.list()])
  if (!archived.ok) return archived
  if (!listing.ok) return listing
  return ok({
    marks: marks.value,
    activeDays: activeDays.value,
    archived: archived.value.entries,
    listing: listing.value,
    ageing,
    now,
    toldAt,
  })
}

/** The journal's lines of one update: the path it has to name, and what it appends. */
export const journalAt = ({ createId, undoes }: Pick<CuratorHome, 'createId' | 'undoes'>, at: number) => ({
  path: journalPath(dayOf(at)),
  append: (records: readonly JournalRecordInput[]): PreparedRecords['append'] =>
    prepareRecords(records, { clock: () => at, createId, undoes }).append,
})

/** The errors of all that a storage could not move, where it tells of more than the first (as the causes of its error). */
const errorsIn = (error: HermesError): readonly unknown[] => (error.cause instanceof AggregateError ? error.cause.errors : [error])

/**
 * What cannot be moved, such as a link, is left out, and the work is done again without it: `work` is called with the paths that could not be moved, each with
 * its error. It ends, because each time has to name another path.
 */
export const withoutBlocked = async <T>(work: (blocked: ReadonlyMap<string, HermesError>) => Promise<Result<T>>): Promise<Result<T>> => {
  const blocked = new Map<string, HermesError>()
  for (;;) {
    const done = await work(blocked)
    if (done.ok || !concernsOneSkill(done.error)) return done
    const before = blocked.size
    for (const error of errorsIn(done.error)) {
      const path = HermesError.isInstance(error) ? error.details['path'] : undefined
      if (HermesError.isInstance(error) && typeof path === 'string' && isBelow(path, SKILLS_FOLDER)) blocked.set(path, error)
    }
    if (blocked.size === before) return done
  }
}
