/** Replaces a file in one step: a reader sees the old bytes or the new ones, and the new ones survive a power cut. */
import { closeSync, fsync, openSync, renameSync, rmSync, writeFile, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { SMALL_FILE_BYTES } from './document-file.ts'
import { ensureFolder, syncFolder } from './durable-folder.ts'
import { isSystemError } from './io-error.ts'
import { temporaryFileIn } from './temporary-files.ts'

const syncFile = promisify(fsync)
const writeLarge = promisify(writeFile)

const createIn = async (folder: string): Promise<{ readonly temporary: string; readonly handle: number }> => {
  const temporary = temporaryFileIn(folder)
  try {
    return { temporary, handle: openSync(temporary, 'wx', 0o600) }
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
    await ensureFolder(folder)
    return { temporary, handle: openSync(temporary, 'wx', 0o600) }
  }
}

/**
 * `mayReplace` is asked at the last moment; its "no" leaves the old file in place and answers `false`. Creates missing folders.
 * Throws the system's errors, after removing the temporary file.
 */
export const writeAtomically = async (file: string, bytes: Uint8Array, mayReplace: () => boolean): Promise<boolean> => {
  const folder = dirname(file)
  const { temporary, handle } = await createIn(folder)
  let replaced = false
  try {
    try {
      if (bytes.length <= SMALL_FILE_BYTES) writeFileSync(handle, bytes)
      else await writeLarge(handle, bytes)
      await syncFile(handle)
    } finally {
      closeSync(handle)
    }
    if (!mayReplace()) return false
    renameSync(temporary, file)
    replaced = true
  } finally {
    if (!replaced) rmSync(temporary, { force: true })
  }
  await syncFolder(folder)
  return true
}
