/** The skills of a home while an import adds to them: which names and places are taken, and what is to be written. */
import { documentIn } from '../memory/memory-document.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import type { ArchivedSkill } from '../skills/archive.ts'
import { listArchive } from '../skills/list-archive.ts'
import { findSkillFolders, SKILLS_FOLDER, type SkillFolder, toDocumentPath } from '../skills/skill-discovery.ts'
import { namesOf, SkillIndex, type SkillSurvey } from '../skills/skill-index.ts'
import { nameTaken } from '../skills/skill-lookup.ts'
import { readDocument } from '../storage/one-document.ts'
import type { DocumentContent, DocumentInfo } from '../storage/storage-backend.ts'
import { readStoredRecord } from '../usage/stored-record.ts'
import { checkUsageName, newUsageRecord, type UsageRecord } from '../usage/usage-record.ts'
import { decodeSidecar, USAGE_PATH } from '../usage/usage-sidecar.ts'
import { isTime, partOf } from './export-manifest.ts'
import type { CheckedSkill, ExportedSkill } from './exported-skill.ts'
import { endsImport, type Import, invalidImport, must } from './import-context.ts'

const RENAME = { name: 'It was left unchanged. Rename or archive it, then import again.' }

/** File systems that ignore case treat such names as one. */
const foldName = (name: string): string => name.toLowerCase()

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

/** The skills of a home while an import adds to them. */
export class ImportedLibrary {
  /** What is to be written. */
  readonly added: Record<string, DocumentContent> = {}
  readonly #import: Import
  /** By folder: the documents of this home. */
  readonly #files: ReadonlyMap<string, readonly string[]>
  /** By folder: the documents that are added. */
  readonly #addedFiles = new Map<string, readonly string[]>()
  /** Folders of live skills by each of their names in lower case. */
  readonly #named = new Map<string, Set<SkillFolder>>()
  readonly #skillFolders: ReadonlySet<string>
  /** The folders of all exported skills, which may be inside one another. */
  readonly #exported: ReadonlySet<string>
  /** Where skills are found, if all of the export are added to those of this home. */
  readonly #found: ReadonlySet<string>
  /** Ids in the archive of this home, by name in lower case. */
  readonly #archived: ReadonlyMap<string, string>
  readonly #usage: ReadonlyMap<string, UsageRecord>
  readonly #sidecar: Result<unknown>

  private constructor(
    running: Import,
    { skills, documents }: SkillSurvey,
    archived: readonly ArchivedSkill[],
    sidecar: Result<unknown>,
    exported: readonly ExportedSkill[],
  ) {
    this.#import = running
    this.#files = byFolder(documents)
    this.#usage = readExportedUsage(running)
    this.#sidecar = sidecar
    for (const skill of skills) for (const name of namesOf(skill)) this.#name(name, skill.folder)
    this.#skillFolders = new Set(skills.map(({ folder }) => foldName(folder.path)))
    this.#archived = new Map(archived.map(({ name, id }) => [foldName(name), id]))
    this.#exported = new Set(exported.map(({ folder }) => folder.path))
    const added = exported.map(({ folder }) => ({ path: toDocumentPath(folder), size: 0, stamp: '' }))
    this.#found = new Set(findSkillFolders([...documents, ...added]).map(({ path }) => path))
  }

  /** `exported`: the live skills of the export. */
  static async open(running: Import, exported: readonly ExportedSkill[]): Promise<ImportedLibrary> {
    const { over, home } = running
    const index = new SkillIndex(over)
    const survey = must(await index.survey())
    const { entries } = await listArchive(over, index, survey.documents)
    // Not read in the transaction: counts change all the time, and records are merged into them when all is written.
    const document = await readDocument(home.storage, USAGE_PATH)
    if (!document.ok && endsImport(document.error)) throw document.error
    return new ImportedLibrary(running, survey, entries, document.ok ? decodeSidecar(document.value) : document, exported)
  }

  #name(name: string, folder: SkillFolder): void {
    this.#named.set(foldName(name), (this.#named.get(foldName(name)) ?? new Set()).add(folder))
  }

  /** What is in a folder, compared with a skill: `other` if any file is not the skill's. Files of other exported skills inside it do not count. */
  async compare(skill: CheckedSkill, folder: string): Promise<'nothing' | 'same' | 'other'> {
    const { over, contents } = this.#import
    const [from, to] = [`${SKILLS_FOLDER}/${folder}/`, `${SKILLS_FOLDER}/${skill.folder.path}/`]
    const here = this.#files.get(foldName(`${SKILLS_FOLDER}/${folder}`)) ?? []
    const isOwn = (path: string) => skill.contents.has(to + path.slice(from.length)) || !contents.has(path)
    const paths = this.#addedFiles.get(folder) ?? here.filter(isOwn)
    if (paths.length === 0) return 'nothing'
    if (paths.length !== skill.contents.size) return 'other'
    const cut = must(await over.read(paths))
    for (const path of paths) {
      const content = skill.contents.get(to + path.slice(from.length))
      const there = this.added[path] ? ok(this.added[path]) : documentIn(cut, path)
      if (!there.ok && endsImport(there.error)) throw there.error
      if (!content || !there.ok || !there.value || !equalBytes(there.value.bytes, content.bytes)) return 'other'
    }
    return 'same'
  }

  /** True if the very skill is live in this home, in any folder. Throws `occupied` if another skill has its name, live or archived. */
  async has(skill: CheckedSkill): Promise<boolean> {
    const { name } = skill.document
    const named = new Set([name, skill.folder.folderName].flatMap((each) => [...(this.#named.get(foldName(each)) ?? [])]))
    for (const { path } of named) if ((await this.compare(skill, path)) === 'same') return true
    if (named.size > 0) throw nameTaken(name, [...named], RENAME)
    const id = this.#archived.get(foldName(name))
    if (id === undefined) return false
    const message = `'${name}' is archived in this home as '${id}' and was left there. Restore or rename that skill, then import again.`
    throw new HermesError('occupied', message)
  }

  /** Throws if a live skill cannot be where it was. */
  async checkPlace(skill: CheckedSkill): Promise<void> {
    const { path, category } = skill.folder
    if (!this.#found.has(path)) throw invalidImport(`'skills/${path}' is in a folder that is not searched for skills.`)
    if (category !== undefined && !this.#exported.has(category) && this.#skillFolders.has(foldName(category)))
      throw invalidImport(`'${category}' is a skill, not a category: a skill cannot be inside another. Import it into another home.`)
    if ((await this.compare(skill, path)) === 'nothing') return
    const message = `'skills/${path}' has other files in this home, which were left unchanged. Rename or archive that skill, then import again.`
    throw new HermesError('occupied', message)
  }

  /**
   * Throws `unreadable` if it has a usage record, and the sidecar of this home is corrupt. A record of its name in this home stays. An archived skill brings none if
   * a live skill has its name, to which the record would give another owner.
   */
  add(skill: CheckedSkill): void {
    const { name } = skill.document
    const record = this.#named.has(foldName(name)) ? undefined : this.#usage.get(name)
    if (record) must(this.#sidecar)
    if (record) this.#import.usage.set(name, record)
    for (const [path, content] of skill.contents) this.put(path, content)
    this.#addedFiles.set(skill.folder.path, [...skill.contents.keys()])
  }

  /** From now on a live skill has its names. */
  takeName({ document, folder }: CheckedSkill): void {
    for (const name of [document.name, folder.folderName]) this.#name(name, folder)
  }

  put(path: string, content: DocumentContent): void {
    this.added[path] = content
  }
}
