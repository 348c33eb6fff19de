/**
 * Cleans up a home once, in the background after its first write: removes temporary files of killed processes, and removes other users'
 * access to every file of a home that was open. Never delays a write; what fails is left for the next start.
 */
import type { Dirent } from 'node:fs'
import { constants, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../shared/clock.ts'
import { open } from './file-calls.ts'
import { isSystemError } from './io-error.ts'
import { orDisplaced, type PinnedFolder, withFolder } from './pinned-folder.ts'
import { type CloseOptions, closeHome, closeToOthers, isOwnEntry } from './private-modes.ts'
import { realLocation } from './resolve-path.ts'
import { sweepTemporaryFile } from './temporary-files.ts'

const ENTRY_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Ignores files that are missing, inaccessible or of another owner. */
const ignoreFailure = async (doing: Promise<unknown>): Promise<void> => {
  try {
    await orDisplaced(doing)
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

const closeEntry = async ({ at }: PinnedFolder, entry: Dirent): Promise<void> => {
  if (!entry.isFile() && !entry.isDirectory()) return
  const handle = await open(at(entry.name), ENTRY_FLAGS)
  try {
    await closeToOthers(handle)
  } finally {
    await handle.close()
  }
}

interface Tending {
  /** With every link resolved. */
  readonly root: string
  readonly closesToOthers: boolean
  readonly maxFolders: number
  readonly isOver: () => boolean
}

/** Does not follow links. Breadth-first, so that a deep tree does not delay the rest. */
const tendTree = async ({ root, closesToOthers, maxFolders, isOver }: Tending): Promise<void> => {
  const waiting = [{ folder: root, isOwn: false }]
  const tend = (folder: string, isOwn: boolean) =>
    withFolder(folder, async (pinned) => {
      for (const entry of await readdir(pinned.at('.'), { withFileTypes: true })) {
        if (isOver()) return
        const isOurs = isOwn || (folder === root && isOwnEntry(entry.name))
        if (closesToOthers && isOurs) await ignoreFailure(closeEntry(pinned, entry))
        if (entry.isDirectory()) waiting.push({ folder: join(folder, entry.name), isOwn: isOurs })
        else await sweepTemporaryFile(entry.name, pinned.at(entry.name))
      }
    })
  for (let count = 0; count < maxFolders && !isOver(); count++) {
    const next = waiting.shift()
    if (!next) return
    await ignoreFailure(tend(next.folder, next.isOwn))
  }
}

/** Removes the temporary files of killed processes in all folders below the given one, an absolute path that may not exist. */
export const sweepTree = (root: string): Promise<void> =>
  tendTree({ root, closesToOthers: false, maxFolders: Number.POSITIVE_INFINITY, isOver: () => false })

/** Milliseconds; limits how long the cleanup keeps a process alive. */
const LIMIT_MS = 10_000

export interface TendOptions extends CloseOptions {
  /** Absolute; may be a link, or missing. */
  readonly root: string
  readonly clock: Clock
  /** Larger homes are cleaned up to this number of folders. Default 10,000. */
  readonly maxFolders?: number
}

/** `prepare` is called before each write and `tend` after it; `close` ends the background work. */
export const createTending = ({ root, clock, maxFolders = 10_000, ...closing }: TendOptions) => {
  let prepared: Promise<void> | undefined
  /** Undefined before `prepare`, and if there is nothing to clean up. */
  let found: Pick<Tending, 'root' | 'closesToOthers'> | undefined
  let tending: Promise<void> | undefined
  let closed = false

  const begin = async (): Promise<void> => {
    const folder = await realLocation(root)
    found = { root: folder, closesToOthers: await closeHome(folder, closing) }
  }

  return {
    prepare: (): Promise<void> => {
      // A missing home needs no cleanup; other problems will show in the write itself.
      prepared ??= ignoreFailure(begin())
      return prepared
    },
    tend: (): void => {
      if (!found || tending || closed) return
      const until = clock() + LIMIT_MS
      // Not awaited, so a failure must not end the process.
      tending = tendTree({ ...found, maxFolders, isOver: () => closed || clock() > until }).catch(() => undefined)
    },
    close: async (): Promise<void> => {
      closed = true
      await tending
    },
  }
}
