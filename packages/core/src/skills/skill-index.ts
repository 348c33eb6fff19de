/** Names and descriptions of the skills in a library, read again only if the stamps of their files change, and the list made of them (reference skills-curator 3). */
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut, DocumentInfo, ReadableStorage } from '../storage/storage-backend.ts'
import { checkSkillFileSize, type ReadSkill, readSkill } from './read-skill.ts'
import { findHiddenPlaces, findSkillFolders, SKILL_FILE, SKILLS_FOLDER, type SkillFolder, toDocumentPath } from './skill-discovery.ts'
import { type SkillDiagnostic, toSkillListing } from './skill-document.ts'

export interface SkillGlance {
  /** The front matter's name, or the folder's. */
  readonly name: string
  /** One line of at most 1024 characters. */
  readonly description: string
  readonly diagnostics: readonly SkillDiagnostic[]
}

export interface GlancedSkill {
  readonly folder: SkillFolder
  /** `unreadable` if its SKILL.md cannot be read as text. */
  readonly glance: Result<SkillGlance>
}

export interface SkillSurvey {
  /** All documents below the skills folder. */
  readonly documents: readonly DocumentInfo[]
  readonly skills: readonly GlancedSkill[]
  /** `unreadable`, with `details.path`: places that cannot be listed. */
  readonly problems: readonly HermesError[]
}

interface Kept {
  readonly stamp: string
  readonly glance: SkillGlance
}

/** A database answers these in one round trip; a process that opens several homes at once must not run out of file handles. */
const READS_AT_ONCE = 64
const BYTES_AT_ONCE = 1_048_576

/** After this many bytes other tasks get a turn: parsing front matter takes time. */
const BYTES_BETWEEN_PAUSES = 98_304

/** The overhead of a file, expressed in bytes. */
const BYTES_PER_FILE = 768

/** At most `READS_AT_ONCE` folders and `BYTES_AT_ONCE` each, or one larger file. */
const batchesOf = (folders: readonly SkillFolder[], sizeOf: (folder: SkillFolder) => number): readonly (readonly SkillFolder[])[] => {
  const batches: SkillFolder[][] = []
  let bytes = 0
  for (const folder of folders) {
    const size = sizeOf(folder)
    const last = batches.at(-1)
    if (last && last.length < READS_AT_ONCE && bytes + size <= BYTES_AT_ONCE) {
      last.push(folder)
      bytes += size
    } else {
      batches.push([folder])
      bytes = size
    }
  }
  return batches
}

/** Reads their SKILL.md in one cut; whoever asks for one later gets it. */
const readAhead = (storage: ReadableStorage, folders: readonly SkillFolder[]): Pick<ReadableStorage, 'read'> => {
  const cut = storage.read(folders.map((folder) => toDocumentPath(folder)))
  // One that rejects is reported when it is asked for.
  cut.catch(() => {})
  return { read: () => cut }
}

const toGlance = ({ document }: ReadSkill): SkillGlance => ({
  ...toSkillListing(document),
  name: document.name,
  diagnostics: document.diagnostics,
})

const tooMany = (beyond: number, limit: number): HermesError =>
  new HermesError('unreadable', `${beyond} skills beyond the first ${limit} are left out. Divide them among several folders.`)

/** The plain names of a skill: that of its front matter and that of its folder. */
export const namesOf = ({ folder, glance }: GlancedSkill): ReadonlySet<string> =>
  new Set(glance.ok ? [glance.value.name, folder.folderName] : [folder.folderName])

/** Keeps no texts, only some hundred bytes for each skill. A write of another process changes the stamp, so it is never missed. */
export class SkillIndex {
  readonly #storage: ReadableStorage
  readonly #maxSkills: number
  #kept: ReadonlyMap<string, Kept> = new Map()
  /** Has not begun to list yet. */
  #next: Promise<Result<SkillSurvey>> | undefined

  /** `maxSkills`: skills beyond it, in the order of the paths, are left out and counted in a problem. Default: no limit. */
  constructor(storage: ReadableStorage, { maxSkills = Number.POSITIVE_INFINITY }: { readonly maxSkills?: number } = {}) {
    this.#storage = storage
    this.#maxSkills = maxSkills
  }

  /**
   * Lists the library and reads the SKILL.md of every skill that is new or has changed. Calls of the same moment share one survey. `cut`: names the folder; its
   * listing is taken.
   */
  survey(cut?: Cut): Promise<Result<SkillSurvey>> {
    if (cut) return this.#survey(cut)
    this.#next ??= Promise.resolve().then(() => {
      this.#next = undefined
      return this.#survey()
    })
    return this.#next
  }

  async #survey(cut?: Cut): Promise<Result<SkillSurvey>> {
    const listed = cut ? await orError(async () => ok(cut.list(SKILLS_FOLDER))) : await this.#storage.list(SKILLS_FOLDER)
    if (!listed.ok) return listed
    const documents = listed.value
    const problems = findHiddenPlaces(documents).map(
      ({ path, reason }) => new HermesError('unreadable', `'${path}' ${reason}`, { details: { path } }),
    )
    const folders = findSkillFolders(documents)
    const shown = folders.slice(0, this.#maxSkills)
    const beyond = folders.length - shown.length
    const skills = await this.glance(documents, shown)
    return ok({ documents, skills, problems: beyond === 0 ? problems : [...problems, tooMany(beyond, this.#maxSkills)] })
  }

  /** In the given order, without skills that are gone. `documents` is a fresh listing. */
  async glance(documents: readonly DocumentInfo[], folders: readonly SkillFolder[]): Promise<readonly GlancedSkill[]> {
    const wanted = new Map(folders.map((folder) => [toDocumentPath(folder), folder]))
    const stamps = new Map<string, string>()
    const sizes = new Map<SkillFolder, number>()
    const known = new Map<string, Result<SkillGlance>>()
    for (const { path, size, stamp, unreadable } of documents) {
      const folder = wanted.get(path)
      if (!folder) continue
      sizes.set(folder, size)
      if (!unreadable) stamps.set(path, stamp)
      const sized = checkSkillFileSize(path, size)
      if (!sized.ok) known.set(path, sized)
    }
    const unknown: SkillFolder[] = []
    for (const [path, folder] of wanted) {
      const kept = this.#kept.get(path)
      if (known.has(path)) continue
      if (kept !== undefined && kept.stamp === stamps.get(path)) known.set(path, ok(kept.glance))
      else unknown.push(folder)
    }
    if (unknown.length > 0) await this.#read(unknown, sizes, known)
    this.#keep(documents, stamps, known)
    return [...wanted].flatMap(([path, folder]) => {
      const glance = known.get(path)
      return glance ? [{ folder, glance }] : []
    })
  }

  async #read(
    folders: readonly SkillFolder[],
    sizes: ReadonlyMap<SkillFolder, number>,
    found: Map<string, Result<SkillGlance>>,
  ): Promise<void> {
    const sizeOf = (folder: SkillFolder) => BYTES_PER_FILE + (sizes.get(folder) ?? 0)
    let parsedSincePause = 0
    for (const batch of batchesOf(folders, sizeOf)) {
      const storage = readAhead(this.#storage, batch)
      for (const folder of batch) {
        const bytes = sizeOf(folder)
        if (parsedSincePause + bytes > BYTES_BETWEEN_PAUSES) {
          await pause()
          parsedSincePause = 0
        }
        parsedSincePause += bytes
        const reading = await readSkill(storage, folder)
        if (reading) found.set(toDocumentPath(folder), reading.ok ? ok(toGlance(reading.value)) : reading)
      }
    }
  }

  /** Drops entries that are gone; unreadable skills are read again each time. */
  #keep(documents: readonly DocumentInfo[], stamps: ReadonlyMap<string, string>, found: ReadonlyMap<string, Result<SkillGlance>>): void {
    const kept = new Map<string, Kept>()
    for (const { path } of documents) {
      const before = this.#kept.get(path)
      const stamp = stamps.get(path)
      const glance = found.get(path)
      if (stamp !== undefined && glance?.ok) kept.set(path, before?.stamp === stamp ? before : { stamp, glance: glance.value })
      else if (stamp === undefined && before) kept.set(path, before)
    }
    this.#kept = kept
  }
}

/** The name is the key of its usage record. */
export interface SkillListEntry extends SkillFolder, SkillGlance {
  /** Position in `skills.shared` of the storage that holds it; absent for a skill of this home. */
  readonly sharedFrom?: number
}

export interface SkillListing {
  /** By category, then name; skills without a category first. Includes skills of the same name. */
  readonly skills: readonly SkillListEntry[]
  /**
   * `unreadable`: a skill or folder that is left out, in `details.path`. `ambiguous`: several skills have the name in `details.name`, see
   * `details.candidates`.
   */
  readonly problems: readonly HermesError[]
}

/** Unambiguous, even if a skill at the top shares its name with one in a category. */
export const toCandidates = (folders: readonly SkillFolder[]): readonly string[] => folders.map(({ path }) => `${path}/${SKILL_FILE}`)

const sharedNames = (skills: readonly GlancedSkill[]): readonly HermesError[] => {
  const byName = new Map<string, SkillFolder[]>()
  for (const skill of skills) {
    for (const name of namesOf(skill)) {
      const folders = byName.get(name)
      if (folders) folders.push(skill.folder)
      else byName.set(name, [skill.folder])
    }
  }
  return [...byName]
    .filter(([, folders]) => folders.length > 1)
    .map(([name, folders]) => {
      const candidates = toCandidates(folders)
      const message = `${folders.length} skills are named '${name}': ${candidates.join(', ')}. Rename or archive all but one; until then refer to them by path.`
      return new HermesError('ambiguous', message, { details: { name, candidates } })
    })
}

export const byListOrder = (a: SkillListEntry, b: SkillListEntry): number =>
  byCodeUnit(a.category ?? '', b.category ?? '') || byCodeUnit(a.name, b.name) || byCodeUnit(a.path, b.path)

export const toListing = ({ skills, problems }: SkillSurvey): SkillListing => {
  const sound = skills.flatMap(({ folder, glance }): SkillListEntry[] => (glance.ok ? [{ ...folder, ...glance.value }] : []))
  const unreadable = skills.flatMap(({ glance }) => (glance.ok ? [] : [glance.error]))
  return { skills: sound.sort(byListOrder), problems: [...unreadable, ...problems, ...sharedNames(skills)] }
}
