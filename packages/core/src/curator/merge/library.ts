/** The library for a consolidation: which skills may be rewritten, which may be archived, and why others are protected. Fails closed. */

import {
  describeProtection,
  judgeOwnership,
  protectionAgainst,
  readOwnershipMarks,
  type SkillOwner,
} from '../../ownership/skill-ownership.ts'
import { ok, type Result } from '../../shared/result.ts'
import { viewArchive } from '../../skills/archive.ts'
import { readSkill } from '../../skills/read-skill.ts'
import { SKILL_FILE, SKILLS_FOLDER, type SkillFolder } from '../../skills/skill-discovery.ts'
import type { SkillListing } from '../../skills/skill-index.ts'
import type { DocumentInfo, StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageRecord } from '../../usage/usage-record.ts'
import { isExemptFromMerging } from '../age.ts'
import type { CuratorHome } from '../curator-home.ts'

export type SkillHome = Pick<CuratorHome, 'storage' | 'skills' | 'usage' | 'clock'>

export interface MergeableSkill extends SkillFolder {
  readonly name: string
  readonly description: string
  readonly record: UsageRecord
  readonly owner: SkillOwner
  /** Why it may be an umbrella but not be archived; `undefined`: it may be archived. */
  readonly mustStay: string | undefined
  /** Files beside its SKILL.md, by path inside its folder; sizes in bytes. */
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** A skill with the text that the model is shown. */
export interface ShownSkill extends MergeableSkill {
  readonly text: string
  readonly bytes: Uint8Array
  readonly version: string
}

export interface ConsolidationLibrary {
  /** By name. */
  readonly mergeable: ReadonlyMap<string, MergeableSkill>
  /** Every other live skill by name, with the reason why it may not be merged. */
  readonly others: ReadonlyMap<string, string>
  /** Lower case: names and folders of live and archived skills and of bundled ones. A new umbrella may not use them. */
  readonly taken: ReadonlySet<string>
}

const filesIn = (documents: readonly DocumentInfo[], paths: readonly string[]): ReadonlyMap<string, MergeableSkill['files']> => {
  const found = new Map<string, { path: string; size: number }[]>(paths.map((path) => [path, []]))
  for (const { path, size } of documents) {
    const segments = path.slice(SKILLS_FOLDER.length + 1).split('/')
    for (let depth = segments.length - 1; depth > 0; depth--) {
      const inside = segments.slice(depth).join('/')
      const files = inside === SKILL_FILE ? undefined : found.get(segments.slice(0, depth).join('/'))
      files?.push({ path: inside, size })
    }
  }
  return found
}

const ambiguousIn = ({ problems }: SkillListing): ReadonlySet<string> =>
  new Set(problems.flatMap(({ code, details }) => (code === 'ambiguous' ? [String(details['name'])] : [])))

/** Fails with `unreadable` marks or records, because the owners are then unknown. */
export const readConsolidationLibrary = async ({ storage, skills, usage, clock }: SkillHome): Promise<Result<ConsolidationLibrary>> => {
  const marks = await readOwnershipMarks(storage, { clock })
  if (!marks.ok) return marks
  const records = await usage.load()
  if (!records.ok) return records
  const archived = await skills.listArchived()
  if (!archived.ok) return archived
  const listing = await skills.list()
  if (!listing.ok) return listing
  const documents = await storage.list(SKILLS_FOLDER)
  if (!documents.ok) return documents

  const ambiguous = ambiguousIn(listing.value)
  const view = viewArchive(documents.value)
  const files = filesIn(
    documents.value,
    listing.value.skills.map(({ path }) => path),
  )
  const mergeable = new Map<string, MergeableSkill>()
  const others = new Map<string, string>()
  for (const { name, description, path, folderName, category } of listing.value.skills) {
    const record = records.value.get(name)
    const folder: SkillFolder = { path, folderName, category }
    const ownership = judgeOwnership({ name, ...folder }, record, marks.value)
    const protection = protectionAgainst(ownership, 'merge')
    const stays =
      (ambiguous.has(name) || ambiguous.has(folderName) ? `Several skills are named '${name}'.` : undefined) ??
      (protection && describeProtection(protection, name)) ??
      (record === undefined ? `Nothing is known about the use of '${name}'.` : undefined) ??
      (record?.state === 'archived' ? `'${name}' is recorded as archived.` : undefined) ??
      (record && isExemptFromMerging(record)
        ? `'${name}' came back from the archive ${record.misjudgements} times, so it is left alone.`
        : undefined)
    if (stays !== undefined || record === undefined) {
      others.set(name, stays ?? '')
      continue
    }
    const againstArchive = protectionAgainst(ownership, 'archive')
    const mustStay = (againstArchive && `'${name}' was handed over, but not to be archived.`) ?? view.refuseNested(path)?.message
    mergeable.set(name, { name, description, ...folder, record, owner: ownership.owner, mustStay, files: files.get(path) ?? [] })
  }
  const names = [
    ...listing.value.skills.flatMap(({ name, folderName }) => [name, folderName]),
    ...archived.value.entries.flatMap(({ name, path, from }) => [name, (from ?? path).split('/').at(-1) ?? path]),
    ...marks.value.bundled,
    ...marks.value.hub.names,
  ]
  return ok({ mergeable, others, taken: new Set(names.map((name) => name.toLowerCase())) })
}

/** The skills that still exist and can be read, in the given order. A storage error ends it. */
export const readShown = async (storage: StorageBackend, skills: readonly MergeableSkill[]): Promise<Result<readonly ShownSkill[]>> => {
  const shown: ShownSkill[] = []
  for (const skill of skills) {
    const found = await readSkill(storage, skill)
    if (!found || (!found.ok && found.error.code === 'unreadable')) continue
    if (!found.ok) return found
    const { text, bytes, version, document } = found.value
    // One that was renamed meanwhile has another record.
    if (document.name === skill.name) shown.push({ ...skill, text, bytes, version })
  }
  return ok(shown)
}
