/** Walks the documents below a folder; own files, empty folders and links out of the home do not count. */
import { readdirSync, rmdirSync, type Stats, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentInfo } from '../../storage-backend.ts'
import { checkStoragePath } from '../../storage-paths.ts'
import { entriesIn } from './durable-folder.ts'
import type { Home } from './home.ts'
import { isSystemError } from './io-error.ts'
import { isOwnFile } from './own-files.ts'
import { sweepTemporaryFiles } from './temporary-files.ts'

/** What a link leads to, or `undefined` where it leads nowhere or to what no document path may reach. */
const follow = (home: Home, path: string): { readonly file: string; readonly status: Stats } | undefined => {
  try {
    const resolved = home.resolve(path)
    const status = resolved.ok ? statSync(resolved.value.file, { throwIfNoEntry: false }) : undefined
    return resolved.ok && status ? { file: resolved.value.file, status } : undefined
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

async function* walk(home: Home, prefix: string, folder: string, above: readonly string[]): AsyncGenerator<DocumentInfo> {
  const entries = await entriesIn(folder)
  sweepTemporaryFiles(folder, entries)
  for (const entry of entries) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (isOwnFile(path) || !checkStoragePath(path).ok) continue
    const link = entry.isSymbolicLink() ? follow(home, path) : undefined
    const file = link?.file ?? join(folder, entry.name)
    const type = link?.status ?? entry
    if (type.isFile()) {
      const status = link?.status ?? statSync(file, { throwIfNoEntry: false })
      if (status) yield { path, size: status.size }
    } else if (type.isDirectory() && file !== folder && !above.includes(file)) {
      // Not into a folder above: a link to one leads round in circles.
      yield* walk(home, path, file, [...above, folder])
    }
  }
}

/** Below a folder, given as a document path and as the real folder behind it; in no order. Throws the system's errors. */
export const walkDocuments = (home: Home, prefix: string, folder: string): AsyncGenerator<DocumentInfo> => walk(home, prefix, folder, [])

export const holdsDocuments = async (home: Home, prefix: string, folder: string): Promise<boolean> => {
  for await (const _ of walkDocuments(home, prefix, folder)) return true
  return false
}

/**
 * Removes a folder that holds no documents, and the lock files in it that the caller holds. Anything else in there, such as a file
 * whose name is no document path, makes it fail with ENOTEMPTY and stays.
 */
export const removeEmptyFolder = (folder: string, heldLocks: readonly string[] = []): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const inner = join(folder, entry.name)
    if (entry.isDirectory()) removeEmptyFolder(inner, heldLocks)
    else if (heldLocks.includes(inner)) unlinkSync(inner)
  }
  rmdirSync(folder)
}
