/** Walks the documents below a folder; own files, empty folders and links out of the home do not count. */
import { lstatSync, readdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentInfo } from '../../storage-backend.ts'
import { checkStoragePath } from '../../storage-paths.ts'
import { namesIn } from './durable-folder.ts'
import type { Home } from './home.ts'
import { isSystemError } from './io-error.ts'
import { isOwnFile } from './own-files.ts'
import { sweepTemporaryFiles } from './temporary-files.ts'

/** The real file or folder behind an entry, or `undefined` for what no document path may reach. */
const follow = (home: Home, path: string, entry: string): string | undefined => {
  if (!lstatSync(entry, { throwIfNoEntry: false })?.isSymbolicLink()) return entry
  try {
    const resolved = home.resolve(path)
    return resolved.ok ? resolved.value.file : undefined
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

async function* walk(home: Home, prefix: string, folder: string, above: readonly string[]): AsyncGenerator<DocumentInfo> {
  const names = await namesIn(folder)
  sweepTemporaryFiles(folder, names)
  for (const name of names) {
    const path = prefix === '' ? name : `${prefix}/${name}`
    if (isOwnFile(path) || !checkStoragePath(path).ok) continue
    const file = follow(home, path, join(folder, name))
    const status = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
    if (file === undefined || !status) continue
    if (status.isFile()) yield { path, size: status.size }
    // A link to a folder above would lead round in circles.
    else if (status.isDirectory() && file !== folder && !above.includes(file)) yield* walk(home, path, file, [...above, folder])
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
