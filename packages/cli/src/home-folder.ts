/** Finds the home, and checks whether it exists. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { World } from './world.ts'

const expand = (path: string, userHome: string): string =>
  path === '~' || /^~[\\/]/.test(path) ? join(userHome, path.slice(1)) : resolve(path)

/** `--home`, else `HERMES_HOME`, else `~/.hermes`; an absolute path. */
export const findHome = (flag: string | undefined, { env, userHome }: World): string => {
  const named = flag ?? env['HERMES_HOME']
  return expand(named === undefined || named === '' ? '~/.hermes' : named, userHome)
}

/** Whether the folder holds the homes of several owners. */
export const holdsOwners = (home: string): boolean => existsSync(join(home, 'owners'))

/** Whether someone has talked in the single home of the folder. */
export const holdsSessions = (home: string): boolean => existsSync(join(home, 'sessions'))

export const lookAtHome = (home: string): 'there' | 'missing' | 'not-a-folder' => {
  try {
    const found = statSync(home, { throwIfNoEntry: false })
    return found === undefined ? 'missing' : found.isDirectory() ? 'there' : 'not-a-folder'
  } catch {
    // The path exists; the storage reports why it cannot be used.
    return 'there'
  }
}
