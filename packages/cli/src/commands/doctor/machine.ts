/** Checks of the machine and of the folder of the home. */

import { constants } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hasFlock } from '@hermes/core/file-system'
import { messageOf } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { holdsOwners, lookAtHome } from '../../home-folder.ts'
import { formatBytes, shellQuote } from '../../terminal/format.ts'
import { type Examine, fine, problem, warning } from './doctor-view.ts'

/** SQLite is part of Node from 22.13 on. */
const hasSqlite = (): boolean => {
  try {
    createRequire(import.meta.url)('node:sqlite')
    return true
  } catch {
    return false
  }
}

export const checkNode: Examine = async () => {
  const version = `Node ${process.versions.node}`
  if (hasSqlite()) return fine('node', `${version}, with SQLite`)
  return fine('node', `${version}, without SQLite`, {
    details: ['@hermes/recall and @hermes/sqlite need Node 22.13 or newer; recall also works with the package libsql.'],
  })
}

export const checkHome: Examine = async ({ home, owner }) => {
  if (lookAtHome(home) === 'missing') {
    return warning('home', `${home} does not exist yet`, { fix: `If the name is right, create it: hermes init --home ${shellQuote(home)}` })
  }
  try {
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const isReadOnly = cause instanceof Error && 'code' in cause && cause.code === 'EROFS'
    const fix = isReadOnly
      ? 'Its file system is mounted read-only: mount it so that it can be written, or name a home elsewhere with --home.'
      : `Let its owner run: chmod u+rwx ${shellQuote(home)}`
    return problem('home', `${home} cannot be used: ${messageOf(cause)}`, { fix })
  }
  if (owner === undefined && holdsOwners(home)) {
    return fine('home', `${home}, which holds the homes of many people`, { details: ['--user checks the home of one of them.'] })
  }
  return fine('home', `${home}, readable and writable`)
}

const OTHERS = 0o077
/** Whoever may write to a folder may rename and replace what is in it, whatever the modes of that are. */
const WRITE_OF_OTHERS = 0o022

/** Variables of Python Hermes that declare a home as shared. */
const SHARED = ['HERMES_SKIP_CHMOD', 'HERMES_SHARED_HOME', 'HERMES_MANAGED', 'HERMES_HOME_MODE'] as const
const SET_GROUP_OR_STICKY = 0o3000

const PRIVATE_FOLDERS = ['memories', 'sessions', 'journal', 'pending', 'skills', 'config.yaml'] as const

/** If the folder itself is closed, what is in it is closed too. */
export const checkPermissions: Examine = async ({ home, world }) => {
  const found = process.platform === 'win32' ? undefined : await stat(home).catch(() => undefined)
  if (!found) return fine('permissions', process.platform === 'win32' ? 'left to Windows' : 'nothing to protect yet')
  const mode = (found.mode & 0o7777).toString(8).padStart(4, '0')
  const user = process.getuid?.()
  if (user !== undefined && found.uid !== user) {
    const fix = `Run hermes as its owner, or: sudo chown -R ${user} ${shellQuote(home)}`
    return warning('permissions', `the folder belongs to another user (number ${found.uid})`, { fix })
  }
  if ((found.mode & OTHERS) === 0) return fine('permissions', `only you can open the folder (${mode})`)
  if ((found.mode & SET_GROUP_OR_STICKY) !== 0 || SHARED.some((name) => world.env[name]))
    return fine('permissions', `shared with other users on purpose (${mode})`)
  const fix = `The next write closes it, or now: chmod 700 ${shellQuote(home)}`
  if ((found.mode & WRITE_OF_OTHERS) !== 0)
    return warning('permissions', `other users of this machine can replace what is in the home (${mode})`, { fix })
  const open: string[] = []
  for (const name of PRIVATE_FOLDERS) {
    const entry = await stat(join(home, name)).catch(() => undefined)
    if (entry && (entry.mode & OTHERS) !== 0) open.push(`${name} (${(entry.mode & 0o777).toString(8)})`)
  }
  if (open.length === 0) return fine('permissions', `others can open the folder (${mode}), but not what is in it`)
  return warning('permissions', `other users of this machine can read the home (${mode})`, {
    fix,
    details: [`open: ${open.join(', ')}`],
  })
}

const LITTLE = 100_000_000
const NONE = 5_000_000

const nearestFolder = async (path: string): Promise<string> =>
  (await stat(path).catch(() => undefined)) ? path : dirname(path) === path ? path : nearestFolder(dirname(path))

export const checkDisk: Examine = async ({ home }) => {
  try {
    const { bavail, bsize } = await statfs(await nearestFolder(home))
    const free = bavail * bsize
    const told = `${formatBytes(free)} free`
    const fix = 'Make room: a write that does not fit is refused.'
    if (free < NONE) return problem('disk', told, { fix })
    return free < LITTLE ? warning('disk', told, { fix }) : fine('disk', told)
  } catch (cause) {
    return warning('disk', `the free space is unknown: ${messageOf(cause)}`)
  }
}

/** What Python Hermes writes to its home and this library does not. */
const PYTHON_FILES = ['state.db', 'auth.json', 'SOUL.md', 'cron', 'hermes-agent'] as const

const signsOfPython = async ({ home, config }: Context): Promise<readonly string[]> => {
  const names: readonly string[] = await readdir(home).catch(() => [])
  const keys = config.ok ? config.value.foreignKeys.map((key) => `${key} in config.yaml`) : []
  return [...PYTHON_FILES.filter((name) => names.includes(name)), ...keys]
}

export const checkPython: Examine = async (context) => {
  const signs = await signsOfPython(context)
  if (signs.length === 0) return fine('python', 'no sign that Python Hermes uses this home')
  const details = [`signs: ${signs.join(', ')}`]
  if (hasFlock()) return fine('python', 'Python Hermes may use this home too; writes wait for each other', { details })
  return problem('python', 'Python Hermes may use this home too, and its writes are not kept apart from ours', {
    fix: 'Install koffi beside the command (npm install koffi), or do not run both at once.',
    details,
  })
}

export const checkLock: Examine = async () =>
  hasFlock() ? fine('lock', 'flock, which Python Hermes knows too') : fine('lock', 'a lock file, since flock is not available here')
