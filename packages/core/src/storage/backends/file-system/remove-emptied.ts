/** In a storage of many owners the names of folders tell of people: a folder that a removed document leaves empty is removed as well. */
import { opendir, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HOMES_FOLDER, OWNERS_FOLDER } from '../../storage-paths.ts'
import { isSystemError } from './io-error.ts'
import { TEMPORARY_PREFIX } from './own-files.ts'
import { DisplacedError, withFolder } from './pinned-folder.ts'
import type { ResolvedPath } from './resolve-path.ts'
import { sweepTemporaryFile } from './temporary-files.ts'

const FOLDERS_OF_PEOPLE: readonly (string | undefined)[] = [HOMES_FOLDER, OWNERS_FOLDER]

/** True for what another one has just removed: whoever removes the last of several then finds the folder above them empty. */
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

/** Temporary files of killed processes and empty folders go first; anything else keeps the folder. */
const removeIfEmpty = async (folder: string): Promise<boolean> => (await orGone(isEmptied(folder))) && (await orGone(removeFolder(folder)))

/** Where a document lay, or a folder that was moved. Whoever writes to such a folder at the same moment creates it again. A folder that cannot be removed stays. */
export const removeEmptied = async ({ file, canonical }: ResolvedPath): Promise<void> => {
  const folders = canonical?.split('/').slice(0, -1) ?? []
  if (!FOLDERS_OF_PEOPLE.includes(folders[0])) return
  let folder = dirname(file)
  for (const _ of folders) {
    if (!(await removeIfEmpty(folder))) return
    folder = dirname(folder)
  }
}
