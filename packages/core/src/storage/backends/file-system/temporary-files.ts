/** Temporary files: a name that says whose they are, and the sweep of those that a killed process left behind. */
import { randomBytes } from 'node:crypto'
import { type Dirent, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../shared/clock.ts'
import { isSystemError } from './io-error.ts'
import { TEMPORARY_PREFIX } from './own-files.ts'
import { CURRENT_PROCESS, isRunning } from './process-identity.ts'

const ABANDONED_AFTER_MS = 60 * 60 * 1000

const processTag = `${CURRENT_PROCESS.pid}-${CURRENT_PROCESS.host}-${randomBytes(6).toString('hex')}`
let created = 0

/** A new name in the folder, never used before by any process. */
export const temporaryFileIn = (folder: string): string => join(folder, `${TEMPORARY_PREFIX}${processTag}-${(++created).toString(36)}`)

const isAbandoned = (folder: string, name: string): boolean => {
  const [pid = '', host] = name.slice(TEMPORARY_PREFIX.length).split('-')
  if (host === CURRENT_PROCESS.host && /^\d+$/.test(pid) && !isRunning(Number(pid))) return true
  return systemClock() - statSync(join(folder, name)).mtimeMs > ABANDONED_AFTER_MS
}

/** Removes what dead processes of this host left, and what is older than an hour. Litter that cannot be removed stays. */
export const sweepTemporaryFiles = (folder: string, entries: readonly Dirent[]): void => {
  for (const { name } of entries) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue
    try {
      if (isAbandoned(folder, name)) unlinkSync(join(folder, name))
    } catch (error) {
      if (!isSystemError(error)) throw error
    }
  }
}
