/** Storage in a folder of the file system, with the layout of Python Hermes, so that both can use one home. */
import { callSafely } from '../../shared/call-safely.ts'
import type { StorageBackend } from '../storage-backend.ts'
import { FileBackend } from './file-backend.ts'
import { checkFileSystemOptions, type FileSystemBackendOptions } from './file-system-options.ts'

const warned = new Set<string>()

const warnOnce = (message: string): void => {
  if (warned.has(message)) return
  warned.add(message)
  process.emitWarning(message, { type: 'HermesWarning', code: 'HERMES_STORAGE' })
}

/**
 * Documents below `home` (`~` is the user's home folder), created on demand with 0700 for folders and 0600 for files. An update is durable and visible when it
 * resolves. Safe among processes, and beside a running Python Hermes if flock(2) is available. Throws a TypeError for a wrong option.
 */
export const fileSystemBackend = (home: string, options: FileSystemBackendOptions = {}): StorageBackend => {
  checkFileSystemOptions(home, options)
  const { onWarning = warnOnce } = options
  const files = new FileBackend(home, { ...options, onWarning: (message) => callSafely(onWarning, message) })
  // Hosts may spread it, to watch or replace a method.
  return {
    read: (paths) => files.read(paths),
    update: (paths, plan, given) => files.update(paths, plan, given),
    list: (prefix) => files.list(prefix),
    close: () => files.close(),
  }
}
