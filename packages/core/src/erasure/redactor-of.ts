/** Chooses the redactor for a document by its path. Pure. */
import { BACKUPS_FOLDER, REPLACED_FOLDER } from '../curator/backup-manifest.ts'
import { CURATOR_STATE_PATH } from '../curator/state.ts'
import { CURATOR_LOGS_FOLDER } from '../curator/write-report.ts'
import { dayOfDocument } from '../journal/journal-days.ts'
import { REVIEW_STATE_PATH } from '../nudge/review-state.ts'
import { MANAGED_PATH } from '../ownership/managed-document.ts'
import { UNREADABLE_FOLDER } from '../session/session-record.ts'
import { ARCHIVE_FOLDER, MANIFEST_FOLDER } from '../skills/archive/archive-manifest.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import { isBelow } from '../storage/document-tree.ts'
import {
  CURATOR_FOLDER,
  FACTS_PATH,
  MEMORY_ARCHIVE_PATH,
  MEMORY_PATHS,
  PENDING_FOLDER,
  PENDING_SKILLS_FOLDER,
  PROVIDER_FOLDER,
  SESSIONS_FOLDER,
} from '../storage/storage-paths.ts'
import { cutJson, cutSkill, cutText } from './redact-library.ts'
import {
  redactArchive,
  redactFacts,
  redactFactsCopy,
  redactJournal,
  redactMemoryCopy,
  redactMemoryFile,
  redactPending,
  redactReviewState,
  redactSession,
  redactUnreadableSession,
} from './redact-records.ts'
import type { SteppedRedactor } from './redaction.ts'

const MEMORY_COPY = /^memories\/(?:MEMORY|USER)\.md\./

const IN_USE = 'It belongs to a skill in use, and such skills are not rewritten. Edit or delete the file yourself, then forget again.'
const HANDED_OVER = 'It names a skill that was handed over to the curator. Take that skill back, then forget again.'
const PYTHON_SNAPSHOT = 'It is a snapshot of Python Hermes, which is not rewritten. Delete it if nobody needs it.'
const FOREIGN = 'The library does not rewrite this kind of document. Edit or delete it yourself.'

/** How to rewrite a document, or the reason why it is not rewritten and remains. */
export type Handling = SteppedRedactor | string

const isIn = (folder: string, path: string): boolean => isBelow(path, folder)

const ofCurator = (path: string): Handling => {
  if (path === MANAGED_PATH) return HANDED_OVER
  if (isIn(REPLACED_FOLDER, path)) return cutText('archivedSkillFiles')
  return isIn(BACKUPS_FOLDER, path) ? FOREIGN : cutJson('otherDocuments')
}

const ofSkills = (path: string): Handling => {
  if (isIn(MANIFEST_FOLDER, path)) return cutJson('archivedSkillFiles')
  if (isIn(ARCHIVE_FOLDER, path)) return (path.endsWith(`/${SKILL_FILE}`) ? cutSkill : cutText)('archivedSkillFiles')
  if (path === CURATOR_STATE_PATH) return cutJson('otherDocuments')
  return isIn(`${SKILLS_FOLDER}/.curator_backups`, path) ? PYTHON_SNAPSHOT : IN_USE
}

const ofMemory = (path: string): Handling => {
  if (path === MEMORY_PATHS.memory || path === MEMORY_PATHS.user) return redactMemoryFile
  if (path === MEMORY_ARCHIVE_PATH) return redactArchive
  if (path === FACTS_PATH) return redactFacts
  if (path.startsWith(`${FACTS_PATH}.damaged-`)) return redactFactsCopy
  return MEMORY_COPY.test(path) ? redactMemoryCopy : FOREIGN
}

export const redactorOf = (path: string): Handling => {
  if (path.startsWith('memories/')) return ofMemory(path)
  if (dayOfDocument(path) !== undefined) return redactJournal
  if (isIn(PENDING_FOLDER, path) || isIn(PENDING_SKILLS_FOLDER, path)) return redactPending
  if (isIn(UNREADABLE_FOLDER, path)) return redactUnreadableSession
  if (path === REVIEW_STATE_PATH) return redactReviewState
  if (isIn(SESSIONS_FOLDER, path)) return redactSession
  if (isIn(CURATOR_FOLDER, path)) return ofCurator(path)
  if (isIn(PROVIDER_FOLDER, path)) return (isIn(`${PROVIDER_FOLDER}/.unreadable`, path) ? cutText : cutJson)('otherDocuments')
  if (isIn(CURATOR_LOGS_FOLDER, path)) return path.endsWith('.json') ? cutJson('otherDocuments') : cutText('otherDocuments')
  return isIn(SKILLS_FOLDER, path) ? ofSkills(path) : FOREIGN
}

/** True for a document that the library does not know. */
export const isForeign = (path: string): boolean => redactorOf(path) === FOREIGN
