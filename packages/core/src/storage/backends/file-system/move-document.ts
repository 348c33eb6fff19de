/** Moves a document or a folder in one rename, while no update is under way anywhere in the tree. */
import { renameSync, rmSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { isBelow, notADocument, nothingAt, occupiedAt } from '../../document-tree.ts'
import { ensureFolder, syncFolder } from './durable-folder.ts'
import { exclusiveFileOf } from './exclusive-file-lock.ts'
import type { Home } from './home.ts'
import { locksOfMove, sharedLocksWithin } from './own-files.ts'
import type { ResolvedPath } from './resolve-path.ts'
import { holdsDocuments, removeEmptyFolder } from './walk-documents.ts'

interface Ends {
  readonly source: ResolvedPath
  readonly target: ResolvedPath
}

const resolveEnds = (home: Home, from: string, to: string): Result<Ends> => {
  const source = home.resolve(from)
  if (!source.ok) return source
  const target = home.resolve(to)
  if (!target.ok) return target
  return ok({ source: source.value, target: target.value })
}

const namesOf = ({ source, target }: Ends, from: string, to: string): string[] =>
  [from, to, source.canonical, target.canonical].filter((path) => path !== undefined)

const statusOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

const checkEnds = async (home: Home, { source, target }: Ends, from: string, to: string): Promise<Result<Stats>> => {
  const status = source.blocked ? undefined : statusOf(source.file)
  if (!status || (status.isDirectory() && !(await holdsDocuments(home, from, source.file)))) return err(nothingAt(from))
  if (source.isLink) {
    return err(notADocument(from, 'it is a symbolic link, and a move would tear it from what it leads to; move link and target by hand'))
  }
  if (target.blocked) return err(target.blocked)
  const there = statusOf(target.file)
  if (target.isLink || (there && !there.isDirectory()) || (there && (await holdsDocuments(home, to, target.file))))
    return err(occupiedAt(to))
  if (isBelow(target.file, source.file)) return err(new HermesError('invalid_path', `'${from}' cannot move into itself ('${to}').`))
  return ok(status)
}

/** A lock's own file, and the one that stands for it where flock is missing. */
const filesOfLock = (lock: string): string[] => [lock, exclusiveFileOf(lock)]

/** Under all the locks. */
const rename = async (home: Home, ends: Ends, from: string, to: string): Promise<Result<void>> => {
  const { source, target } = ends
  const checked = await checkEnds(home, ends, from, to)
  if (!checked.ok) return checked
  const heldLocks = sharedLocksWithin(namesOf(ends, from, to))
    .map(home.lockFile)
    .flatMap(filesOfLock)
  if (statusOf(target.file)) removeEmptyFolder(target.file, heldLocks)
  await ensureFolder(dirname(target.file))
  renameSync(source.file, target.file)
  // Lock files stay where Python Hermes looks for them: those that went along would turn up as documents.
  if (checked.value.isDirectory() && source.canonical !== undefined) {
    for (const lock of sharedLocksWithin([source.canonical])) {
      const moved = join(target.file, lock.slice(source.canonical.length + 1))
      for (const file of filesOfLock(moved)) rmSync(file, { force: true })
    }
  }
  await syncFolder(dirname(target.file))
  await syncFolder(dirname(source.file))
  return ok(undefined)
}

/** Throws the system's errors. */
export const moveDocuments = async (home: Home, from: string, to: string): Promise<Result<void>> => {
  const before = resolveEnds(home, from, to)
  if (!before.ok) return before
  const names = namesOf(before.value, from, to)
  const locks = locksOfMove(names)
  const locked = await home.acquire(locks)
  if (!locked.ok) return locked
  try {
    const now = resolveEnds(home, from, to)
    if (!now.ok) return now
    if (namesOf(now.value, from, to).join() !== names.join()) {
      return err(new HermesError('io', `The symbolic links on the way from '${from}' to '${to}' changed meanwhile. Try again.`))
    }
    return await rename(home, now.value, from, to)
  } finally {
    locked.value()
  }
}
