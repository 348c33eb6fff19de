/** The parts of a path that were chosen by a user, not by the library: names of skills and of their files, and paths of other programs. Pure. */
import { ARCHIVE_FOLDER, MANIFEST_FOLDER } from '../skills/archive.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { isBelow } from '../storage/document-tree.ts'
import { CURATOR_FOLDER, JOURNAL_FOLDER, MEMORY_FOLDER, SESSIONS_FOLDER } from '../storage/storage-paths.ts'

/** Folders whose paths consist of ids, days and hashes. The id of a session is found in its record. */
const OWN_FOLDERS = [MEMORY_FOLDER, JOURNAL_FOLDER, SESSIONS_FOLDER, CURATOR_FOLDER, 'pending', 'logs/curator'] as const

const FIXED_SEGMENTS: ReadonlySet<string> = new Set([SKILL_FILE, 'references', 'templates', 'scripts', 'assets'])

const namesBelow = (folder: string, path: string): string =>
  path
    .slice(folder.length + 1)
    .split('/')
    .filter((segment) => !FIXED_SEGMENTS.has(segment))
    .join('/')

/** Empty if the library chose the whole path. */
export const freeNameOf = (path: string): string => {
  if (OWN_FOLDERS.some((folder) => isBelow(path, folder))) return ''
  if (isBelow(path, MANIFEST_FOLDER)) return namesBelow(MANIFEST_FOLDER, path).replace(/\.json$/, '')
  if (isBelow(path, ARCHIVE_FOLDER)) return namesBelow(ARCHIVE_FOLDER, path)
  const name = isBelow(path, SKILLS_FOLDER) ? namesBelow(SKILLS_FOLDER, path) : path
  // Sidecars, the hub and snapshots of Python Hermes.
  return isBelow(path, SKILLS_FOLDER) && name.startsWith('.') ? '' : name
}
