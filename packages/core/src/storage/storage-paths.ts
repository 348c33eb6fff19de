/** The paths of the documents, and the check of document paths. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'

export const MEMORY_PATHS = { memory: 'memories/MEMORY.md', user: 'memories/USER.md', profile: 'memories/PROFILE.json' } as const
export const MEMORY_FOLDER = 'memories'
export const FACTS_PATH = 'memories/.facts.jsonl'
/** The frozen text of the next session, derived from other documents: it may be removed at any time. */
export const BLOCK_VIEW_PATH = 'memories/.block.json'
export const SKILLS_FOLDER = 'skills'
/** In the folder of each skill. */
export const SKILL_FILE = 'SKILL.md'
/** How often each skill was used; shared with Python Hermes. */
export const USAGE_PATH = 'skills/.usage.json'
export const MEMORY_ARCHIVE_PATH = 'memories/.archive.jsonl'
/** Where newer Python Hermes puts the entries that it takes out of memory. */
export const PYTHON_ARCHIVE_PATH = 'memories/ARCHIVE.jsonl'
/** What Python Hermes records of each change to a skill, a line each. */
export const PYTHON_LEDGER_PATH = 'skills/.curator_ledger.jsonl'
/** The files of skills before and after those changes, each named by its SHA-256. */
export const PYTHON_BLOBS_FOLDER = '.curator_backups/blobs'
/** What belongs to one project of the home; `project.ts` names the folders in it. */
export const PROJECTS_FOLDER = 'projects'
export const JOURNAL_FOLDER = 'journal'
export const PENDING_FOLDER = 'pending/memory'
export const PENDING_SKILLS_FOLDER = 'pending/skills'
export const SESSIONS_FOLDER = 'sessions'
/** The curator's documents; outside `skills/`, which a rollback of Python Hermes replaces as a whole. */
export const CURATOR_FOLDER = 'curator'
/** Up to where conversations and documents were read that were learned from on request. */
export const LEARNED_FOLDER = 'learned'
/** What waits for the memory provider. */
export const PROVIDER_FOLDER = 'provider'
/** In a storage of many owners: their registrations and homes. */
export const OWNERS_FOLDER = 'owners'
export const HOMES_FOLDER = 'homes'

const MAX_SEGMENT_BYTES = 255
const MAX_PATH_BYTES = 1024

// Control characters, and characters with a special meaning on Windows or in a shell.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused here
const forbidden = /[\u0000-\u001f\u007f\\:*?"<>|]/

/** A quick test for most paths: plain segments that do not end with a dot. */
const plain = /^[\w.-]*[\w-](?:\/[\w.-]*[\w-])*$/

const utf8Length = (text: string): number => new TextEncoder().encode(text).length

/**
 * A document path: relative, `/` between segments, no `.` or `..`, no empty segment, nothing that leaves the tree on any platform. Every
 * back end must check every path with it (DESIGN 8, promise 7).
 */
export const checkStoragePath = (path: string): Result<string> => {
  // JavaScript callers may pass anything.
  if (typeof path !== 'string') {
    const message = `A document path is a string such as 'memories/MEMORY.md', but a value of type ${typeof path} was passed.`
    return err(new HermesError('invalid_path', message))
  }
  if (path.length <= MAX_SEGMENT_BYTES && plain.test(path)) return ok(path)
  const refuse = (why: string) =>
    err(
      new HermesError(
        'invalid_path',
        `'${path.slice(0, 80)}' is not a document path: ${why}. Use relative paths such as 'memories/MEMORY.md'.`,
      ),
    )
  if (path === '') return refuse('it is empty')
  if (/[\ud800-\udfff]/u.test(path)) return refuse('it holds half a character')
  if (forbidden.test(path)) return refuse('it holds a character that no document path may hold')
  if (utf8Length(path) > MAX_PATH_BYTES) return refuse(`it is longer than ${MAX_PATH_BYTES} bytes`)
  for (const segment of path.split('/')) {
    if (segment === '') return refuse('it has an empty segment')
    if (segment === '.' || segment === '..') return refuse('it leaves its folder')
    if (/[. ]$/.test(segment)) return refuse('a segment ends with a dot or a space')
    if (utf8Length(segment) > MAX_SEGMENT_BYTES) return refuse(`a segment is longer than ${MAX_SEGMENT_BYTES} bytes`)
  }
  return ok(path)
}
