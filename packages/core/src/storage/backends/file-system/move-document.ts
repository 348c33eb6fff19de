/** Moves a document or a folder in one rename. The caller holds the locks, so that no update is in progress anywhere in the tree. */
import { basename, dirname, join } from 'node:path'
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { isBelow, notADocument, nothingAt, occupiedAt } from '../../document-tree.ts'
import { statusAt } from './document-file.ts'
import { ensureFolder } from './durable-folder.ts'
import { exclusiveFileOf } from './exclusive-file-lock.ts'
import { rename, unlink } from './file-calls.ts'
import type { HeldLocks } from './file-lock.ts'
import type { Home } from './home.ts'
import { isSystemError } from './io-error.ts'
import type { FoldersOfMove } from './open-folders.ts'
import { sharedLocksWithin } from './own-files.ts'
import { withFolder } from './pinned-folder.ts'
import type { ResolvedPath } from './resolve-path.ts'
import { holdsDocuments, removeEmptyFolder } from './walk-documents.ts'

/** The real locations of a move. */
export interface Ends {
  readonly source: ResolvedPath
  readonly target: ResolvedPath
}

export interface Move {
  readonly from: string
  readonly to: string
}

export const resolveEnds = async (home: Home, { from, to }: Move): Promise<Result<Ends>> => {
  const [source, target] = await Promise.all([home.resolve(from), home.resolve(to)])
  if (!source.ok) return source
  return target.ok ? ok({ source: source.value, target: target.value }) : target
}

/** Every document path by which the two ends are known. */
export const namesOf = ({ from, to }: Move, { source, target }: Ends): string[] =>
  [from, to, source.canonical, target.canonical].filter((path) => path !== undefined)

interface Checked {
  readonly isFolder: boolean
  /** A folder without documents, which may be replaced. */
  readonly isTargetFolder: boolean
}

const checkEnds = async (home: Home, { source, target }: Ends, { from, to }: Move): Promise<Result<Checked>> => {
  const status = source.blocked ? undefined : await statusAt(source.file)
  if (!status || (status.isDirectory() && !(await holdsDocuments(home, from, source.file)))) return err(nothingAt(from))
  if (source.isLink) {
    return err(notADocument(from, 'it is a symbolic link, and a move would separate it from its target; move both by hand'))
  }
  if (target.blocked) return err(target.blocked)
  const there = await statusAt(target.file)
  if (target.isLink || (there && !there.isDirectory()) || (there && (await holdsDocuments(home, to, target.file))))
    return err(occupiedAt(to))
  if (isBelow(target.file, source.file)) return err(new HermesError('invalid_path', `'${from}' cannot move into itself ('${to}').`))
  return ok({ isFolder: status.isDirectory(), isTargetFolder: there !== undefined })
}

/** The lock's own file, and its replacement if flock is missing. */
const filesOfLock = (lock: string): string[] => [lock, exclusiveFileOf(lock)]

/** Lock files remain where Python Hermes expects them; moved ones would be listed as documents. */
const removeLocksWithin = async (folder: string, names: readonly string[]): Promise<void> => {
  for (const name of names.flatMap(filesOfLock)) {
    try {
      const file = join(folder, name)
      await withFolder(dirname(file), ({ at }) => unlink(at(basename(file))))
    } catch (error) {
      if (!isSystemError(error, 'ENOENT', 'ENOTDIR')) throw error
    }
  }
}

const lostLocks = (from: string): HermesError =>
  new HermesError(
    'locked',
    `The locks for the move of '${from}' were lost while its process was stopped. Nothing was moved: check both paths and try again.`,
  )

/** Requires all the locks of the move. The rename is durable once the folders of both ends are synced. */
export const moveEnds = async (home: Home, move: Move, ends: Ends, locks: HeldLocks, folders: FoldersOfMove): Promise<Result<void>> => {
  const { source, target } = ends
  const checked = await checkEnds(home, ends, move)
  if (!checked.ok) return checked
  const held = await home.lockFiles(sharedLocksWithin(namesOf(move, ends)))
  if (!held.ok) return held
  if (checked.value.isTargetFolder) await removeEmptyFolder(target.file, held.value.flatMap(filesOfLock))
  await ensureFolder(dirname(target.file))
  return folders.use(dirname(source.file), (out) =>
    folders.use(dirname(target.file), async (into) => {
      if (!(await locks.isHeld())) return err(lostLocks(move.from))
      // A program that ignores locks may have put something there.
      if (await statusAt(into.at(basename(target.file)))) return err(occupiedAt(move.to))
      await rename(out.at(basename(source.file)), into.at(basename(target.file)))
      const { canonical } = source
      if (checked.value.isFolder && canonical !== undefined) {
        const within = sharedLocksWithin([canonical]).map((lock) => lock.slice(canonical.length + 1))
        await removeLocksWithin(target.file, within)
      }
      return ok(undefined)
    }),
  )
}
