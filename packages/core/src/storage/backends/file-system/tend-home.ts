/**
 * What a back end does once for its home, behind its first write: temporary files that killed processes left anywhere go, and a home that
 * was open to others is closed to its last file. It never holds up a write, and what it cannot do stays undone until the next start.
 */
import type { Dirent } from 'node:fs'
import { constants, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../shared/clock.ts'
import { isSystemError } from './io-error.ts'
import { orDisplaced, type PinnedFolder, withFolder } from './pinned-folder.ts'
import { type CloseOptions, closeHome, closeToOthers, isOwnEntry } from './private-modes.ts'
import { realLocation } from './resolve-path.ts'
import { sweepTemporaryFile } from './temporary-files.ts'

/** Enough for every home that a person fills; a larger one is tended as far as this goes. */
const MAX_FOLDERS = 10_000
const ENTRIES_AT_ONCE = 256

const ENTRY_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** What may be missing, closed or of another owner is none of ours to mend. */
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
  /** Every link resolved. */
  readonly root: string
  readonly closesToOthers: boolean
  readonly isOver: () => boolean
}

/** Follows no link. Nearest first, so that what is deep in a huge tree holds up nothing else. */
const tendTree = async ({ root, closesToOthers, isOver }: Tending): Promise<void> => {
  const waiting = [{ folder: root, isOwn: false }]
  const tend = (folder: string, isOwn: boolean) =>
    withFolder(folder, async (pinned) => {
      for await (const entry of await opendir(pinned.at('.'), { bufferSize: ENTRIES_AT_ONCE })) {
        if (isOver()) return
        const isOurs = isOwn || (folder === root && isOwnEntry(entry.name))
        if (closesToOthers && isOurs) await ignoreFailure(closeEntry(pinned, entry))
        if (entry.isDirectory()) waiting.push({ folder: join(folder, entry.name), isOwn: isOurs })
        else await sweepTemporaryFile(entry.name, pinned.at(entry.name))
      }
    })
  for (let count = 0; count < MAX_FOLDERS && !isOver(); count++) {
    const next = waiting.shift()
    if (!next) return
    await ignoreFailure(tend(next.folder, next.isOwn))
  }
}

/** However slow the disk is, tending keeps no process alive for longer. */
const LIMIT_MS = 10_000

export interface TendOptions extends CloseOptions {
  /** Absolute; may be a link, or missing. */
  readonly root: string
  readonly clock: Clock
}

/** `prepare` is called before each write; `close` ends what runs in the background. */
export const createTending = ({ root, clock, ...closing }: TendOptions) => {
  let prepared: Promise<void> | undefined
  let tending: Promise<void> | undefined
  let closed = false

  const begin = async (): Promise<void> => {
    const until = clock() + LIMIT_MS
    const folder = await realLocation(root)
    const closesToOthers = await closeHome(folder, closing)
    // Nobody waits for it, so no failure of it may end the process.
    tending = tendTree({ root: folder, closesToOthers, isOver: () => closed || clock() > until }).catch(() => undefined)
  }

  return {
    prepare: (): Promise<void> => {
      // A home that does not exist yet needs none of it; what else is wrong with it, the write will say.
      prepared ??= ignoreFailure(begin())
      return prepared
    },
    close: async (): Promise<void> => {
      closed = true
      await tending
    },
  }
}
