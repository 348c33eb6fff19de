/** All skills of a library as a list, beside what is wrong in it (reference skills-curator 3). Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import { SKILL_FILE, type SkillFolder } from './skill-discovery.ts'
import { toSkillListing } from './skill-document.ts'
import type { SkillDiagnostic } from './skill-document-diagnostic.ts'
import { namesOf, type SkillReading } from './skill-read.ts'

export interface SkillListEntry extends SkillFolder {
  /** The front matter's, which is the key of its usage record. */
  readonly name: string
  /** One line of at most 1024 characters. */
  readonly description: string
  readonly diagnostics: readonly SkillDiagnostic[]
}

export interface SkillListing {
  /** By category, then name; those without a category first. Skills of one name are all here. */
  readonly skills: readonly SkillListEntry[]
  /** `unreadable`: a skill that is left out, `details.path`. `ambiguous`: several skills answer to `details.name`, `details.candidates`. */
  readonly problems: readonly HermesError[]
}

/** Names each of them for certain, even where a skill at the top shares its name with one in a category. */
export const toCandidates = (folders: readonly SkillFolder[]): readonly string[] => folders.map(({ path }) => `${path}/${SKILL_FILE}`)

const sharedNames = (readings: readonly SkillReading[]): readonly HermesError[] => {
  const byName = new Map<string, SkillFolder[]>()
  for (const reading of readings) {
    for (const name of namesOf(reading)) byName.set(name, [...(byName.get(name) ?? []), reading.folder])
  }
  return [...byName]
    .filter(([, folders]) => folders.length > 1)
    .map(([name, folders]) => {
      const candidates = toCandidates(folders)
      const message = `${folders.length} skills answer to the name '${name}': ${candidates.join(', ')}. Rename or archive all but one; until then name them by path.`
      return new HermesError('ambiguous', message, { details: { name, candidates } })
    })
}

const inOrder = (a: SkillListEntry, b: SkillListEntry): number =>
  byCodeUnit(a.category ?? '', b.category ?? '') || byCodeUnit(a.name, b.name) || byCodeUnit(a.path, b.path)

export const toListing = (readings: readonly SkillReading[]): SkillListing => {
  const skills = readings.flatMap(({ folder, skill }): SkillListEntry[] => {
    if (!skill.ok) return []
    const { document } = skill.value
    return [{ ...folder, name: document.name, description: toSkillListing(document).description, diagnostics: document.diagnostics }]
  })
  const unreadable = readings.flatMap(({ skill }) => (skill.ok ? [] : [skill.error]))
  return { skills: skills.sort(inOrder), problems: [...unreadable, ...sharedNames(readings)] }
}
