/** How each document of a home is redacted, by its path, and which parts of a path somebody has chosen. Pure. */
import { BACKUPS_FOLDER, REPLACED_FOLDER } from '../curator/backup-manifest.ts'
import { CURATOR_STATE_PATH } from '../curator/state.ts'
import { CURATOR_LOGS_FOLDER } from '../curator/write-report.ts'
import { dayOfDocument } from '../journal/journal-days.ts'
import { REVIEW_STATE_PATH } from '../nudge/review-state.ts'
import { MANAGED_PATH } from '../ownership/skill-ownership.ts'
import { UNREADABLE_FOLDER } from '../session/session-record.ts'
import { ARCHIVE_FOLDER, MANIFEST_FOLDER } from '../skills/archive.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { isBelow } from '../storage/document-tree.ts'
import { insideProject, projectOfPath } from '../storage/project.ts'
import {
  CURATOR_FOLDER,
  FACTS_PATH,
  JOURNAL_FOLDER,
  MEMORY_ARCHIVE_PATH,
  MEMORY_FOLDER,
  MEMORY_PATHS,
  PENDING_FOLDER,
  PENDING_SKILLS_FOLDER,
  PROVIDER_FOLDER,
  PYTHON_ARCHIVE_PATH,
  PYTHON_LEDGER_PATH,
  SESSIONS_FOLDER,
} from '../storage/storage-paths.ts'
import {
  cutJson,
  cutSkill,
  cutText,
  dropDocument,
  dropItems,
  dropLines,
  redactArchive,
  redactFacts,
  redactFactsCopy,
  redactJournal,
  redactMemoryCopy,
  redactMemoryFile,
  redactProfile,
  redactReviewState,
  redactSession,
} from './redact-documents.ts'
import { redactPending } from './redact-pending.ts'
import { type Redactor, removedIf } from './redaction.ts'

const MEMORY_COPY = /^memories\/(?:MEMORY|USER)\.md\./

const PYTHON_BACKUPS = ['.curator_backups', `${SKILLS_FOLDER}/.curator_backups`]

/** A blob is named after the hash of what is in it, so nothing of it can be cut. */
const dropBlob: Redactor = ({ loose }, { matches }) => removedIf(matches(loose), 'otherDocuments')

const IN_USE = 'It belongs to a skill in use, and such skills are not rewritten. Edit or delete the file yourself, then forget again.'
const HANDED_OVER = 'It names a skill that was handed over to the curator. Take that skill back, then forget again.'
const PYTHON_SNAPSHOT = 'It is a snapshot of Python Hermes, which is not rewritten. Delete it if nobody needs it.'
const FOREIGN = 'The library does not rewrite this kind of document. Edit or delete it yourself.'

const ofCurator = (path: string): Redactor | string => {
  if (path === MANAGED_PATH) return HANDED_OVER
  if (isBelow(path, REPLACED_FOLDER)) return cutText('archivedSkillFiles')
  return isBelow(path, BACKUPS_FOLDER) ? FOREIGN : cutJson('otherDocuments')
}

const ofSkills = (path: string): Redactor | string => {
  if (isBelow(path, MANIFEST_FOLDER)) return cutJson('archivedSkillFiles')
  if (isBelow(path, ARCHIVE_FOLDER)) return (path.endsWith(`/${SKILL_FILE}`) ? cutSkill : cutText)('archivedSkillFiles')
  if (path === CURATOR_STATE_PATH) return cutJson('otherDocuments')
  return path === PYTHON_LEDGER_PATH ? dropLines('otherDocuments') : IN_USE
}

const ofMemory = (path: string): Redactor | string => {
  if (path === MEMORY_PATHS.memory || path === MEMORY_PATHS.user) return redactMemoryFile
  if (path === MEMORY_PATHS.profile) return redactProfile
  if (path === MEMORY_ARCHIVE_PATH) return redactArchive
  if (path === PYTHON_ARCHIVE_PATH) return dropLines('archivedEntries')
  if (path === FACTS_PATH) return redactFacts
  if (path.startsWith(`${FACTS_PATH}.damaged-`)) return redactFactsCopy
  return MEMORY_COPY.test(path) ? redactMemoryCopy : FOREIGN
}

/** The reason why a document is not rewritten and remains, instead of a redactor. */
export const redactorOf = (path: string): Redactor | string => {
  const inside = insideProject(path)
  if (isBelow(inside, MEMORY_FOLDER)) return ofMemory(inside)
  if (dayOfDocument(path) !== undefined) return redactJournal
  if (isBelow(path, PENDING_FOLDER) || isBelow(path, PENDING_SKILLS_FOLDER)) return redactPending
  if (isBelow(path, UNREADABLE_FOLDER)) return dropDocument('sessions')
  if (path === REVIEW_STATE_PATH) return redactReviewState
  if (isBelow(path, SESSIONS_FOLDER)) return redactSession
  if (isBelow(path, CURATOR_FOLDER)) return ofCurator(path)
  if (isBelow(path, `${PROVIDER_FOLDER}/.unreadable`)) return cutText('otherDocuments')
  if (isBelow(path, PROVIDER_FOLDER)) return dropItems('items', 'providerItems')
  if (isBelow(path, CURATOR_LOGS_FOLDER)) return path.endsWith('.json') ? cutJson('otherDocuments') : cutText('otherDocuments')
  for (const folder of PYTHON_BACKUPS) if (isBelow(path, folder)) return isBelow(path, `${folder}/blobs`) ? dropBlob : PYTHON_SNAPSHOT
  return isBelow(path, SKILLS_FOLDER) ? ofSkills(path) : FOREIGN
}

/** True for a document that the library does not know. */
export const isForeign = (path: string): boolean => redactorOf(path) === FOREIGN

/** Folders whose paths consist of ids, days and hashes. The id of a session is found in its record. */
const OWN_FOLDERS = [
  ...[MEMORY_FOLDER, JOURNAL_FOLDER, SESSIONS_FOLDER, CURATOR_FOLDER, 'pending', CURATOR_LOGS_FOLDER],
  ...PYTHON_BACKUPS.map((folder) => `${folder}/blobs`),
]

const FIXED_SEGMENTS: ReadonlySet<string> = new Set([SKILL_FILE, 'references', 'templates', 'scripts', 'assets'])

const namesBelow = (folder: string, path: string): string =>
  path
    .slice(folder.length + 1)
    .split('/')
    .filter((segment) => !FIXED_SEGMENTS.has(segment))
    .join('/')

/** The parts of a path that were chosen by a user: names of projects, skills and of their files, and paths of other programs. Empty if the library chose the whole path. */
export const freeNameOf = (path: string): string => {
  const own = projectOfPath(path)
  if (own) return `${own.project}/${freeNameOf(own.path)}`
  if (OWN_FOLDERS.some((folder) => isBelow(path, folder))) return ''
  if (isBelow(path, MANIFEST_FOLDER)) return namesBelow(MANIFEST_FOLDER, path).replace(/\.json$/, '')
  if (isBelow(path, ARCHIVE_FOLDER)) return namesBelow(ARCHIVE_FOLDER, path)
  const name = isBelow(path, SKILLS_FOLDER) ? namesBelow(SKILLS_FOLDER, path) : path
  // Sidecars, the hub and snapshots of Python Hermes.
  return isBelow(path, SKILLS_FOLDER) && name.startsWith('.') ? '' : name
}
