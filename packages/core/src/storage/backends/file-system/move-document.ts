/** Moves a document or a folder in one rename, while no update is in progress anywhere in the tree. */
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
import { locksOfMove, sharedLocksWithin } from './own-files.ts'
import { linksKeepChanging, orDisplaced, withFolder } from './pinned-folder.ts'
import { removeEmptied } from './remove-emptied.ts'
import type { ResolvedPath } from './resolve-path.ts'
import { holdsDocuments, removeEmptyFolder } from './walk-documents.ts'

interface Ends {
  readonly source: ResolvedPath
  readonly target: ResolvedPath
}

const resolveEnds = async (home: Home, from: string, to: string): Promise<Result<Ends>> => {
  const [source, target] = await Promise.all([home.resolve(from), home.resolve(to)])
  if (!source.ok) return source
  return target.ok ? ok({ source: source.value, target: target.value }) : target
}

const namesOf = ({ source, target }: Ends, from: string, to: string): string[] =>
  [from, to, source.canonical, target.canonical].filter((path) => path !== undefined)

interface Checked {
  readonly isFolder: boolean
  /** A folder without documents, which may be replaced. */
  readonly isTargetFolder: boolean
}

const checkEnds = async (home: Home, { source, target }: Ends, from: string, to: string): Promise<Result<Checked>> => {
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

/** Requires all the locks. */
const moveEnds = async (home: Home, ends: Ends, from: string, to: string, locks: HeldLocks): Promise<Result<void>> => {
  const { source, target } = ends
  const checked = await checkEnds(home, ends, from, to)
  if (!checked.ok) return checked
  const held = await home.lockFiles(sharedLocksWithin(namesOf(ends, from, to)))
  if (!held.ok) return held
  if (checked.value.isTargetFolder) await removeEmptyFolder(target.file, held.value.flatMap(filesOfLock))
  await ensureFolder(dirname(target.file))
  return withFolder(dirname(source.file), (out) =>
    withFolder(dirname(target.file), async (into) => {
      if (!(await locks.isHeld())) return err(lostLocks(from))
      // A program that ignores locks may have put something there.
      if (await statusAt(into.at(basename(target.file)))) return err(occupiedAt(to))
      await rename(out.at(basename(source.file)), into.at(basename(target.file)))
      const { canonical } = source
      if (checked.value.isFolder && canonical !== undefined) {
        const within = sharedLocksWithin([canonical]).map((lock) => lock.slice(canonical.length + 1))
        await removeLocksWithin(target.file, within)
      }
      await into.sync()
      await out.sync()
      return ok(undefined)
    }),
  )
}

/** `undefined` if a link on the path was changed meanwhile. */
const moveOnce = async (home: Home, from: string, to: string): Promise<Result<void> | undefined> => {
  const before = await resolveEnds(home, from, to)
  if (!before.ok) return before
  const names = namesOf(before.value, from, to)
  const locked = await home.acquire(locksOfMove(names))
  if (!locked.ok) return locked
  try {
    const now = await resolveEnds(home, from, to)
    if (!now.ok) return now
    if (namesOf(now.value, from, to).join() !== names.join()) return undefined
    const moved = await moveEnds(home, now.value, from, to, locked.value)
    if (moved.ok) await removeEmptied(now.value.source)
    return moved
  } finally {
    await locked.value.release()
  }
}

/** Throws the system's errors. */
export const moveDocuments = async (home: Home, from: string, to: string): Promise<Result<void>> => {
  await home.prepare()
  return (await orDisplaced(moveOnce(home, from, to))) ?? err(linksKeepChanging(from))
}
