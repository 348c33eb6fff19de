/** Lists the archive: what is known of each entry, from its manifest and its SKILL.md (reference skills-curator 9). */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import { jsonIn } from '../storage/json-document.ts'
import type { Cut, DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import { ARCHIVE, type ArchivedSkill, type ArchiveManifest, manifestPath, manifestSchema, readArchiveName, toArchived } from './archive.ts'
import { findSkillFolders } from './skill-discovery.ts'
import type { GlancedSkill, SkillIndex } from './skill-index.ts'

export interface ArchiveListing {
  /** Newest first; entries of unknown time last. */
  readonly entries: readonly ArchivedSkill[]
  /** `unreadable`: a SKILL.md or manifest that cannot be read; its entry is listed with what is known. */
  readonly problems: readonly HermesError[]
}

const toEntry = ({ folder, glance }: GlancedSkill, manifest: ArchiveManifest | undefined): ArchivedSkill => {
  const entry = folder.path.slice(ARCHIVE.length + 1)
  const own = glance.ok ? glance.value.name : undefined
  // A manifest of another skill is left from an archiving that was never completed; the folder got there in another way.
  if (manifest && (own === undefined || own === manifest.name)) return toArchived(entry, manifest)
  const { base, at } = readArchiveName(folder.folderName)
  return {
    id: folder.path,
    // Without a name of its own the skill is named after its folder, without the time stamp.
    name: own === undefined || own === folder.folderName ? (isNamed(glance) ? folder.folderName : base) : own,
    path: entry,
    from: undefined,
    category: undefined,
    archivedAt: at,
    reason: undefined,
    ...(glance.ok ? { description: glance.value.description } : {}),
  }
}

const isNamed = (glance: GlancedSkill['glance']): boolean =>
  glance.ok &&
  !glance.value.diagnostics.some(({ code }) => ['no_name', 'no_front_matter', 'unclosed_front_matter', 'not_a_mapping'].includes(code))

const newestFirst = (a: ArchivedSkill, b: ArchivedSkill): number => b.archivedAt - a.archivedAt || byCodeUnit(b.path, a.path)

/** Documents of one read. */
const READ_AT_ONCE = 64

const manifestIn = (cut: Result<Cut>, entry: string): Result<ArchiveManifest | undefined> => {
  if (!cut.ok) return cut
  try {
    return ok(jsonIn(cut.value, manifestPath(entry), manifestSchema))
  } catch (cause) {
    if (HermesError.isInstance(cause)) return err(cause)
    throw cause
  }
}

interface KeptManifest {
  readonly stamp: string
  readonly manifest: ArchiveManifest
}

/** Those that were read with an index, by entry: whoever restores many skills lists the archive for each. */
const keptManifests = new WeakMap<SkillIndex, ReadonlyMap<string, KeptManifest>>()

/** `documents` is a fresh listing of the skills folder. */
export const listArchive = async (
  storage: Pick<StorageBackend, 'read'>,
  index: SkillIndex,
  documents: readonly DocumentInfo[],
): Promise<ArchiveListing> => {
  const paths = new Set(documents.map(({ path }) => path))
  const skills = await index.glance(documents, findSkillFolders(documents, ARCHIVE))
  const described = skills.map(({ folder }) => folder.path.slice(ARCHIVE.length + 1)).filter((entry) => paths.has(manifestPath(entry)))
  const stamps = new Map(documents.map(({ path, stamp }) => [path, stamp]))
  const before = keptManifests.get(index)
  const manifests = new Map<string, Result<ArchiveManifest | undefined>>()
  const kept = new Map<string, KeptManifest>()
  for (const entry of described) {
    const known = before?.get(entry)
    if (known === undefined || known.stamp !== stamps.get(manifestPath(entry))) continue
    kept.set(entry, known)
    manifests.set(entry, ok(known.manifest))
  }
  const unread = described.filter((entry) => !manifests.has(entry))
  for (let start = 0; start < unread.length; start += READ_AT_ONCE) {
    const some = unread.slice(start, start + READ_AT_ONCE)
    const cut = await storage.read(some.map(manifestPath))
    for (const entry of some) {
      const manifest = manifestIn(cut, entry)
      manifests.set(entry, manifest)
      const stamp = stamps.get(manifestPath(entry))
      if (manifest.ok && manifest.value && stamp) kept.set(entry, { stamp, manifest: manifest.value })
    }
  }
  keptManifests.set(index, kept)
  const entries: ArchivedSkill[] = []
  const problems: HermesError[] = []
  for (const skill of skills) {
    const manifest = manifests.get(skill.folder.path.slice(ARCHIVE.length + 1))
    if (!skill.glance.ok) problems.push(skill.glance.error)
    if (manifest && !manifest.ok) problems.push(manifest.error)
    entries.push(toEntry(skill, manifest?.ok ? manifest.value : undefined))
  }
  return { entries: entries.sort(newestFirst), problems }
}
