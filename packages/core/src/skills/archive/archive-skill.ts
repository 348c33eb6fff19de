/**
 * Archives a skill: writes the manifest, then moves the whole folder in one step, so that the skill is always either live or archived
 * (DESIGN 3).
 */

import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { moveDocuments } from '../../storage/one-document.ts'
import type { DocumentInfo, StorageBackend } from '../../storage/storage-backend.ts'
import { SKILLS_FOLDER } from '../skill-discovery.ts'
import { toSkillListing } from '../skill-document.ts'
import type { SkillIndex, SkillListEntry } from '../skill-index.ts'
import { type FoundSkill, lookUpSkill } from '../skill-lookup.ts'
import {
  ARCHIVE,
  ARCHIVE_FOLDER,
  type ArchiveManifest,
  claimEntry,
  confirmManifest,
  dropManifest,
  entryOfManifest,
  isInFlight,
  readManifest,
} from './archive-manifest.ts'
import { archiveNames } from './archive-names.ts'
import { type ArchiveView, viewArchive } from './archive-view.ts'
import type { ArchivedSkill, ArchiveOptions } from './archived-skill.ts'

/** Maximum number of names to try. */
const MAX_NAMES = 1_000

export const toArchived = (entry: string, manifest: ArchiveManifest): ArchivedSkill => ({
  id: `${ARCHIVE}/${entry}`,
  name: manifest.name,
  path: entry,
  from: manifest.from,
  category: manifest.category ?? undefined,
  archivedAt: manifest.archivedAt,
  reason: manifest.reason,
  ...(manifest.absorbedInto === null ? {} : { absorbedInto: manifest.absorbedInto }),
  description: manifest.description,
})

/** Finds the live skill that took over the content; it must be another skill. */
const findSuccessor = async (
  storage: StorageBackend,
  index: SkillIndex,
  { skill }: FoundSkill,
  absorbedInto: string | undefined,
): Promise<Result<string | null>> => {
  if (absorbedInto === undefined) return ok(null)
  const successor = await lookUpSkill(storage, index, absorbedInto)
  if (!successor.ok) return successor
  if (successor.value.skill.path !== skill.path) return ok(successor.value.skill.document.name)
  const message = `'${absorbedInto}' is the skill to archive itself. Name the skill that contains its content now, or none.`
  return err(new HermesError('invalid', message))
}

/**
 * Removes manifests of archivings that a killed process never completed, and of restored skills. Failures are left for the next time.
 * `documents` is a fresh listing.
 */
export const sweepManifests = async (
  storage: StorageBackend,
  documents: readonly DocumentInfo[],
  view: ArchiveView,
  now: number,
): Promise<void> => {
  for (const { path } of documents) {
    const entry = entryOfManifest(path)
    if (entry === undefined || view.isTaken(entry)) continue
    const read = await readManifest(storage, entry)
    if (read.ok && read.value && !isInFlight(read.value, now)) await dropManifest(storage, entry, read.value)
  }
}

/** Claims the first free name, which is then taken in the view too. */
const claimName = async (
  storage: StorageBackend,
  view: ArchiveView,
  folderName: string,
  manifest: ArchiveManifest,
): Promise<Result<string>> => {
  let tries = 0
  for (const entry of archiveNames(folderName, manifest.archivedAt)) {
    if (++tries > MAX_NAMES) break
    if (view.isTaken(entry)) continue
    view.take(entry)
    const claimed = await claimEntry(storage, entry, manifest)
    if (!claimed.ok) return claimed
    if (claimed.value) return ok(entry)
  }
  const message = `The archive has no free name for '${folderName}'. Move old entries out of '${ARCHIVE_FOLDER}'.`
  return err(new HermesError('occupied', message, { details: { path: ARCHIVE_FOLDER } }))
}

/** A skill as listed, and why it is archived. */
export interface SkillToArchive {
  readonly skill: Pick<SkillListEntry, 'name' | 'description' | 'path' | 'folderName' | 'category'>
  readonly reason: string
  readonly at: number
  readonly absorbedInto: string | null
}

const manifestOf = ({ skill: { name, description, path, category }, reason, at, absorbedInto }: SkillToArchive): ArchiveManifest => ({
  version: 1,
  name,
  from: path,
  category: category ?? null,
  description,
  reason: reason.trim(),
  archivedAt: at,
  absorbedInto,
})

interface Claimed {
  readonly toArchive: SkillToArchive
  readonly manifest: ArchiveManifest
  readonly entry: Result<string>
}

const claim = async (storage: StorageBackend, view: ArchiveView, toArchive: SkillToArchive): Promise<Claimed> => {
  const { path, folderName } = toArchive.skill
  const manifest = manifestOf(toArchive)
  const nested = view.refuseNested(path)
  return { toArchive, manifest, entry: nested ? err(nested) : await claimName(storage, view, folderName, manifest) }
}

const moveClaimed = async (
  storage: StorageBackend,
  view: ArchiveView,
  { toArchive, manifest, entry }: Claimed,
): Promise<Result<ArchivedSkill>> => {
  if (!entry.ok) return entry
  const moved = await moveDocuments(storage, `${SKILLS_FOLDER}/${manifest.from}`, `${ARCHIVE_FOLDER}/${entry.value}`)
  if (moved.ok) {
    // The skill is archived even if this fails; without a manifest it is still listed.
    await confirmManifest(storage, entry.value, manifest)
    return ok(toArchived(entry.value, manifest))
  }
  await dropManifest(storage, entry.value, manifest)
  // Another writer has put something there: the view has the name as taken now.
  if (moved.error.code === 'occupied') return moveClaimed(storage, view, await claim(storage, view, toArchive))
  view.free(entry.value)
  return moved
}

/** Limits the file handles of the manifests that are written concurrently. */
const CLAIMS_AT_ONCE = 32

/**
 * Archives the skills in known folders; results in their order. `invalid` if one holds other skills, `not_found` if it is gone. All
 * manifests are written before the first folder moves, so that the storage can move many at once.
 */
export const archiveFolders = async (
  storage: StorageBackend,
  view: ArchiveView,
  skills: readonly SkillToArchive[],
): Promise<readonly Result<ArchivedSkill>[]> => {
  const claimed: Claimed[] = []
  for (let start = 0; start < skills.length; start += CLAIMS_AT_ONCE) {
    const some = skills.slice(start, start + CLAIMS_AT_ONCE)
    claimed.push(...(await Promise.all(some.map((toArchive) => claim(storage, view, toArchive)))))
  }
  return Promise.all(claimed.map((one) => moveClaimed(storage, view, one)))
}

/** `not_found`, `ambiguous`, `invalid`. Does not change any other skill or archive entry. */
export const archiveSkill = async (
  storage: StorageBackend,
  index: SkillIndex,
  target: string,
  { reason, absorbedInto, at }: ArchiveOptions & { readonly at: number },
): Promise<Result<ArchivedSkill>> => {
  if (typeof reason !== 'string' || reason.trim() === '')
    return err(new HermesError('empty', 'Archiving needs a reason: a text that says why the skill is archived.'))
  const found = await lookUpSkill(storage, index, target)
  if (!found.ok) return found
  const successor = await findSuccessor(storage, index, found.value, absorbedInto)
  if (!successor.ok) return successor
  const { skill, documents } = found.value
  const view = viewArchive(documents)
  const described = { ...skill, name: skill.document.name, description: toSkillListing(skill.document).description }
  const [archived] = await archiveFolders(storage, view, [{ skill: described, reason, at, absorbedInto: successor.value }])
  if (!archived?.ok) return archived ?? err(new HermesError('not_found', `The skill '${target.slice(0, 80)}' is gone.`))
  // Listed anew: a slow archiving may have moved its skill since the last listing.
  const listed = await storage.list(ARCHIVE_FOLDER)
  if (listed.ok) await sweepManifests(storage, listed.value, viewArchive(listed.value), at)
  return archived
}
