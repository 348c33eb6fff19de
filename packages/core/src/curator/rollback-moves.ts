/** Where a rollback moves what a backup does not have: skills to the archive, other documents beside the library. Nothing is deleted. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import type { ArchivedSkill } from '../skills/archive.ts'
import { ARCHIVE_FOLDER, archiveNames } from '../skills/archive.ts'
import { SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import type { SkillListEntry } from '../skills/skill-index.ts'
import type { DocumentInfo } from '../storage/storage-backend.ts'
import type { PackedBackup } from './backup.ts'
import { type BackupFile, REPLACED_FOLDER } from './backup-manifest.ts'
import type { OpenBackup } from './backups.ts'
import { ArchivePlanner } from './plan-archive.ts'
import { archiveNamesIn, type Leaving, type RollbackPlan } from './plan-rollback.ts'

/** A move of a folder or a document. */
export interface Moved {
  readonly from: string
  readonly to: string
}

/** The present library, packed as the safety snapshot, and the backup to go back to. */
export interface PreparedRollback {
  readonly documents: readonly DocumentInfo[]
  readonly open: OpenBackup
  readonly safety: PackedBackup
  readonly skills: readonly SkillListEntry[]
  readonly entries: readonly ArchivedSkill[]
  readonly plan: RollbackPlan
  /** All names of the live skills in the backup. */
  readonly liveNames: ReadonlySet<string>
  /** The contents of the skills that the archive of the backup has. */
  readonly archivedThen: ReadonlySet<string>
  /** The present content of each skill that leaves as a whole, by its folder. */
  readonly contents: ReadonlyMap<string, string>
  /** What cannot be moved, by path. */
  readonly blocked: ReadonlyMap<string, HermesError>
}

/** The path for a document that the rollback replaces or removes; `id` is that of the safety snapshot, which is given only once. */
export const asidePath = (path: string, id: string): string => `${REPLACED_FOLDER}/${id}/${path.slice(SKILLS_FOLDER.length + 1)}`

export const fileKey = ({ path, sha256, executable = false }: BackupFile): string => `${path} ${sha256} ${executable}`

/** What tells the files of each folder from those of another: their paths in it and their bytes. One pass over the files, since there may be many folders. */
export const contentsOf = (files: readonly BackupFile[], folders: Iterable<string>): ReadonlyMap<string, string> => {
  const found = new Map(Array.from(folders, (folder): [string, string[]] => [folder, []]))
  for (const file of files) {
    for (let end = file.path.indexOf('/'); end !== -1; end = file.path.indexOf('/', end + 1))
      found.get(file.path.slice(0, end))?.push(fileKey({ ...file, path: file.path.slice(end) }))
  }
  return new Map([...found].map(([folder, keys]) => [folder, keys.join('\n')]))
}

/** What one rollback moves, in order: skills in other skills come before them. */
export class RollbackMoves {
  readonly moves: Moved[] = []
  readonly problems: HermesError[] = []
  readonly put: Record<string, Uint8Array> = {}
  readonly #prepared: PreparedRollback
  readonly #id: string
  readonly #at: number
  readonly #archive: ArchivePlanner
  readonly #unreadable: ReadonlySet<string>
  readonly #listed: ReadonlyMap<string, SkillListEntry>
  /** The archive entries of skills whose folders partly remain. */
  readonly #entries = new Map<string, string>()

  constructor(prepared: PreparedRollback, id: string, at: number) {
    const { documents, open, skills } = prepared
    this.#prepared = prepared
    this.#id = id
    this.#at = at
    this.#archive = new ArchivePlanner(documents, archiveNamesIn(open))
    this.#unreadable = new Set(documents.flatMap(({ path, unreadable }) => (unreadable ? [path] : [])))
    this.#listed = new Map(skills.map((skill) => [skill.path, skill]))
  }

  aside(path: string): void {
    this.moves.push({ from: path, to: asidePath(path, this.#id) })
  }

  #toArchive(from: string, to: string): void {
    this.moves.push({ from, to })
  }

  #stamped(folderName: string): string {
    const names = archiveNames(folderName, this.#at)
    // The first has no time.
    names.next()
    return this.#archive.takeName(names)
  }

  leave({ kind, path, skill }: Leaving): void {
    const blocked = this.#prepared.blocked.get(path)
    if (blocked) this.problems.push(blocked)
    else if (kind !== 'skill' && this.#unreadable.has(path)) {
      const message = `'${path}' is not in the backup and cannot be moved, so it stays in its place.`
      this.problems.push(new HermesError('unreadable', message, { details: { path } }))
    } else if (kind === 'document' || !skill) this.aside(path)
    else if (kind === 'skill-file') {
      const entry = this.#entries.get(skill.path) ?? this.#stamped(skill.folderName)
      this.#entries.set(skill.path, entry)
      this.#toArchive(path, `${ARCHIVE_FOLDER}/${entry}/${path.slice(`${SKILLS_FOLDER}/${skill.path}/`.length)}`)
    } else if (this.#prepared.archivedThen.has(this.#prepared.contents.get(path) ?? '')) this.aside(path)
    else this.#archiveSkill(path, this.#listed.get(skill.path) ?? skill)
  }

  /** One that cannot be read is moved as a folder; the archive still lists it. */
  #archiveSkill(path: string, skill: SkillListEntry | NonNullable<Leaving['skill']>): void {
    const reason = `rolled back to ${this.#prepared.open.backup.id}`
    // Skills in it are moved before it.
    const planned = 'name' in skill ? this.#archive.plan({ skill, reason, at: this.#at }, false) : undefined
    if (planned?.ok) {
      this.#toArchive(...planned.value.move)
      Object.assign(this.put, planned.value.put)
    } else this.#toArchive(path, `${ARCHIVE_FOLDER}/${this.#stamped(skill.folderName)}`)
  }
}
