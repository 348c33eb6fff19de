/** Folders: what is in them, and how new ones are made private and durable. */
import { closeSync, type Dirent, fsync, mkdirSync, openSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { isSystemError } from './io-error.ts'

const syncFile = promisify(fsync)

/** Makes renames and removals in a folder durable; where a platform cannot sync a folder, there is nothing to wait for. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    await syncFile(handle)
  } catch (error) {
    if (!isSystemError(error, 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP')) throw error
  } finally {
    closeSync(handle)
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/**
 * Creates what is missing with 0700 and makes each new entry durable. One level at a time: Node's own recursive mkdir never returns
 * where a file system answers ENOENT to a new entry, as /proc does.
 */
export const ensureFolder = async (folder: string): Promise<void> => {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) await ensureFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process was faster.
    if (isSystemError(error, 'EEXIST') && isFolder(folder)) return
    throw error
  }
  await syncFolder(parent)
}

/** What is in a folder, or nothing where there is no folder to look into. */
export const entriesIn = async (folder: string): Promise<readonly Dirent[]> => {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}
