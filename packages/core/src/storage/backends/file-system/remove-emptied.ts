/** Folder names in a storage of many owners identify people, so a folder that becomes empty with a removed document is removed too. */
import { opendir, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HOMES_FOLDER, OWNERS_FOLDER } from '../../storage-paths.ts'
import { isSystemError } from './io-error.ts'
import { TEMPORARY_PREFIX } from './own-files.ts'
import { DisplacedError, withFolder } from './pinned-folder.ts'
import type { ResolvedPath } from './resolve-path.ts'
import { sweepTemporaryFile } from './temporary-files.ts'

const FOLDERS_OF_PEOPLE: readonly (string | undefined)[] = [HOMES_FOLDER, OWNERS_FOLDER]

/** True if the folder has just been removed by another process: the last of several then finds the parent folder empty. */
const orGone = async (removing: Promise<boolean>): Promise<boolean> => {
  try {
    return await removing
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || error instanceof DisplacedError) return true
    if (isSystemError(error)) return false
    throw error
  }
}

const isEmptied = (folder: string): Promise<boolean> =>
  withFolder(folder, async ({ at }) => {
    for await (const entry of await opendir(at('.'))) {
      if (entry.isDirectory()) {
        if (!(await removeIfEmpty(join(folder, entry.name)))) return false
      } else if (entry.name.startsWith(TEMPORARY_PREFIX)) await sweepTemporaryFile(entry.name, at(entry.name))
      else return false
    }
    return true
  })

const removeFolder = (folder: string): Promise<boolean> =>
  withFolder(dirname(folder), async ({ at, sync }) => {
    await rmdir(at(basename(folder)))
    await sync()
    return true
  })

/** Removes temporary files of dead processes and empty folders first; anything else keeps the folder. */
const removeIfEmpty = async (folder: string): Promise<boolean> => (await orGone(isEmptied(folder))) && (await orGone(removeFolder(folder)))

/**
 * For the former folder of a document or a moved folder. A concurrent write creates the folder again. A folder that cannot be removed is
 * kept.
 */
export const removeEmptied = async ({ file, canonical }: ResolvedPath): Promise<void> => {
  const folders = canonical?.split('/').slice(0, -1) ?? []
  if (!FOLDERS_OF_PEOPLE.includes(folders[0])) return
  let folder = dirname(file)
  for (const _ of folders) {
    if (!(await removeIfEmpty(folder))) return
    folder = dirname(folder)
  }
}
