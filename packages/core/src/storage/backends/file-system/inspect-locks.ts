/** Looks at the locks of a home without taking one: which kind is used here, and who holds some. Reads only. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../../shared/clock.ts'
import { loadFlock } from './flock.ts'
import { expandHome } from './home.ts'
import { isSystemError } from './io-error.ts'
import { isGone, parseHolder } from './lock-holder.ts'
import { LOCK_FOLDER, sharedLocksWithin } from './own-files.ts'

export interface LockHolder {
  /** The lock file, relative to the home. */
  readonly lock: string
  /** Undefined if the mark cannot be read. */
  readonly pid: number | undefined
  /** Epoch milliseconds of its last sign of life. */
  readonly seenAt: number
  /** The process ended, or gave no sign of life for half a minute; the next writer takes the lock over. */
  readonly gone: boolean
}

export interface LockInspection {
  /** `flock` also excludes Python Hermes; lock files exclude only this library. */
  readonly kind: 'flock' | 'lock-files'
  /** Locks held by this library. */
  readonly held: readonly LockHolder[]
}

/** The locks of the memory files and of the usage counts are beside them. */
const EVERYTHING = ['memories', 'skills']

const orMissing = async <T>(reading: Promise<T>): Promise<T | undefined> => {
  try {
    return await reading
  } catch (error) {
    if (!isSystemError(error)) throw error
    return undefined
  }
}

const holderOf = async (root: string, lock: string): Promise<readonly LockHolder[]> => {
  const words = (await orMissing(readFile(join(root, lock), 'utf8')))?.trim()
  const found = words && (await orMissing(stat(join(root, lock))))
  if (!found) return []
  const gone = isGone(words, systemClock() - found.mtimeMs)
  return [{ lock, pid: parseHolder(words)?.pid, seenAt: found.mtimeMs, gone }]
}

/** `home`: as for `fileSystemBackend`. A missing home has no locks. */
export const inspectLocks = async (home: string): Promise<LockInspection> => {
  const root = expandHome(home)
  const buckets = ((await orMissing(readdir(join(root, LOCK_FOLDER)))) ?? []).map((name) => `${LOCK_FOLDER}/${name}`)
  const shared = sharedLocksWithin(EVERYTHING).flatMap((lock) => [lock, `${lock}.excl`])
  const held: LockHolder[] = []
  for (const lock of [...buckets.sort(), ...shared]) held.push(...(await holderOf(root, lock)))
  return { kind: loadFlock() ? 'flock' : 'lock-files', held }
}
