/** Lists the archive: skills archived by this program, by Python Hermes or by hand, with all that is known about each. */
import type { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import { byCodeUnit } from '../../storage/document-tree.ts'
import type { DocumentInfo, StorageBackend } from '../../storage/storage-backend.ts'
import { findSkillFolders } from '../skill-discovery.ts'
import type { GlancedSkill, SkillIndex } from '../skill-index.ts'
import { ARCHIVE, type ArchiveManifest, manifestPath, readManifest } from './archive-manifest.ts'
import { readArchiveName } from './archive-names.ts'
import { toArchived } from './archive-skill.ts'
import type { ArchivedSkill } from './archived-skill.ts'

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

/** `documents` is a fresh listing of the skills folder. */
export const listArchive = async (
  storage: StorageBackend,
  index: SkillIndex,
  documents: readonly DocumentInfo[],
): Promise<Result<ArchiveListing>> => {
  const paths = new Set(documents.map(({ path }) => path))
  const problems: HermesError[] = []
  const entries: ArchivedSkill[] = []
  for (const skill of await index.glance(documents, findSkillFolders(documents, ARCHIVE))) {
    const entry = skill.folder.path.slice(ARCHIVE.length + 1)
    const manifest = paths.has(manifestPath(entry)) ? await readManifest(storage, entry) : ok(undefined)
    if (!skill.glance.ok) problems.push(skill.glance.error)
    if (!manifest.ok) problems.push(manifest.error)
    entries.push(toEntry(skill, manifest.ok ? manifest.value : undefined))
  }
  return ok({ entries: entries.sort(newestFirst), problems })
}
