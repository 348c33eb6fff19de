/** The skills of an agent behind the storage port: finds, reads and changes them (seeds 001 and 003, reference skills-curator 1, 3 and 6). */
import { type Clock, systemClock } from '../shared/clock.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { type ArchiveListing, listArchive } from './archive/archive-listing.ts'
import { archiveSkill } from './archive/archive-skill.ts'
import type { ArchivedSkill, ArchiveOptions, RestoredSkill } from './archive/archived-skill.ts'
import { restoreSkill } from './archive/restore-skill.ts'
import { openArchiver, type SkillArchiver } from './archive/skill-archiver.ts'
import { openSharedSkills } from './shared-skills.ts'
import type { SkillChange } from './skill-change.ts'
import { createSkill, type NewSkill } from './skill-create.ts'
import { SKILL_FILE, toDocumentPath } from './skill-discovery.ts'
import { editSkill, patchSkillFile, type SkillPatchChange } from './skill-edit.ts'
import { SkillIndex } from './skill-index.ts'
import { type SkillListing, toListing } from './skill-listing.ts'
import { lookUpSkill } from './skill-lookup.ts'
import type { SkillOp } from './skill-op.ts'
import type { SkillPatch } from './skill-patch.ts'
import { type ReadInTime, type SkillReader, sharingReader } from './skill-reader.ts'
import { checkVersion, type ExpectedVersion, patchSupportFile, removeSupportFile, writeSupportFile } from './skill-support-file.ts'
import { type SkillFileView, type SkillView, toSkillView, viewSkillFile } from './skill-view.ts'
import { type SkillWrite, toChangedSkill, toShownText } from './skill-write.ts'

export interface SkillStoreOptions {
  readonly storage: StorageBackend
  /** Default: the machine's time. */
  readonly clock?: Clock
  /** Called with every change once it is written, and awaited. It tells of its own failures: the change stands, and what it throws is ignored. */
  readonly onWrite?: (write: SkillWrite) => Promise<void>
}

export interface SkillFilePatch extends SkillPatch {
  /** A support file. Default: the SKILL.md. */
  readonly filePath?: string | undefined
}

/**
 * Wherever a skill is named, its front matter's name, its folder's, `category/name` or the path of its SKILL.md will do: `not_found`,
 * `ambiguous` with `details.candidates`, `unreadable`. Names and descriptions are kept by the stamps of the files, texts never; every change is
 * one atomic step that loses no other writer's.
 */
export class SkillStore implements SkillReader {
  readonly #storage: StorageBackend
  readonly #clock: Clock
  readonly #index: SkillIndex
  readonly #onWrite: (write: SkillWrite) => Promise<void>

  constructor({ storage, clock = systemClock, onWrite = async () => {} }: SkillStoreOptions) {
    this.#storage = storage
    this.#clock = clock
    this.#onWrite = onWrite
    this.#index = new SkillIndex(storage)
  }

  /**
   * Reads no other files than the SKILL.md of each skill, and those only where they were written since the last time. One that is broken is
   * named in `problems` and hides no other.
   */
  async list(): Promise<Result<SkillListing>> {
    const surveyed = await this.#index.survey()
    return surveyed.ok ? ok(toListing(surveyed.value)) : surveyed
  }

  /** The skill; with a `filePath` inside its folder, that file. */
  async view(target: string): Promise<Result<SkillView>>
  async view(target: string, filePath: string): Promise<Result<SkillFileView>>
  async view(target: string, filePath?: string): Promise<Result<SkillView | SkillFileView>>
  async view(target: string, filePath?: string): Promise<Result<SkillView | SkillFileView>> {
    const found = await lookUpSkill(this.#storage, this.#index, target)
    if (!found.ok) return found
    return filePath === undefined ? ok(toSkillView(found.value)) : viewSkillFile(this.#storage, found.value, filePath)
  }

  /**
   * These skills with those of shared storages behind them, for reading alone: nothing is ever written to a shared storage. `inTime` ends the wait for one; default:
   * none does.
   */
  withShared(storages: readonly StorageBackend[], inTime?: ReadInTime): SkillReader {
    if (storages.length === 0) return this
    return sharingReader(
      { survey: () => this.#index.survey(), view: (target, filePath) => this.view(target, filePath) },
      storages.map(openSharedSkills),
      inTime,
    )
  }

  /** `occupied` where the name or the folder is taken anywhere in the library; `invalid` and `over_limit` with `details.problems`. */
  async create(skill: NewSkill): Promise<Result<SkillChange>> {
    return this.#changed(await createSkill(this.#storage, this.#index, skill, this.#clock()), () => ({ action: 'create', ...skill }))
  }

  /** The whole SKILL.md anew. `drift` where another writer changed it meanwhile, or since it was viewed as `version`. */
  async edit(target: string, content: string, expected: ExpectedVersion = {}): Promise<Result<SkillChange>> {
    const found = await lookUpSkill(this.#storage, this.#index, target)
    if (!found.ok) return found
    const { skill } = found.value
    const other = checkVersion(toDocumentPath(skill), skill.version, expected)
    if (other) return err(other)
    return this.#changed(await editSkill(this.#storage, skill, content), (name) => ({ action: 'edit', name, content }))
  }

  /** Part of the SKILL.md, whose front matter must stay valid, or of a support file. Refusals of the match carry `details.reason`. */
  async patch(target: string, { filePath = SKILL_FILE, ...patch }: SkillFilePatch): Promise<Result<SkillPatchChange>> {
    const found = await lookUpSkill(this.#storage, this.#index, target)
    if (!found.ok) return found
    const { skill } = found.value
    const patched =
      filePath === SKILL_FILE
        ? await patchSkillFile(this.#storage, { skill, filePath, seen: skill.bytes }, patch)
        : await patchSupportFile(this.#storage, found.value, filePath, patch)
    const file = filePath === SKILL_FILE ? {} : { filePath }
    return this.#changed(patched, (name) => ({ action: 'patch', name, ...file, ...patch }))
  }

  /** A file in a support folder, new or whole anew: at most 1 MiB, and 100,000 code points where it is text. */
  async writeFile(
    target: string,
    filePath: string,
    content: string | Uint8Array,
    expected: ExpectedVersion = {},
  ): Promise<Result<SkillChange>> {
    const found = await lookUpSkill(this.#storage, this.#index, target)
    if (!found.ok) return found
    const written = await writeSupportFile(this.#storage, found.value, filePath, content, expected)
    return this.#changed(written, (name) => ({ action: 'write_file', name, filePath, content: toShownText(content) }))
  }

  /** A file in a support folder; `not_found` with `details.files`. What it held is in the answer. */
  async removeFile(target: string, filePath: string, expected: ExpectedVersion = {}): Promise<Result<SkillChange>> {
    const found = await lookUpSkill(this.#storage, this.#index, target)
    if (!found.ok) return found
    const removed = await removeSupportFile(this.#storage, found.value, filePath, expected)
    return this.#changed(removed, (name) => ({ action: 'remove_file', name, filePath }))
  }

  /**
   * The whole folder moves to the archive, never anything else; its usage record is the caller's to change, and so is the question
   * whether it may go. `invalid` where it holds other skills.
   */
  async archive(target: string, { at = this.#clock(), ...options }: ArchiveOptions): Promise<Result<ArchivedSkill>> {
    return this.#archived(await archiveSkill(this.#storage, this.#index, target, { ...options, at }))
  }

  /** For a run that puts many away: each of them as `archive` does, on one look at the library. */
  async archiver(): Promise<Result<SkillArchiver>> {
    const opened = await openArchiver(this.#storage, this.#index, this.#clock())
    return opened.ok ? ok(async (skill, options) => this.#archived(await opened.value(skill, options))) : opened
  }

  /** By id, or by name the newest; back to where it was. `not_found` with `details.candidates`; `occupied` where a living skill has its name. */
  async restore(nameOrId: string): Promise<Result<RestoredSkill>> {
    const restored = await restoreSkill(this.#storage, this.#index, nameOrId)
    if (restored.ok) await this.#tell({ kind: 'restored', restored: restored.value })
    return restored
  }

  /** Whoever put it there: what Python Hermes or a shell moved into the archive is listed and can be restored too. */
  async listArchived(): Promise<Result<ArchiveListing>> {
    const surveyed = await this.#index.survey()
    return surveyed.ok ? listArchive(this.#storage, this.#index, surveyed.value.documents) : surveyed
  }

  async #changed<T extends SkillChange>(change: Result<T>, toOp: (name: string) => SkillOp): Promise<Result<T>> {
    const write = change.ok ? toChangedSkill(change.value, toOp) : undefined
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
      // The change is written, whatever becomes of the record of it.
    }
  }
}
