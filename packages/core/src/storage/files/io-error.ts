/** Converts errors of the operating system to typed errors that say what to do next. */
import { HermesError, type HermesErrorCode } from '../../shared/hermes-error.ts'

export interface SystemError extends Error {
  readonly code: string
}

/** An error of the operating system, optionally with one of the given codes. */
export const isSystemError = (error: unknown, ...codes: readonly string[]): error is SystemError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^E[A-Z0-9]+$/.test(error.code) &&
  (codes.length === 0 || codes.includes(error.code))

const advice: Readonly<Record<string, readonly [HermesErrorCode, string]>> = {
  EACCES: ['unwritable', 'Check who owns it and its permissions.'],
  EPERM: ['unwritable', 'Check who owns it and its permissions.'],
  EROFS: ['unwritable', 'The file system is read-only: mount it so that it can be written, or choose a home on another one.'],
  ENOENT: [
    'io',
    'A parent folder is missing, or the file system accepts no new entries: check that the home exists and its disk is mounted, and try again.',
  ],
  ENOTDIR: [
    'unwritable',
    'There is a file where a folder is needed; move it away, check ownership and permissions, or choose another home.',
  ],
  EISDIR: ['unwritable', 'There is a folder where a file is needed; move it away or choose another path.'],
  EEXIST: [
    'unwritable',
    'There is something else where a folder is needed; move it away, check ownership and permissions, or choose another home.',
  ],
  ENOTEMPTY: ['occupied', 'The folder contains files that are not documents: check what they are and move them away.'],
  ENOSPC: ['no_space', 'The disk is full: free some space and try again.'],
  EDQUOT: ['no_space', 'The disk quota is used up: free some space and try again.'],
  EFBIG: ['no_space', 'The file would be larger than the system allows: raise the limit or shorten it.'],
  ELOOP: ['invalid_path', 'Its symbolic links lead in a circle, or there is a link where none is allowed: remove the link.'],
  ENAMETOOLONG: ['invalid_path', 'The path is too long for this file system: choose a shorter one.'],
  EINVAL: ['invalid_path', 'The file system refuses the name or the move: choose another path.'],
  EXDEV: ['io', 'Source and target are on different file systems, where a move is not atomic: keep the folder and its files on one.'],
  EBUSY: [
    'io',
    'It is in use or is a mount point, so it cannot be replaced: mount its folder instead of the file, or close the program that uses it.',
  ],
  EMFILE: ['io', 'This process has too many files open: close some or raise the limit.'],
}

/** `path`: the document path of the caller; the system's message names the file on disk. */
export const toIoError = (error: SystemError, doing: 'read' | 'write', path: string): HermesError => {
  const known = advice[error.code]
  const code = known?.[0] === 'unwritable' && doing === 'read' ? 'unreadable' : (known?.[0] ?? 'io')
  const what = path === '' ? 'the home' : `'${path}'`
  return new HermesError(
    code,
    `Could not ${doing} ${what} (${error.message}). ${known?.[1] ?? 'Check the system message, then try again.'}`,
    {
      cause: error,
      details: { path, systemCode: error.code },
    },
  )
}

export const hangingError = (ms: number, isUnderWay: boolean): HermesError =>
  new HermesError(
    'io',
    `The disk has not answered for ${ms} ms. Check it. ${isUnderWay ? 'Whether the update was done is not known: read before you repeat it.' : 'Nothing was written; try again.'}`,
  )
