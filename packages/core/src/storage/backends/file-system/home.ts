/** Shared by all operations: the home's location, path resolution and locks. */
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Clock } from '../../../shared/clock.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { createFileLock, type HeldLocks, type LockOptions } from './file-lock.ts'
import { isSystemError } from './io-error.ts'
import { tellsPlaces, withFolder } from './pinned-folder.ts'
import type { Permissions } from './private-modes.ts'
import { linkedPlaces, locatePath, type ResolvedPath, resolvePath } from './resolve-path.ts'
import { sweepFolder } from './temporary-files.ts'
import { createTending } from './tend-home.ts'

/** What is opened by the way and found to be at the file has no link on its path, so the path need not be resolved. */
export interface ExpectedPlace {
  readonly way: string
  /** With every link resolved. */
  readonly file: string
}

/** The part needed for reading. */
export interface ReadableHome {
  readonly resolve: (path: string) => Promise<Result<ResolvedPath>>
  /** Where a path without links should be. `undefined` if that is not known, or if an open file cannot tell where it is. */
  readonly expect: (path: string) => Promise<ExpectedPlace | undefined>
  /** Names of folders to skip. Default: none. */
  readonly ignoresFolder?: (name: string) => boolean
  /** Reads and lists with blocking calls where it can. Default false. */
  readonly blocksToRead?: boolean
}

export interface Home extends ReadableHome {
  /** Absolute; may be a link. */
  readonly root: string
  /** As `expect`, without waiting; `undefined` also before the first `expect`. */
  readonly expectNow: (path: string) => ExpectedPlace | undefined
  /** The same for homes of this process with the same folder and options. */
  readonly identity: string
  readonly lockTimeoutMs: number
  readonly clock: Clock
  /** The paths of the lock files of these names; a link out of the home is refused. */
  readonly lockFiles: (names: readonly string[]) => Promise<Result<readonly string[]>>
  /** Takes lock files by their names below the home, or by paths that `lockFiles` has just returned. Throws the system's errors. */
  readonly acquire: (names: readonly string[], files?: readonly string[]) => Promise<Result<HeldLocks>>
  /** Takes a lock file without waiting, by its path; `undefined` if it is taken. Throws the system's errors. */
  readonly acquireNow: (file: string) => Promise<HeldLocks | undefined>
  /** Waits for a lock file, by its path. `onTaken`: as of `TryLock`. Throws the system's errors. */
  readonly acquireOne: (file: string, onTaken: () => void) => Promise<Result<HeldLocks>>
  /** Called before each write. The first call removes other users' access to the home. */
  readonly prepare: () => Promise<void>
  /** Called after each write. The first call starts the cleanup in the background, where it does not slow down the write. */
  readonly tend: () => void
  /** Removes old temporary files from a folder outside the home that holds linked documents, before the first write to it. */
  readonly sweepOnce: (folder: string) => Promise<void>
  /** Ends the background work. */
  readonly close: () => Promise<void>
}

/** Absolute; `~` is the user's home folder. `from`: base of a relative path, by default the working directory. */
export const expandHome = (home: string, from = '.'): string =>
  home === '~' || /^~[\\/]/.test(home) ? join(homedir(), home.slice(1)) : resolve(from, home)

export interface HomeOptions {
  readonly linkedDocuments: readonly string[]
  readonly permissions: Permissions | undefined
  readonly lock: LockOptions
  readonly blocksToRead?: boolean
}

export const openHome = (home: string, { linkedDocuments, permissions, lock, blocksToRead = false }: HomeOptions): Home => {
  const root = expandHome(home)
  const linked = linkedPlaces(linkedDocuments)
  const locks = createFileLock(lock)
  let lastRoot: string | undefined
  const swept = new Set<string>()
  const { prepare, tend, close } = createTending({ root, permissions, warn: lock.warn, clock: lock.clock })

  const lockFiles = async (names: readonly string[]): Promise<Result<readonly string[]>> => {
    const folders = new Map<string, string>()
    for (const folder of new Set(names.map((name) => dirname(name)))) {
      const located = await locatePath(root, folder, linked)
      if (!located.ok) return located
      folders.set(folder, located.value.file)
    }
    return ok(names.map((name) => join(folders.get(dirname(name)) ?? root, basename(name))))
  }

  const acquire: Home['acquire'] = async (names, found) => {
    const files = found ? ok(found) : await lockFiles(names)
    return files.ok ? locks.acquire(files.value) : files
  }

  const sweepOnce = async (folder: string): Promise<void> => {
    if (swept.has(folder)) return
    swept.add(folder)
    try {
      await withFolder(folder, sweepFolder)
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error
    }
  }

  const resolveDocument = async (path: string): Promise<Result<ResolvedPath>> => {
    const resolved = await resolvePath(root, path, linked)
    if (resolved.ok && resolved.value.isStraight) lastRoot = resolved.value.file.slice(0, -path.length - 1) || '/'
    return resolved
  }

  let isTold = false
  const expectNow = (path: string): ExpectedPlace | undefined =>
    lastRoot !== undefined && isTold ? { way: join(root, path), file: join(lastRoot, path) } : undefined
  const expect = async (path: string): Promise<ExpectedPlace | undefined> => {
    isTold ||= await tellsPlaces()
    return expectNow(path)
  }

  return {
    root,
    identity: JSON.stringify([root, linkedDocuments, permissions, lock.kind, lock.timeoutMs]),
    lockTimeoutMs: lock.timeoutMs,
    clock: lock.clock,
    blocksToRead,
    expect,
    expectNow,
    resolve: resolveDocument,
    lockFiles,
    acquire,
    acquireNow: locks.acquireNow,
    acquireOne: (file, onTaken) => locks.acquire([file], onTaken),
    prepare,
    tend,
    sweepOnce,
    close,
  }
}
