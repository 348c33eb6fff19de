/** Gives a file or folder the place of another, and removes what may be in its way: folders without documents. */
import { join } from 'node:path'
import { isSystemError, isTemporary, orMissing, readEntries, renameOnce, unlink } from './disk.ts'
import { fs } from './node-fs.ts'
import { pause } from './pause.ts'

const LONGEST_PAUSE_MS = 640

/** On Windows a file that a scanner has open cannot be replaced; mostly it is free again within milliseconds. */
export const rename = async (from: string, to: string): Promise<void> => {
  for (let ms = 10; ; ms *= 2) {
    try {
      return await renameOnce(from, to)
    } catch (error) {
      if (process.platform !== 'win32' || ms > LONGEST_PAUSE_MS || !isSystemError(error, 'EPERM', 'EACCES', 'EBUSY')) throw error
      await pause(ms)
    }
  }
}

/** Whether there is nothing in it but folders and what killed processes have left. */
export const isEmptyTree = async (folder: string): Promise<boolean> => {
  for (const entry of await readEntries(folder)) {
    if (entry.isDirectory() ? !(await isEmptyTree(join(folder, entry.name))) : !isTemporary(entry)) return false
  }
  return true
}

/** Removes such a folder. Fails with ENOTEMPTY if there is anything else. */
export const removeEmptyFolder = async (folder: string): Promise<void> => {
  for (const entry of await readEntries(folder)) {
    if (entry.isDirectory()) await removeEmptyFolder(join(folder, entry.name))
    else if (isTemporary(entry)) await orMissing(unlink(join(folder, entry.name)))
  }
  await fs.promises.rmdir(folder)
}
