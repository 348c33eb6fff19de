/** Storage in a folder of the file system, with the layout and locks of Python Hermes, so that both can use one home. */
import { callSafely } from '../../../shared/call-safely.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { checkFolder, checkMove, closedError } from '../../document-tree.ts'
import type { StorageBackend, StoredDocument } from '../../storage-backend.ts'
import { checkStoragePath } from '../../storage-paths.ts'
import { readNow } from './blocking-reads.ts'
import {
  checkFileSystemOptions,
  DEFAULT_LINKED_DOCUMENTS,
  DEFAULT_LOCK_TIMEOUT_MS,
  type FileSystemBackendOptions,
} from './file-system-options.ts'
import { openHome } from './home.ts'
import { isSystemError, toIoError } from './io-error.ts'
import { lateCrypto } from './late-crypto.ts'
import { listDocuments } from './list-documents.ts'
import { moveTogether } from './move-together.ts'
import { refuseOwnFile } from './own-files.ts'
import { readDocument } from './read-document.ts'
import { ChangeThrew } from './run-change.ts'
import { sweepTree } from './tend-home.ts'
import { updateDocument } from './update-document.ts'

const warned = new Set<string>()

const warnOnce = (message: string): void => {
  if (warned.has(message)) return
  warned.add(message)
  process.emitWarning(message, { type: 'HermesWarning', code: 'HERMES_STORAGE' })
}

/**
 * Documents below `home` (`~` is the user's home folder), created on demand with 0700 for folders and 0600 for files. An update is
 * durable when it resolves. Safe among processes, and beside a running Python Hermes if flock(2) is available. Throws a TypeError for a
 * wrong option.
 */
export const fileSystemBackend = (home: string, options: FileSystemBackendOptions = {}): StorageBackend => {
  checkFileSystemOptions(home, options)
  const {
    lockTimeoutMs = DEFAULT_LOCK_TIMEOUT_MS,
    onWarning = warnOnce,
    lock = 'auto',
    linkedDocuments = DEFAULT_LINKED_DOCUMENTS,
    permissions,
    blockingReads = false,
  } = options
  const opened = openHome(home, {
    linkedDocuments,
    permissions,
    blocksToRead: blockingReads,
    lock: {
      timeoutMs: lockTimeoutMs,
      kind: lock,
      warn: (message) => callSafely(onWarning, message),
      random: () => lateCrypto().randomInt(65_536) / 65_536,
      clock: () => process.uptime() * 1000,
    },
  })
  const moveDocuments = moveTogether(opened)
  const underWay = new Set<Promise<unknown>>()
  let closed = false

  const attempt = async <T>(doing: 'read' | 'write', path: string, operation: () => Promise<Result<T>>): Promise<Result<T>> => {
    try {
      return await operation()
    } catch (error) {
      if (error instanceof ChangeThrew) throw error.cause
      if (isSystemError(error)) return err(toIoError(error, doing, path))
      throw error
    }
  }

  const run = async <T>(
    doing: 'read' | 'write',
    path: string,
    checked: Result<unknown>,
    operation: () => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    if (closed) return err(closedError())
    if (!checked.ok) return checked
    const outcome = attempt(doing, path, operation)
    underWay.add(outcome)
    try {
      return await outcome
    } finally {
      underWay.delete(outcome)
    }
  }

  const checkDocument = (path: string): Result<string> => {
    const checked = checkStoragePath(path)
    return checked.ok ? refuseOwnFile(path) : checked
  }

  const checkEnds = (from: string, to: string): Result<unknown> => {
    const checked = checkMove(from, to)
    if (!checked.ok) return checked
    const source = refuseOwnFile(from)
    return source.ok ? refuseOwnFile(to) : source
  }

  const checkListed = (prefix: string): Result<string> => {
    const checked = checkFolder(prefix)
    return checked.ok ? refuseOwnFile(prefix) : checked
  }

  /** Without the cost of waiting, which is more than that of reading. */
  const readAtOnce = (path: string): StoredDocument | undefined => {
    const place = blockingReads && !closed && checkDocument(path).ok ? opened.expectNow(path) : undefined
    return place && readNow(place)
  }

  return {
    read: async (path) => {
      const document = readAtOnce(path)
      return document ? ok(document) : run('read', path, checkDocument(path), () => readDocument(opened, path))
    },
    update: (path, change, options) => run('write', path, checkDocument(path), () => updateDocument(opened, path, { ...options, change })),
    list: (prefix) => run('read', prefix, checkListed(prefix), () => listDocuments(opened, prefix)),
    move: (from, to) => run('write', from, checkEnds(from, to), () => moveDocuments(from, to)),
    removeLeftovers: (prefix) =>
      run('write', prefix, checkListed(prefix), async () => {
        const resolved = await opened.resolve(prefix)
        if (!resolved.ok) return resolved
        if (!resolved.value.blocked) await sweepTree(resolved.value.file)
        return ok(undefined)
      }),
    close: async () => {
      closed = true
      await Promise.allSettled(underWay)
      await opened.close()
    },
  }
}
