/** Creates folders, private and durable. */
import { mkdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { stat } from './file-calls.ts'
import { isSystemError } from './io-error.ts'
import { type PinnedFolder, withFolder } from './pinned-folder.ts'

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}

const createFolder = async ({ at, sync }: PinnedFolder, name: string): Promise<void> => {
  try {
    await mkdir(at(name), { mode: 0o700 })
  } catch (error) {
    // Another process created it first.
    if (isSystemError(error, 'EEXIST') && (await isFolder(at(name)))) return
    throw error
  }
  await sync()
}

/**
 * Creates missing folders with 0700 and makes each new entry durable; every link of the path is resolved. One level at a time: Node's own
 * recursive mkdir does not return if a file system answers ENOENT to a new entry, as /proc does.
 */
export const ensureFolder = async (folder: string): Promise<void> => {
  if (await isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) await ensureFolder(parent)
  await withFolder(parent, (pinned) => createFolder(pinned, basename(folder)))
}
