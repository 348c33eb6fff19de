/** Replaces a file in one step: a reader sees the old bytes or the new ones, and the new ones survive a power cut, unless that is waived. */
import { join } from 'node:path'
import type { DocumentContent } from '../../storage-backend.ts'
import { open, rename, unlink } from './file-calls.ts'
import { isSystemError } from './io-error.ts'
import { DisplacedError, isAt, letGo, type PinnedFolder } from './pinned-folder.ts'
import { temporaryName } from './temporary-files.ts'

const FILE_MODE = 0o600
const EXECUTABLE_MODE = 0o700

export interface AtomicContent extends Required<DocumentContent> {
  /** False: nothing is synced. */
  readonly durable: boolean
}

/** Creates the file. Throws `DisplacedError` if the folder has moved. */
export const writeTemporary = async ({ folder, at }: PinnedFolder, name: string, content: AtomicContent): Promise<void> => {
  const handle = await open(at(name), 'wx', content.executable ? EXECUTABLE_MODE : FILE_MODE)
  try {
    // The name is new: if it is found in the folder, the renamed file will be in the folder too.
    if (!(await isAt(handle, join(folder, name)))) throw new DisplacedError(`${folder} is no longer the folder it was.`)
    await handle.writeFile(content.bytes)
    if (content.durable) await handle.sync()
  } finally {
    // Windows cannot rename an open file.
    if (process.platform === 'win32') await handle.close()
    else letGo(handle)
  }
}

const removeTemporary = async (file: string): Promise<void> => {
  try {
    await unlink(file)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
  }
}

/**
 * `mayReplace` is called last; if it returns false, the old file is kept and the result is `false`. Throws the system's errors and
 * `DisplacedError`, after removing the temporary file.
 */
export const writeAtomically = async (
  pinned: PinnedFolder,
  name: string,
  content: AtomicContent,
  mayReplace: () => Promise<boolean>,
): Promise<boolean> => {
  const temporary = temporaryName()
  let replaced = false
  try {
    await writeTemporary(pinned, temporary, content)
    if (!(await mayReplace())) return false
    await rename(pinned.at(temporary), pinned.at(name))
    replaced = true
  } finally {
    if (!replaced) await removeTemporary(pinned.at(temporary))
  }
  if (content.durable) await pinned.sync()
  return true
}
