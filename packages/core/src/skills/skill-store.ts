/** Finds, reads and changes the skills of an agent behind the storage port (seeds 001 and 003, reference skills-curator 1, 3 and 6). */
import { type Clock, systemClock } from '../shared/clock.ts'
import { lazyVerbs, loadOnce, withLate } from '../shared/load-late.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { SKILL_FILE } from '../storage/storage-paths.ts'
import { withStorage } from '../storage/with-storage.ts'
import type { ArchiveListing } from './archive/archive-listing.ts'
import type { ArchivedSkill, ArchiveOptions, RestoredSkill } from './archive/archived-skill.ts'
import type { ArchiverOptions, SkillArchiver } from './archive/skill-archiver.ts'
import type { SkillChange } from './skill-change.ts'
import type { SkillIndex } from './skill-index.ts'
import type { SkillListing } from './skill-listing.ts'
import type { SkillOp } from './skill-op.ts'
import type { SkillPatch } from './skill-patch.ts'
import type { ExpectedVersion, SkillFileOp, SkillPlan } from './skill-plan.ts'
import type { SkillReader } from './skill-reader.ts'
import type { SkillFileView, SkillView } from './skill-view.ts'
import { type SkillWrite, toChangedSkill } from './skill-write.ts'
import type { ReadInTime } from './view-skill.ts'

export interface SkillStoreOptions {
  readonly storage: StorageBackend
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Called and awaited after every change. Its errors are ignored: the change is already written. */
  readonly onWrite?: (write: SkillWrite) => Promise<void>
}

/** What a new skill is made of: its name equals the name in its front matter; `category` is one folder to create it in. */
type NewSkill = Omit<Extract<SkillOp, { readonly action: 'create' }>, 'action'>

export interface SkillFilePatch extends SkillPatch {
  /** A support file. Default: the SKILL.md. */
  readonly filePath?: string | undefined
}

const loadChanges = async () => ({ ...(await import('./skill-plan.ts')), ...(await import('./skill-commit.ts')) })

/**
 * A skill can be named by its front matter's name, its folder's name, `category/name` or the path of its SKILL.md; errors are
 * `not_found`, `ambiguous` with `details.candidates`, `unreadable`. Names and descriptions are cached by file stamp, texts never. Every
 * change is one atomic step that keeps other writers' changes.
 */
export class SkillStore implements SkillReader {
  readonly #storage: StorageBackend
  readonly #clock: Clock
  readonly #index = loadOnce(async () => new (await import('./skill-index.ts')).SkillIndex(this.#storage))
  readonly #onWrite: (write: SkillWrite) => Promise<void>

  /** Throws a TypeError without a storage. */
  constructor(options: SkillStoreOptions) {
    const { storage, clock = systemClock, onWrite = async () => {} } = withStorage('SkillStore', options)
    this.#storage = storage
    this.#clock = clock
    this.#onWrite = onWrite
  }

  /** The code is loaded when it is first used: a session that starts with a kept text needs none of it. */
  #with<Code, T>(load: () => Promise<Code>, use: (code: Code, index: SkillIndex) => Promise<Result<T>>): Promise<Result<T>> {
    return withLate(
      'The code of skills',
      async () => ({ code: await load(), index: await this.#index() }),
      ({ code, index }) => use(code, index),
    )
  }

  /** Reads only the SKILL.md of each skill, and only if changed since the last time. Broken skills are listed in `problems`. */
  async list(): Promise<Result<SkillListing>> {
    return this.#with(
      () => import('./skill-listing.ts'),
      async ({ toListing }, index) => {
        const surveyed = await index.survey()
        return surveyed.ok ? ok(toListing(surveyed.value)) : surveyed
      },
    )
  }

  /** Returns the skill, or with a `filePath` inside its folder that file. */
  async view(target: string): Promise<Result<SkillView>>
  async view(target: string, filePath: string): Promise<Result<SkillFileView>>
  async view(target: string, filePath?: string): Promise<Result<SkillView | SkillFileView>>
  async view(target: string, filePath?: string): Promise<Result<SkillView | SkillFileView>> {
    return this.#with(
      () => import('./view-skill.ts'),
      ({ viewSkill }, index) => viewSkill(this.#storage, index, target, filePath),
    )
  }

  /**
   * A reader of these skills and of shared storages behind them; shared storages are never written to. `inTime` limits the wait for each;
   * default: no limit.
   */
  withShared(storages: readonly StorageBackend[], inTime?: ReadInTime): SkillReader {
    if (storages.length === 0) return this
    const load = async (): Promise<SkillReader> => {
      const [{ sharingReader }, { openSharedSkills }] = await Promise.all([import('./skill-reader.ts'), import('./shared-skills.ts')])
      const index = await this.#index()
      const own = { survey: () => index.survey(), view: (target: string, filePath?: string) => this.view(target, filePath) }
      return sharingReader(own, storages.map(openSharedSkills), inTime)
    }
    return lazyVerbs('The code of skills', load, 'list', 'view')
  }

  /**
   * What an operation would do; writes nothing. Errors are those of the operation itself, except for credentials, which are refused when
   * the plan is carried out.
   */
  async plan(op: SkillOp): Promise<Result<SkillPlan>> {
    return this.#with(loadChanges, async ({ planSkillFile, planNewSkill, newSkillConflict }, index) => {
      if (op.action !== 'create') return planSkillFile(this.#storage, index, op)
      const planned = planNewSkill(op)
      if (!planned.ok) return planned
      const surveyed = await index.survey()
      if (!surveyed.ok) return surveyed
      const conflict = newSkillConflict(planned.value, surveyed.value)
      return conflict ? err(conflict) : planned
    })
  }

  /** Carries out a plan. `drift` if the file has changed since. `reason`: for the archive. */
  async commit(plan: SkillPlan, reason: string): Promise<Result<SkillChange | ArchivedSkill>> {
    const { op, skill } = plan
    if (op.action === 'archive') return this.archive(`${skill.path}/${SKILL_FILE}`, { reason, absorbedInto: op.absorbedInto })
    const changed = await this.#with(loadChanges, ({ commitNewSkill, commitSkillFile }, index) =>
      op.action === 'create' ? commitNewSkill(this.#storage, index, plan, this.#clock()) : commitSkillFile(this.#storage, plan),
    )
    return this.#changed(changed, op)
  }

  /** `occupied` if the name or the folder is taken anywhere in the library; `invalid` and `over_limit` with `details.problems`. */
  async create(skill: NewSkill): Promise<Result<SkillChange>> {
    const op = { action: 'create', ...skill } as const
    const created = await this.#with(loadChanges, async ({ planNewSkill, commitNewSkill }, index) => {
      const planned = planNewSkill(op)
      return planned.ok ? commitNewSkill(this.#storage, index, planned.value, this.#clock()) : planned
    })
    return this.#changed(created, op)
  }

  /** Replaces the whole SKILL.md. `drift` if another writer changed it meanwhile, or since it was viewed as `version`. */
  edit(target: string, content: string, expected: ExpectedVersion = {}): Promise<Result<SkillChange>> {
    return this.#carryOut({ action: 'edit', name: target, content }, expected)
  }

  /** Patches the SKILL.md, whose front matter must stay valid, or a support file. Errors of the match carry `details.reason`. */
  patch(target: string, { filePath = SKILL_FILE, ...patch }: SkillFilePatch): Promise<Result<SkillChange>> {
    const file = filePath === SKILL_FILE ? {} : { filePath }
    return this.#carryOut({ action: 'patch', name: target, ...file, ...patch })
  }

  /** Creates or replaces a file in a support folder: at most 1 MiB, and 100,000 code points if it is text. */
  writeFile(target: string, filePath: string, content: string | Uint8Array, expected: ExpectedVersion = {}): Promise<Result<SkillChange>> {
    return this.#carryOut({ action: 'write_file', name: target, filePath, content }, expected)
  }

  /** Removes a file in a support folder and returns its content; `not_found` with `details.files`. */
  removeFile(target: string, filePath: string, expected: ExpectedVersion = {}): Promise<Result<SkillChange>> {
    return this.#carryOut({ action: 'remove_file', name: target, filePath }, expected)
  }

  /**
   * Moves the whole folder to the archive. The caller checks that the skill may be archived and updates its usage record. `invalid` if it
   * holds other skills.
   */
  async archive(target: string, { at = this.#clock(), ...options }: ArchiveOptions): Promise<Result<ArchivedSkill>> {
    return this.#archived(
      await this.#with(
        () => import('./archive/archive-skill.ts'),
        ({ archiveSkill }, index) => archiveSkill(this.#storage, index, target, { ...options, at }),
      ),
    )
  }

  /** For archiving many skills: like `archive` for each, with one listing of the library. */
  async archiver(options?: ArchiverOptions): Promise<Result<SkillArchiver>> {
    const opened = await this.#with(
      () => import('./archive/skill-archiver.ts'),
      ({ openArchiver }, index) => openArchiver(this.#storage, index, this.#clock(), options),
    )
    if (!opened.ok) return opened
    return ok(async (skills) => {
      const archived = await opened.value(skills)
      for (const one of archived) await this.#archived(one)
      return archived
    })
  }

  /**
   * Takes an id, or a name (its newest entry), and moves the skill back to its place. `not_found` with `details.candidates`; `occupied`
   * if a live skill has its name.
   */
  async restore(nameOrId: string): Promise<Result<RestoredSkill>> {
    const restored = await this.#with(
      () => import('./archive/restore-skill.ts'),
      ({ restoreSkill }, index) => restoreSkill(this.#storage, index, nameOrId),
    )
    if (restored.ok) await this.#tell({ kind: 'restored', restored: restored.value })
    return restored
  }

  /** Includes skills that Python Hermes or a shell moved into the archive; they can be restored too. */
  async listArchived(): Promise<Result<ArchiveListing>> {
    return this.#with(
      () => import('./archive/archive-listing.ts'),
      async ({ listArchive }, index) => {
        const surveyed = await index.survey()
        return surveyed.ok ? listArchive(this.#storage, index, surveyed.value.documents) : surveyed
      },
    )
  }

  async #carryOut(op: SkillFileOp, expected?: ExpectedVersion): Promise<Result<SkillChange>> {
    const changed = await this.#with(loadChanges, async ({ planSkillFile, commitSkillFile }, index) => {
      const planned = await planSkillFile(this.#storage, index, op, expected)
      return planned.ok ? commitSkillFile(this.#storage, planned.value, { repatch: true }) : planned
    })
    return this.#changed(changed, op)
  }

  async #changed(change: Result<SkillChange>, op: SkillPlan['op']): Promise<Result<SkillChange>> {
    const write = change.ok ? toChangedSkill(change.value, op) : undefined
    if (write) await this.#tell(write)
    return change
  }

  async #archived(archived: Result<ArchivedSkill>): Promise<Result<ArchivedSkill>> {
    if (archived.ok) await this.#tell({ kind: 'archived', archived: archived.value })
    return archived
  }

  async #tell(write: SkillWrite): Promise<void> {
    try {
      await this.#onWrite(write)
    } catch {
      // The change is written, even if the listener fails.
    }
  }
}
