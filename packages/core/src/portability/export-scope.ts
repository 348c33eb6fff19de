/** Which documents of a home are exported: an explicit list, so that settings, keys, locks and conversations are never exported. Pure. */
import { isInBackup } from '../curator/backup-manifest.ts'
import { dayOfDocument } from '../journal/journal-days.ts'
import { ARCHIVE_FOLDER } from '../skills/archive.ts'
import { FACTS_PATH, MEMORY_ARCHIVE_PATH, MEMORY_PATHS, PENDING_FOLDER, PENDING_SKILLS_FOLDER } from '../storage/storage-paths.ts'
import { CORRUPT_USAGE_FOLDER, USAGE_PATH } from '../usage/usage-sidecar.ts'

/** In import order. */
export const EXPORT_PARTS = ['memory', 'memoryArchive', 'skills', 'archivedSkills', 'pending', 'journal'] as const

export type ExportPart = (typeof EXPORT_PARTS)[number]

const PENDING_NAME = /^[0-9a-f]{24}\.json$/

const isPending = (path: string): boolean =>
  [PENDING_FOLDER, PENDING_SKILLS_FOLDER].some(
    (folder) => path.startsWith(`${folder}/`) && PENDING_NAME.test(path.slice(folder.length + 1)),
  )

/** `undefined` for a document that is not exported: sessions, locks, leases, backups, reports, settings and unknown documents. */
export const partOf = (path: string): ExportPart | undefined => {
  if (path === MEMORY_PATHS.memory || path === MEMORY_PATHS.user || path === FACTS_PATH) return 'memory'
  if (path === MEMORY_ARCHIVE_PATH) return 'memoryArchive'
  if (isPending(path)) return 'pending'
  if (dayOfDocument(path) !== undefined) return 'journal'
  if (path === USAGE_PATH) return 'skills'
  if (!isInBackup(path) || path.split('/').length < 3 || path.startsWith(`${CORRUPT_USAGE_FOLDER}/`)) return undefined
  return path.startsWith(`${ARCHIVE_FOLDER}/`) ? 'archivedSkills' : 'skills'
}
