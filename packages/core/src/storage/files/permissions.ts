/** A home that other users of the machine can read is closed to them, unless it is shared on purpose. */
import { homedir } from 'node:os'
import { isSystemError, statusAt } from './disk.ts'
import { fs } from './node-fs.ts'

export type Permissions = 'private' | 'keep'

const OTHERS = 0o077
const SET_GROUP_OR_STICKY = 0o3000

/** Variables of Python Hermes that declare a home as shared. */
const SHARING_VARIABLES = ['HERMES_SKIP_CHMOD', 'HERMES_SHARED_HOME', 'HERMES_MANAGED'] as const
const MODE_VARIABLE = 'HERMES_HOME_MODE'

/** What the library and Python Hermes create in a home. */
const ENTRIES: ReadonlySet<string> = new Set([
  'memories',
  'skills',
  'sessions',
  'journal',
  'pending',
  'homes',
  'owners',
  'logs',
  'curator',
  'projects',
  '.hermes',
  'config.yaml',
])

/** Whether a folder with these permissions is shared: by its group bits or by the settings of Python Hermes. */
const isShared = (mode: number, environment: Readonly<Record<string, string | undefined>>): boolean =>
  (mode & SET_GROUP_OR_STICKY) !== 0 ||
  SHARING_VARIABLES.some((name) => environment[name]) ||
  !/^(?:0*700)?$/.test(environment[MODE_VARIABLE] ?? '')

const closedWarning = (root: string): string =>
  `Hermes storage: other users of this machine could read ${root}. Now only its owner can read its memories, skills and records. If you share them on purpose, restore its permissions, and pass permissions: 'keep' or set HERMES_HOME_MODE.`

const cannotCloseWarning = (root: string, why: string): string =>
  `Hermes storage: other users of this machine can read ${root}, and that could not be changed (${why}). Let its owner run chmod 700 on it, or pass permissions: 'keep' or set HERMES_HOME_MODE if it is shared on purpose.`

/** Nobody else gets past the folder of the home, so what is in it keeps its permissions. A folder that was no home yet is not changed, nor is a user's. */
export const closeHome = async (root: string, permissions: Permissions | undefined, warn: (message: string) => void): Promise<void> => {
  if (permissions === 'keep' || process.platform === 'win32') return
  try {
    const status = await statusAt(root, { followsLinks: true })
    // A missing home is created private, and the write says what is in its place.
    if (!status) return
    const mode = Number(status.mode)
    if ((mode & OTHERS) === 0 || (permissions === undefined && isShared(mode, process.env))) return
    if (root === homedir() || !(await fs.promises.readdir(root)).some((name) => ENTRIES.has(name))) return
    await fs.promises.chmod(root, mode & 0o700)
    warn(closedWarning(root))
  } catch (error) {
    if (!isSystemError(error)) throw error
    if (!['ENOENT', 'ENOTDIR'].includes(error.code)) warn(cannotCloseWarning(root, error.message))
  }
}
