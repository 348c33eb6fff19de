/** What skills are called, in a backup, in the library and in its archive, as far as their files can be read. */
import { ok, type Result } from '../../shared/result.ts'
import { ARCHIVE_FOLDER } from '../../skills/archive/archive-manifest.ts'
import { readArchiveName } from '../../skills/archive/archive-names.ts'
import { SKILL_FILE, type SkillFolder, toDocumentPath } from '../../skills/skill-discovery.ts'
import { parseSkillDocument } from '../../skills/skill-document.ts'
import { decodeSkillText } from '../../skills/skill-text.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { inBatches } from '../backup/backup-batches.ts'
import type { BackupContents } from '../backup/backup-unpack.ts'
import { skillsIn } from './rollback-plan.ts'

const nameIn = (bytes: Uint8Array | undefined, folderName: string): string => {
  const text = bytes && decodeSkillText(bytes)
  return text === undefined ? folderName : parseSkillDocument(text, { folderName }).name
}

/** Everything that the live skills of a backup answer to: the names in their front matter and those of their folders. */
export const liveNamesOf = (contents: BackupContents): ReadonlySet<string> =>
  new Set(
    skillsIn(contents.keys()).flatMap((folder) => [
      folder.folderName,
      nameIn(contents.get(toDocumentPath(folder))?.bytes, folder.folderName),
    ]),
  )

/** The keys of their usage records. */
export const namedSkills = async (
  storage: StorageBackend,
  folders: readonly SkillFolder[],
): Promise<Result<readonly { readonly path: string; readonly name: string }[]>> =>
  inBatches(folders, async (folder) => {
    const read = await storage.read(toDocumentPath(folder))
    // One that cannot be read has no name but its folder's; it moves all the same.
    return ok({ path: folder.path, name: nameIn(read.ok ? read.value?.bytes : undefined, folder.folderName) })
  })

/** Those entries of the archive that hold a skill of one of these names. */
export const entriesNamed = async (
  storage: StorageBackend,
  entries: readonly string[],
  names: ReadonlySet<string>,
): Promise<Result<readonly string[]>> => {
  const found = await inBatches(entries, async (entry) => {
    const read = await storage.read(`${ARCHIVE_FOLDER}/${entry}/${SKILL_FILE}`)
    if (!read.ok || !read.value) return ok([])
    return ok(names.has(nameIn(read.value.bytes, readArchiveName(entry).base)) ? [entry] : [])
  })
  return found.ok ? ok(found.value.flat()) : found
}
