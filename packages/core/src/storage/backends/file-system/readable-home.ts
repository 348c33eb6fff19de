/** What reading and listing need to know of a home. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Result } from '../../../shared/result.ts'
import type { ResolvedPath } from './resolve-path.ts'

export interface ReadableHome {
  readonly resolve: (path: string) => Promise<Result<ResolvedPath>>
  /** Names of folders to skip. Default: none. */
  readonly ignoresFolder?: (name: string) => boolean
}

/** Absolute; `~` is the user's home folder. `from`: base of a relative path, by default the working directory. */
export const expandHome = (home: string, from = '.'): string =>
  home === '~' || /^~[\\/]/.test(home) ? join(homedir(), home.slice(1)) : resolve(from, home)
