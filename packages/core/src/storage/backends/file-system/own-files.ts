/** The back end's own files: the locks that guard a path, and names that documents may not have. */
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { isBelow } from '../../document-tree.ts'
import { MEMORY_PATHS } from '../../storage-paths.ts'
import { lateCrypto } from './late-crypto.ts'

export const LOCK_FOLDER = '.locks'
export const TEMPORARY_PREFIX = '.hermes-tmp-'

// Python Hermes locks `<document>.lock` beside exactly these (reference hermes-memory 2); sharing its locks requires its names.
const SHARED_WITH_PYTHON: readonly string[] = [MEMORY_PATHS.memory, MEMORY_PATHS.user, 'skills/.usage.json']

const BUCKETS = 32

// One document has one lock even if the file system ignores case or Unicode normalisation.
export const foldPath = (path: string): string => path.normalize('NFC').toLowerCase()

const sharedLocks = new Map(SHARED_WITH_PYTHON.map((path) => [foldPath(path), `${path}.lock`]))
const sharedLockNames = new Set([...sharedLocks.values()].map(foldPath))

// Files of the fallback lock: its own, and one for each process killed during a takeover.
const FALLBACK_SUFFIX = /\.excl(?:\.takeover)*$/

const bucket = (index: number): string => `${LOCK_FOLDER}/${index.toString(16).padStart(2, '0')}.lock`

/** The lock file, relative to the home, that guards a document: beside it if Python Hermes uses it, otherwise one of a fixed set. */
export const lockOf = (path: string): string =>
  sharedLocks.get(foldPath(path)) ?? bucket((lateCrypto().createHash('sha1').update(foldPath(path)).digest()[0] ?? 0) % BUCKETS)

/** Locks shared with Python Hermes for documents at or below one of these paths. */
export const sharedLocksWithin = (paths: readonly string[]): string[] =>
  [...sharedLocks].flatMap(([document, lock]) =>
    paths.some((path) => document === foldPath(path) || isBelow(document, foldPath(path))) ? [lock] : [],
  )

/** All locks that a move holds: with every bucket taken, no update is in progress anywhere in the tree. */
export const locksOfMove = (ends: readonly string[]): string[] => [
  ...Array.from({ length: BUCKETS }, (_, index) => bucket(index)),
  ...sharedLocksWithin(ends),
]

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
