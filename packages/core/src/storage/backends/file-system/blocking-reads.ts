/**
 * Reads and lists with blocking calls, which take a fraction of the time of asynchronous ones. Only what is ordinary: for anything else
 * the caller goes the careful, asynchronous way.
 */
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoredDocument } from '../../storage-backend.ts'
import { toDocument } from './document-file.ts'
import type { ExpectedPlace } from './home.ts'
import { isSystemError } from './io-error.ts'

/** Milliseconds after which timers, signals and other work get a turn. */
const BLOCKED_MS = 4

const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
const OWNER_MAY_EXECUTE = 0o100

const readOpened = (handle: number, file: string): StoredDocument | undefined => {
  if (readlinkSync(`/proc/self/fd/${handle}`) !== file) return undefined
  const stats = fstatSync(handle)
  if (!stats.isFile()) return undefined
  // One byte more shows whether the file has grown.
  const buffer = new Uint8Array(stats.size + 1)
  if (readSync(handle, buffer, 0, buffer.length, 0) !== stats.size) return undefined
  return toDocument(buffer.subarray(0, stats.size), (stats.mode & OWNER_MAY_EXECUTE) !== 0)
}

/** `undefined` if there is no plain file just where it is expected. */
export const readNow = ({ way, file }: ExpectedPlace): StoredDocument | undefined => {
  let handle: number
  try {
    handle = openSync(way, READ_FLAGS)
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
  try {
    return readOpened(handle, file)
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  } finally {
    closeSync(handle)
  }
}

/** `undefined` if the folder cannot be read. */
export const entriesNow = (folder: string): readonly Dirent[] | undefined => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

/** `undefined` if there is nothing. */
export const statusNow = (file: string) => statSync(file, { bigint: true, throwIfNoEntry: false })

/** Waits for a turn of the event loop if the calls since the last turn have blocked it for some milliseconds. */
export const createTurns = (now: () => number = () => process.uptime() * 1000): (() => Promise<void>) => {
  let since = now()
  return async () => {
    if (now() - since < BLOCKED_MS) return
    await nextTurn()
    since = now()
  }
}
