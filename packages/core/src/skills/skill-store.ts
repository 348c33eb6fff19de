/** Finds, reads and changes the skills of an agent behind the storage port (seeds 001 and 003, reference skills-curator 1, 3 and 6). */
import { type Clock, systemClock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { lazyVerbs, loadOnce, withLazy } from '../shared/lazy.ts'
import { ok, type Result } from '../shared/result.ts'
import type { ReadInTime } from '../storage/guarded-backend.ts'
import type { Cut, StorageBackend } from '../storage/storage-backend.ts'
import { SKILL_FILE } from '../storage/storage-paths.ts'
import { withStorage } from '../storage/with-storage.ts'
import { createSidecarDecoder } from '../usage/usage-sidecar.ts'
import type { ArchivedSkill, ArchiveOptions, RestoredSkill } from './archive.ts'
import type { SkillLibrary } from './change-skill.ts'
import type { ArchiveListing } from './list-archive.ts'
import type { SkillPatch } from './patch/patch-skill.ts'
import type { ExpectedVersion, SkillChange, SkillPlan } from './plan-skill.ts'
import type { SkillListing } from './skill-index.ts'
import type { SkillAuthor, SkillLog, SkillOp } from './skill-op.ts'
import type { SkillReader } from './skill-reader.ts'
import type { SkillFileView, SkillView } from './skill-view.ts'

export interface SkillStoreOptions {
  readonly storage: StorageBackend
  /** Default: the system clock. */
  readonly clock?: Clock
  /** What each change adds to another document in the same update, such as its lines in the journal. Default: nothing. */
  readonly log?: (() => Promise<Result<SkillLog>>) | undefined
  /** Called if a corrupt usage sidecar was set aside. */
  readonly onProblem?: (problem: HermesError) => void
}

/** What a new skill is made of: its name equals the name in its front matter; `category` is one folder to create it in. */
type NewSkill = Omit<Extract<SkillOp, { readonly action: 'create' }>, 'action'>

export interface SkillFilePatch extends SkillPatch {
  /** A support file. Default: the SKILL.md. */
  readonly filePath?: string | undefined
}

const loadChanges = () => import('./change-skill.ts')
const loadArchiving = () => import('./archive-skill.ts')

/**
 * A skill can be named by its front matter's name, its folder's name, `category/name` or the path of its SKILL.md; errors are
 * `not_found`, `ambiguous` with `details.candidates`, `unreadable`. Names and descriptions are cached by file stamp, texts never. Every
 * change is one update that keeps other writers' changes and also changes its usage record, if it has one.
 */
export class SkillStore implements SkillReader {
  readonly #library: () => Promise<SkillLibrary>
  readonly #clock: Clock

  /** Throws a TypeError without a storage. */
  constructor(options: SkillStoreOptions) {
    const { storage, clock = systemClock, log, onProblem = () => {} } = withStorage('SkillStore', options)
    this.#library = loadOnce(async () => {
      const { SkillIndex } = await import('./skill-index.ts')
      return { storage, index: new SkillIndex(storage), clock, sidecars: createSidecarDecoder(), log, onProblem }
    })
    this.#clock = clock
  }

  /** The code is loaded when it is first used: a session that starts with a kept text needs none of it. */
  #with<Code, T>(load: () => Promise<Code>, use: (code: Code, library: SkillLibrary) => Promise<Result<T>>): Promise<Result<T>> {
    return withLazy(
      'The code of skills',
      async () => ({ code: await load(), library: await this.#library() }),
      ({ code, library }) => use(code, library),
    )
  }

  /** Reads only the SKILL.md of each skill, and only if changed since the last time. Broken skills are listed in `problems`. `cut`: as for `SkillReader`. */
  async list(cut?: Cut): Promise<Result<SkillListing>> {
    return this.#with(
      () => import('./skill-index.ts'),
      async ({ toListing }, { index }) => {
        const surveyed = await index.survey(cut)
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
      () => import('./skill-view.ts'),
      ({ viewSkill }, { storage, index }) => viewSkill(storage, index, target, filePath),
    )
  }

  /**
   * A reader of these skills and of shared storages behind them; shared storages are never written to. `inTime` limits the wait for each;
   * default: no limit.
   */
  withShared(storages: readonly StorageBackend[], inTime?: ReadInTime): SkillReader {
    if (storages.length === 0) return this
    const load = async (): Promise<SkillReader> => {
      const { SharingReader } = await import('./skill-reader.ts')
      return new SharingReader(this, (await this.#library()).index, storages, inTime)
    }
    return lazyVerbs('The code of skills', load, 'list', 'view')
  }

  /**
   * What an operation would do; writes nothing. Errors are those of the operation itself, except for credentials, which are refused when
   * the plan is carried out.
   */
  plan(op: SkillOp): Promise<Result<SkillPlan>> {
    return this.#with(loadChanges, ({ planChange }, library) => planChange(library, op))
  }

  /** Carries out a plan. `drift` if the file has changed since. `reason`: for the archive. `author`: for the usage record. */
  async commit(plan: SkillPlan, reason: string, author?: SkillAuthor): Promise<Result<SkillChange | ArchivedSkill>> {
    const { op, skill } = plan
    if (op.action === 'archive') return this.archive(`${skill.path}/${SKILL_FILE}`, { reason, absorbedInto: op.absorbedInto, author })
    return this.#with(loadChanges, ({ commitPlan }, library) => commitPlan(library, plan, author))
  }

  /** `occupied` if the name or the folder is taken anywhere in the library; `invalid` and `over_limit` with `details.problems`. */
  create(skill: NewSkill): Promise<Result<SkillChange>> {
    return this.#change({ action: 'create', ...skill })
  }

  /** Replaces the whole SKILL.md. `drift` if another writer changed it meanwhile, or since it was viewed as `version`. */
  edit(target: string, content: string, expected: ExpectedVersion = {}): Promise<Result<SkillChange>> {
    return this.#change({ action: 'edit', name: target, content }, expected)
  }

  /** Patches the SKILL.md, whose front matter must stay valid, or a support file. Errors of the match carry `details.reason`. */
  patch(target: string, { filePath = SKILL_FILE, ...patch }: SkillFilePatch): Promise<Result<SkillChange>> {
    const file = filePath === SKILL_FILE ? {} : { filePath }
    return this.#change({ action: 'patch', name: target, ...file, ...patch })
  }

  /** Creates or replaces a file in a support folder: at most 1 MiB, and 100,000 code points if it is text. */
  writeFile(target: string, filePath: string, content: string | Uint8Array, expected: ExpectedVersion = {}): Promise<Result<SkillChange>> {
    return this.#change({ action: 'write_file', name: target, filePath, content }, expected)
  }

  /** Removes a file in a support folder and returns its content; `not_found` with `details.files`. */
  removeFile(target: string, filePath: string, expected: ExpectedVersion = {}): Promise<Result<SkillChange>> {
    return this.#change({ action: 'remove_file', name: target, filePath }, expected)
  }

  #change(op: SkillPlan['op'], expected?: ExpectedVersion): Promise<Result<SkillChange>> {
    return this.#with(loadChanges, ({ changeSkill }, library) => changeSkill(library, op, expected))
  }

  /**
   * Moves the whole folder to the archive. The caller checks that the skill may be archived. `invalid` if it holds other skills.
   */
  archive(target: string, { at = this.#clock(), ...options }: ArchiveOptions): Promise<Result<ArchivedSkill>> {
    return this.#with(loadArchiving, ({ archiveSkill }, library) => archiveSkill(library, target, { ...options, at }))
  }

  /**
   * Takes an id, or a name (its newest entry), and moves the skill back to its place; its age starts anew, and it ages more slowly. `not_found` with `details.candidates`; `occupied`
   * if a live skill has its name.
   */
  restore(nameOrId: string): Promise<Result<RestoredSkill>> {
    return this.#with(
      () => import('./restore-skill.ts'),
      ({ restoreSkill }, library) => restoreSkill(library, nameOrId),
    )
  }

  /** Includes skills that Python Hermes or a shell moved into the archive; they can be restored too. */
  async listArchived(): Promise<Result<ArchiveListing>> {
    return this.#with(
      () => import('./list-archive.ts'),
      async ({ listArchive }, { storage, index }) => {
        const surveyed = await index.survey()
        return surveyed.ok ? ok(await listArchive(storage, index, surveyed.value.documents)) : surveyed
      },
    )
  }
}
