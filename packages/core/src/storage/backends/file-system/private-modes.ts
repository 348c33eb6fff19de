/** Permissions of a home: other users have no access, unless it is shared on purpose. */

import { constants } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { type OpenFile, open, stat } from './file-calls.ts'
import { isSystemError } from './io-error.ts'
import { type PinnedFolder, withFolder } from './pinned-folder.ts'

export type Permissions = 'private' | 'keep'

const OTHERS = 0o077
const SET_GROUP_OR_STICKY = 0o3000

/** Variables of Python Hermes that declare a home as shared. */
const SHARING_VARIABLES = ['HERMES_SKIP_CHMOD', 'HERMES_SHARED_HOME', 'HERMES_MANAGED'] as const
const MODE_VARIABLE = 'HERMES_HOME_MODE'

/** Entries that the library creates in a home. The permissions of other entries are not changed. */
const OWN_ENTRIES: ReadonlySet<string> = new Set([
  'memories',
  'skills',
  'sessions',
  'journal',
  'pending',
  'homes',
  'owners',
  'logs',
  'curator',
  '.locks',
  'config.yaml',
])

export const isOwnEntry = (name: string): boolean => OWN_ENTRIES.has(name)

const isOpenToOthers = (mode: number): boolean => (mode & OTHERS) !== 0

/** Whether a folder with these permissions is shared: by its group bits or by the settings of Python Hermes. */
export const isShared = (mode: number, environment: Readonly<Record<string, string | undefined>>): boolean =>
  (mode & SET_GROUP_OR_STICKY) !== 0 ||
  SHARING_VARIABLES.some((name) => environment[name]) ||
  !/^(?:0*700)?$/.test(environment[MODE_VARIABLE] ?? '')

/** Removes the access of other users; the owner's permissions are kept. Throws the system's errors, such as EPERM for another owner. */
export const closeToOthers = async (handle: OpenFile): Promise<void> => {
  const { mode } = await handle.stat()
  if (isOpenToOthers(mode)) await handle.chmod(mode & 0o700)
}

const openedWarning = (root: string): string =>
  `Hermes storage: other users of this machine could read ${root}. Now only its owner can read its memories, skills and records. If you share them on purpose, restore their permissions, and pass permissions: 'keep' or set HERMES_HOME_MODE.`

const cannotCloseWarning = (root: string, why: string): string =>
  `Hermes storage: other users of this machine can read ${root}, and that could not be changed (${why}). Let its owner run chmod 700 on it, or pass permissions: 'keep' or set HERMES_HOME_MODE if it is shared on purpose.`

export interface CloseOptions {
  readonly permissions: Permissions | undefined
  readonly warn: (message: string) => void
}

const closeFolder = async ({ folder, at }: PinnedFolder, { permissions, warn }: CloseOptions): Promise<boolean> => {
  const { mode } = await stat(at('.'))
  if (!isOpenToOthers(mode) || (permissions === undefined && isShared(mode, process.env))) return false
  const handle = await open(at('.'), constants.O_RDONLY)
  try {
    // A folder without files of the library, or the user's home folder, is not changed.
    if (folder === homedir() || !(await readdir(at('.'))).some(isOwnEntry)) return false
    await closeToOthers(handle)
    warn(openedWarning(folder))
    return true
  } catch (error) {
    if (!isSystemError(error)) throw error
    warn(cannotCloseWarning(folder, error.message))
    return false
  } finally {
    await handle.close()
  }
}

/** Removes other users' access to a home; returns whether its contents need the same. Throws the system's errors. */
export const closeHome = async (folder: string, options: CloseOptions): Promise<boolean> =>
  options.permissions !== 'keep' && process.platform !== 'win32' && withFolder(folder, (pinned) => closeFolder(pinned, options))
