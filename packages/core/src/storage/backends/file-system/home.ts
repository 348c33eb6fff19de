/** What every operation shares: where the home is, how its paths resolve, how its locks are taken. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Result } from '../../../shared/result.ts'
import { entriesIn } from './durable-folder.ts'
import { type AcquireLocks, createFileLock, type LockOptions } from './file-lock.ts'
import { linkedPlaces, type ResolvedPath, realLocation, resolvePath } from './resolve-path.ts'
import { sweepTemporaryFiles } from './temporary-files.ts'

export interface Home {
  /** Absolute; may itself be a link. */
  readonly root: string
  readonly resolve: (path: string) => Result<ResolvedPath>
  /** Where a lock file of this name lies. */
  readonly lockFile: (name: string) => string
  /** Takes lock files by their names below the home. */
  readonly acquire: AcquireLocks
  /** Sweeps a folder the first time it is written to. */
  readonly sweepOnce: (folder: string) => Promise<void>
}

const expand = (home: string): string => (home === '~' || /^~[\\/]/.test(home) ? join(homedir(), home.slice(1)) : resolve(home))

export const openHome = (home: string, linkedDocuments: readonly string[], lock: LockOptions): Home => {
  const root = expand(home)
  const linked = linkedPlaces(linkedDocuments)
  const acquireFiles = createFileLock(lock)
  const lockFile = (name: string) => join(realLocation(root), name)
  const swept = new Set<string>()
  return {
    root,
    resolve: (path) => resolvePath(root, path, linked),
    lockFile,
    acquire: (names) => acquireFiles(names.map(lockFile)),
    sweepOnce: async (folder) => {
      if (swept.has(folder)) return
      swept.add(folder)
      sweepTemporaryFiles(folder, await entriesIn(folder))
    },
  }
}
