/** Storage in a folder of the file system, with the layout of Python Hermes, so that both can use one home. */
import { callSafely } from '../../../shared/call-safely.ts'
import { fileBackend } from '../../next/files/file-backend.ts'
import type { StorageBackend } from '../../storage-backend.ts'
import { checkFileSystemOptions, DEFAULT_TIMEOUT_MS, type FileSystemBackendOptions } from './file-system-options.ts'
import { hasFlock } from './flock.ts'

const warned = new Set<string>()

const warnOnce = (message: string): void => {
  if (warned.has(message)) return
  warned.add(message)
  process.emitWarning(message, { type: 'HermesWarning', code: 'HERMES_STORAGE' })
}

const FALLBACK_WARNING =
  'Hermes storage: flock is not available here, so a lock file is used. Programs that use this library respect it, but Python Hermes does not: do not share this home with Python Hermes, or install the optional package koffi on Linux or macOS.'

const CHOSEN_WARNING =
  "Hermes storage: a lock file is used, because of the option lock: 'exclusive-file'. Programs that use this library respect it, but Python Hermes does not: do not share this home with Python Hermes, or leave the option at 'auto'."

const conflictAt = (path: string, beside: string | undefined): string =>
  `An update that a crash had interrupted met '${path}', which another program had changed meanwhile. What is there was kept.${beside === undefined ? '' : ` The update's own text is in '${beside}'.`}`

/**
 * Documents below `home` (`~` is the user's home folder), created on demand with 0700 for folders and 0600 for files. An update is
 * durable when it resolves. Safe among processes, and beside a running Python Hermes if flock(2) is available. Throws a TypeError for a
 * wrong option.
 */
export const fileSystemBackend = (home: string, options: FileSystemBackendOptions = {}): StorageBackend => {
  checkFileSystemOptions(home, options)
  const { timeoutMs = DEFAULT_TIMEOUT_MS, onWarning = warnOnce, lock = 'auto' } = options
  const warn = (message: string) => callSafely(onWarning, message)
  let isLockTold = false
  const tellLock = (): void => {
    if (isLockTold) return
    isLockTold = true
    if (lock === 'exclusive-file') warn(CHOSEN_WARNING)
    else if (!hasFlock()) warn(FALLBACK_WARNING)
  }
  const files = fileBackend(home, {
    timeLimitMs: timeoutMs,
    ...(lock === 'exclusive-file' ? { lock: 'file' } : {}),
    onConflict: ({ path, beside }) => warn(conflictAt(path, beside)),
  })
  return {
    read: (paths) => files.read(paths),
    update: (paths, plan, given) => {
      tellLock()
      return files.update(paths, plan, given)
    },
    list: (prefix) => files.list(prefix),
    close: () => files.close(),
  }
}
