/** Where the index of a home is on disk, and what happens to its files as a whole. */
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

const FILE = 'recall.db'
/** SQLite keeps these beside a database, under its name. */
const COMPANIONS = ['-wal', '-shm', '-journal']
/** `damaged` until what can be read was copied over, then `salvaged`. */
const SET_ASIDE = /^recall\.(?:damaged|salvaged)-\d+\.db(?:-wal|-shm|-journal)?$/

/** Absolute; `~` is the user's home folder. Throws a TypeError for what is no path. */
export const checkFolder = (folder: unknown): string => {
  if (typeof folder === 'string' && folder !== '' && !folder.includes('\0'))
    return folder === '~' || /^~[\\/]/.test(folder) ? join(homedir(), folder.slice(1)) : resolve(folder)
  const got = typeof folder === 'string' ? JSON.stringify(folder) : `a value of type ${typeof folder}`
  throw new TypeError(`sqliteRecallIndex takes { folder } with the path of a folder such as '~/.hermes/recall', but got ${got}.`)
}

/** The folder of one home. Throws a TypeError if `home` could name a place elsewhere. */
export const folderOfHome = (folder: string, home: string): string => {
  if (home === '') return folder
  const isSafe = home.split('/').every((name) => /^[a-z0-9_~-]{1,255}$/.test(name))
  if (!isSafe)
    throw new TypeError(
      `The folder of a home has names of a-z, 0-9, '_', '-' and '~' between slashes, but is ${JSON.stringify(home.slice(0, 80))}.`,
    )
  return join(folder, home)
}

export const databaseIn = (folder: string): string => join(folder, FILE)

/** Tells one file from another at the same path; undefined if there is none. */
export const identityOf = (file: string): string | undefined => {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/** SQLite gives the files that it makes beside this one the same permissions. */
export const createPrivately = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = databaseIn(folder)
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
  }
  closeToOthers(file)
}

const closeToOthers = (file: string): void => {
  for (const each of [file, ...COMPANIONS.map((end) => file + end)]) {
    const found = statSync(each, { throwIfNoEntry: false })
    try {
      if (found && (found.mode & 0o077) !== 0) chmodSync(each, found.mode & 0o700)
    } catch {
      // Only its owner may; SQLite says whether the file can be used.
    }
  }
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Damaged databases that were set aside, oldest first. */
export const setAsideIn = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => SET_ASIDE.test(name) && name.endsWith('.db'))
    .sort()
    .map((name) => join(folder, name))

/** Marks a database that was set aside as copied over. Returns its new path. */
export const markSalvaged = (aside: string): string => {
  const marked = aside.replace(/damaged(-\d+\.db)$/, 'salvaged$1')
  for (const end of [...COMPANIONS, '']) if (identityOf(aside + end) !== undefined) renameSync(aside + end, marked + end)
  return marked
}

/** Removes databases that were set aside; returns how many. */
export const removeSetAside = (folder: string): number => {
  const names = namesIn(folder).filter((name) => SET_ASIDE.test(name))
  for (const name of names) rmSync(join(folder, name), { force: true })
  return names.filter((name) => name.endsWith('.db')).length
}

const LOCK = 'recall.moving'
/** A process that moves files holds the lock for some milliseconds. */
const LOCK_STALE_MS = 10_000

const takeLock = (lock: string, now: number): boolean => {
  const found = statSync(lock, { throwIfNoEntry: false })
  if (found && now - found.mtimeMs > LOCK_STALE_MS) rmSync(lock, { force: true })
  try {
    closeSync(openSync(lock, 'ax', 0o600))
    return true
  } catch {
    return false
  }
}

/** Renames the database that is `identity`, with its companions. Returns its new path; undefined if another process moves it or has moved it. */
export const setAside = (folder: string, identity: string, now: number): string | undefined => {
  const lock = join(folder, LOCK)
  if (!takeLock(lock, now)) return undefined
  try {
    const file = databaseIn(folder)
    if (identityOf(file) !== identity) return undefined
    let stamp = Math.trunc(now)
    while (identityOf(join(folder, `recall.damaged-${stamp}.db`)) !== undefined) stamp++
    const aside = join(folder, `recall.damaged-${stamp}.db`)
    for (const end of COMPANIONS) if (identityOf(file + end) !== undefined) renameSync(file + end, aside + end)
    renameSync(file, aside)
    closeToOthers(aside)
    return aside
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Removes every file of the index, those that were set aside included, and folders that are then empty, up to `top`. */
export const removeFiles = (folder: string, top: string): void => {
  for (const name of namesIn(folder))
    if (SET_ASIDE.test(name) || ['', ...COMPANIONS].some((end) => name === FILE + end)) rmSync(join(folder, name), { force: true })
  for (let each = folder; each.startsWith(top) && each !== top; each = join(each, '..')) {
    try {
      rmdirSync(each)
    } catch {
      return
    }
  }
}
