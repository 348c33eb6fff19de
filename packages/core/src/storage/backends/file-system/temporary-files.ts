/** Temporary files: names that identify their process, and the removal of those left by killed processes. */
import { systemClock } from '../../../shared/clock.ts'
import { stat, unlink } from './file-calls.ts'
import { isSystemError } from './io-error.ts'
import { lateCrypto } from './late-crypto.ts'
import { TEMPORARY_PREFIX } from './own-files.ts'
import { CURRENT_PROCESS, isRunning } from './process-identity.ts'

const ABANDONED_AFTER_MS = 60 * 60 * 1000

let processTag: string | undefined
let created = 0

/** A name that no process has used before. */
export const temporaryName = (): string => {
  processTag ??= `${CURRENT_PROCESS.pid}-${CURRENT_PROCESS.host}-${lateCrypto().randomBytes(6).toString('hex')}`
  return `${TEMPORARY_PREFIX}${processTag}-${(++created).toString(36)}`
}

const isAbandoned = async (name: string, file: string): Promise<boolean> => {
  const [pid, host] = name.slice(TEMPORARY_PREFIX.length).split('-')
  if (host === CURRENT_PROCESS.host && !isRunning(Number(pid))) return true
  return systemClock() - (await stat(file)).mtimeMs > ABANDONED_AFTER_MS
}

/** Removes a temporary file of a dead process of this host, or one older than an hour. Ignores files that cannot be removed. */
export const sweepTemporaryFile = async (name: string, file: string): Promise<void> => {
  if (!name.startsWith(TEMPORARY_PREFIX)) return
  try {
    if (await isAbandoned(name, file)) await unlink(file)
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}
