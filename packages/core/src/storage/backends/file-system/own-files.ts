/** The back end's own files: names that documents may not have. */
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { MEMORY_PATHS } from '../../storage-paths.ts'

/** Where earlier versions of the library kept locks. */
const LOCK_FOLDER = '.locks'
export const TEMPORARY_PREFIX = '.hermes-tmp-'

// Python Hermes locks `<document>.lock` beside exactly these (reference hermes-memory 2); sharing its locks requires its names.
const SHARED_WITH_PYTHON: readonly string[] = [MEMORY_PATHS.memory, MEMORY_PATHS.user, 'skills/.usage.json']

// One document has one name even if the file system ignores case or Unicode normalisation.
export const foldPath = (path: string): string => path.normalize('NFC').toLowerCase()

const sharedLockNames = new Set(SHARED_WITH_PYTHON.map((path) => foldPath(`${path}.lock`)))

// Lock files of earlier versions of the library where flock(2) was not available: the lock's own, and one for each process killed during a takeover.
const FALLBACK_SUFFIX = /\.excl(?:\.takeover)*$/

/** A quick test: other names are not locks or temporary files. Non-ASCII characters may fold into such a name. */
const suspect = /[^\x20-\x7e]|\.lock|\.hermes-tmp-|\.mem_/i

/** Locks and temporary files, of this library and of Python Hermes (`.mem_*.tmp`). */
export const isOwnFile = (path: string): boolean => {
  if (!suspect.test(path)) return false
  const folded = foldPath(path)
  const segments = folded.split('/')
  if (segments[0] === LOCK_FOLDER || sharedLockNames.has(folded.replace(FALLBACK_SUFFIX, ''))) return true
  return segments.some((segment) => segment.startsWith(TEMPORARY_PREFIX) || (segment.startsWith('.mem_') && segment.endsWith('.tmp')))
}

export const refuseOwnFile = (path: string): Result<string> =>
  isOwnFile(path)
    ? err(
        new HermesError(
          'invalid_path',
          `'${path}' is a name that the storage keeps for its own locks and temporary files. Choose another.`,
        ),
      )
    : ok(path)
