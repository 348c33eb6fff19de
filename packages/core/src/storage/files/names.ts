/** Names with a meaning on disk: the back end's own files, the documents that Python Hermes writes too, and those that only we write. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { checkPaths, type NamedPaths, namesDocument } from '../cut.ts'
import { isBelow } from '../document-tree.ts'
import type { Paths } from '../storage-backend.ts'
import { MEMORY_PATHS } from '../storage-paths.ts'
import { TEMPORARY_PREFIX } from './disk.ts'

/** The folder of the log and the kind of its lock, which holds no documents. */
export const OWN_FOLDER = '.hermes'
export const LOG = 'log'

/** Documents that Python Hermes writes too, under a lock beside each (reference hermes-memory 2); in order of name. */
export const SHARED_DOCUMENTS: readonly string[] = [MEMORY_PATHS.memory, MEMORY_PATHS.user, 'skills/.usage.json']

/** Those that a plan with these names may change. */
export const sharedWithin = (named: NamedPaths): readonly string[] =>
  SHARED_DOCUMENTS.filter((path) => namesDocument(named, path) || [...named.documents].some((folder) => isBelow(path, folder)))

/** Documents that no other program writes. */
export const isOnlyOurs = (path: string): boolean =>
  /^(?:(?:projects\/[^/]+\/)?memories\/\.|journal\/|sessions\/|pending\/|provider\/|curator\/)/.test(path)

/** Documents that are appended to, and are not read for it. */
export const onlyGrows = (path: string): boolean => path.startsWith('journal/')

/** One name even if the file system ignores case or Unicode normalisation. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase()

const SHARED_LOCKS: ReadonlySet<string> = new Set(SHARED_DOCUMENTS.map((path) => `${fold(path)}.lock`))

/** A quick test: other names are no own files. Characters beyond ASCII may fold into such a name. */
const suspect = /[^\x20-\x7e]|\.lock|\.hermes|\.mem_/i

/** Locks, the log and temporary files, of this library and of Python Hermes (`.mem_*.tmp`). */
export const isOwnFile = (path: string): boolean => {
  if (!suspect.test(path)) return false
  const folded = fold(path)
  const isOwn = (name: string) => name === OWN_FOLDER || name.startsWith(TEMPORARY_PREFIX) || /^\.mem_.*\.tmp$/.test(name)
  return SHARED_LOCKS.has(folded) || folded.split('/').some(isOwn)
}

/** `invalid_path` for the first that is a file of the back end. */
export const refuseOwnFiles = (paths: Iterable<string>): Result<undefined> => {
  const own = [...paths].find(isOwnFile)
  if (own === undefined) return ok(undefined)
  const message = `'${own}' is a name that the storage keeps for its own lock, log and temporary files. Choose another path.`
  return err(new HermesError('invalid_path', message))
}

export const checkNames = (paths: Paths): Result<NamedPaths> => {
  const named = checkPaths(paths)
  if (!named.ok) return named
  const checked = refuseOwnFiles([...named.value.documents, ...named.value.folders])
  return checked.ok ? named : checked
}
