/** The skills of a home while an import adds to them: which names and places are taken, and what is to be written. */
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { findSkillFolders, SKILLS_FOLDER, type SkillFolder, toDocumentPath } from '../skills/skill-discovery.ts'
import { namesOf, type SkillSurvey } from '../skills/skill-index.ts'
import { nameTaken } from '../skills/skill-lookup.ts'
import { orError, readDocument } from '../storage/one-document.ts'
import type { DocumentContent, DocumentInfo } from '../storage/storage-backend.ts'
import { readStoredRecord } from '../usage/stored-record.ts'
import { checkUsageName, newUsageRecord, type UsageRecord } from '../usage/usage-record.ts'
import { decodeSidecar, USAGE_PATH } from '../usage/usage-sidecar.ts'
import { isTime, partOf } from './export-manifest.ts'
import type { CheckedSkill, ExportedSkill } from './exported-skill.ts'
import { endsImport, type Import, invalidImport } from './import-context.ts'

const RENAME = { name: 'It was left unchanged. Rename or archive it, then import again.' }

/** File systems that ignore case treat such names as one. */
export const foldName = (name: string): string => name.toLowerCase()

/** By folder, in lower case: the documents in it, at any depth. */
const byFolder = (documents: readonly DocumentInfo[]): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>()
  for (const { path } of documents) {
    if (partOf(path) === undefined) continue
    const own = foldName(path)
    for (let end = own.length; end > SKILLS_FOLDER.length; end = own.lastIndexOf('/', end - 1)) {
      const folder = own.slice(0, end)
      const inside = found.get(folder)
      if (inside) inside.push(path)
      else found.set(folder, [path])
    }
  }
  return found
}

/** Records by skill name, without those that are malformed or have an invalid time. */
const readExportedUsage = ({ contents, trusted, tally }: Import): ReadonlyMap<string, UsageRecord> => {
  const bytes = contents.get(USAGE_PATH)?.bytes
  const sidecar = decodeSidecar(bytes && { bytes })
  if (!sidecar.ok) {
    const message = 'It cannot be read, so skills are imported without their usage records.'
    tally.refused('skills', USAGE_PATH, new HermesError('unreadable', message))
    return new Map()
  }
  const records = [...sidecar.value].flatMap(([name, stored]): (readonly [string, UsageRecord])[] => {
    const record = readStoredRecord(stored)
    // Of a record from outside, nothing but the age is believed: not its owner, its pin, its counts or its state.
    const believed = trusted || !record ? record : newUsageRecord(record.createdAt)
    if (!believed || !checkUsageName(name).ok) return []
    const { lastUsedAt, lastViewedAt, lastPatchedAt, createdAt, archivedAt, restoredAt } = believed
    return [lastUsedAt, lastViewedAt, lastPatchedAt, createdAt, archivedAt, restoredAt].every(isTime) ? [[name, believed]] : []
  })
  return new Map(records)
}

/** `same`: exactly its files exist. `begun`: some of them exist, but not the SKILL.md. `other`: any other file exists, or one differs. */
type SkillAtHome = 'nothing' | 'begun' | 'same' | 'other'

export class ImportedLibrary {
  readonly #import: Import
  readonly #put: Record<string, DocumentContent> = {}
  /** By folder: the documents of this home, and those that are added. */
  readonly #files: ReadonlyMap<string, readonly string[]>
  readonly #added = new Map<string, readonly string[]>()
  /** Folders of live skills by each of their names in lower case. */
  readonly #named = new Map<string, Set<SkillFolder>>()
  readonly #skillFolders: ReadonlySet<string>
  /** Where skills are found, if all of the export are added to those of this home. */
  readonly #found: ReadonlySet<string>
  readonly #usage: ReadonlyMap<string, UsageRecord>
  #sidecar: Result<unknown> = ok(undefined)

  private constructor(running: Import, { skills, documents }: SkillSurvey, exported: readonly ExportedSkill[]) {
    this.#import = running
    this.#files = byFolder(documents)
    this.#usage = readExportedUsage(running)
    for (const skill of skills) for (const name of namesOf(skill)) this.#name(name, skill.folder)
    this.#skillFolders = new Set(skills.map(({ folder }) => foldName(folder.path)))
    const added = exported.map(({ folder }) => ({ path: toDocumentPath(folder), size: 0, stamp: '' }))
    this.#found = new Set(findSkillFolders([...documents, ...added]).map(({ path }) => path))
  }

  static async open(running: Import, survey: SkillSurvey, exported: readonly ExportedSkill[]): Promise<Result<ImportedLibrary>> {
    const library = new ImportedLibrary(running, survey, exported)
    // Not read in the transaction: counts change all the time, and records are merged into them when all is written.
    const document = await readDocument(running.home.storage, USAGE_PATH)
    if (!document.ok && endsImport(document.error)) return document
    library.#sidecar = document.ok ? decodeSidecar(document.value) : document
    return ok(library)
  }

  #name(name: string, folder: SkillFolder): void {
    this.#named.set(foldName(name), (this.#named.get(foldName(name)) ?? new Set()).add(folder))
  }

  /** What is in a folder, compared with a skill. Files of other exported skills inside it do not count. */
  async compare(skill: CheckedSkill, folder: string): Promise<Result<SkillAtHome>> {
    const { over, contents } = this.#import
    const [from, to] = [`${SKILLS_FOLDER}/${folder}/`, `${SKILLS_FOLDER}/${skill.folder.path}/`]
    const here = this.#files.get(foldName(`${SKILLS_FOLDER}/${folder}`)) ?? []
    const isOwn = (path: string) => skill.contents.has(to + path.slice(from.length)) || !contents.has(path)
    const paths = this.#added.get(folder) ?? here.filter(isOwn)
    const cut = await over.read([USAGE_PATH, ...paths.filter((path) => !this.#put[path])])
    if (!cut.ok) return cut
    for (const path of paths) {
      const content = skill.contents.get(to + path.slice(from.length))
      const there = await orError(async () => ok(this.#put[path] ?? cut.value.document(path)))
      if (!there.ok && endsImport(there.error)) return there
      if (!content || !there.ok || !there.value || !equalBytes(there.value.bytes, content.bytes)) return ok('other')
    }
    if (paths.length === 0) return ok('nothing')
    if (paths.length === skill.contents.size) return ok('same')
    return ok(paths.includes(toDocumentPath({ path: folder })) ? 'other' : 'begun')
  }

  /** True if the very skill is live in this home, in any folder; fails with `occupied` if another has its name. */
  async has(skill: CheckedSkill): Promise<Result<boolean>> {
    const { name } = skill.document
    const named = new Set([name, skill.folder.folderName].flatMap((each) => [...(this.#named.get(foldName(each)) ?? [])]))
    for (const { path } of named) {
      const compared = await this.compare(skill, path)
      if (!compared.ok) return compared
      if (compared.value === 'same') return ok(true)
    }
    return named.size === 0 ? ok(false) : err(nameTaken(name, [...named], RENAME))
  }

  /** Whether a live skill can be where it was. `together`: the folders of all exported skills, which may be inside one another. */
  async checkPlace(skill: CheckedSkill, together: ReadonlySet<string>): Promise<Result<void>> {
    const { path, category } = skill.folder
    if (!this.#found.has(path)) return err(invalidImport(`'skills/${path}' is in a folder that is not searched for skills.`))
    const isInside = category !== undefined && !together.has(category) && this.#skillFolders.has(foldName(category))
    if (isInside)
      return err(invalidImport(`'${category}' is a skill, not a category: a skill cannot be inside another. Import it into another home.`))
    const compared = await this.compare(skill, path)
    if (!compared.ok) return compared
    if (compared.value === 'nothing' || compared.value === 'begun') return ok(undefined)
    const message = `'skills/${path}' has other files in this home, which were left unchanged. Rename or archive that skill, then import again.`
    return err(new HermesError('occupied', message))
  }

  /**
   * `unreadable` if it has a usage record, and the sidecar of this home is corrupt. A record of its name in this home stays. An archived skill brings none if a
   * live skill has its name, to which the record would give another owner.
   */
  add(skill: CheckedSkill): Result<void> {
    const { name } = skill.document
    const record = this.#named.has(foldName(name)) ? undefined : this.#usage.get(name)
    if (record && !this.#sidecar.ok) return this.#sidecar
    if (record) this.#import.usage.set(name, record)
    for (const [path, content] of skill.contents) this.#put[path] = content
    this.#added.set(skill.folder.path, [...skill.contents.keys()])
    return ok(undefined)
  }

  /** From now on a live skill has its names. */
  takeName(skill: CheckedSkill): void {
    for (const name of [skill.document.name, skill.folder.folderName]) this.#name(name, skill.folder)
  }

  put(path: string, bytes: Uint8Array): void {
    this.#put[path] = { bytes }
  }

  async write(): Promise<Result<void>> {
    if (Object.keys(this.#put).length === 0) return ok(undefined)
    const put = this.#put
    return this.#import.over.update(Object.keys(put), () => ({ put, value: undefined }))
  }
}
