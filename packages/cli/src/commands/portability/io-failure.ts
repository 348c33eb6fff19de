/** Turns a file system error into a failure with advice. */
import type { Failure } from '../../answer.ts'

const ADVICE: Readonly<Record<string, readonly [code: string, advice: string]>> = {
  ENOENT: ['not_found', 'there is no such file or folder. Check the path'],
  EISDIR: ['invalid_path', 'it is a folder. Name a file'],
  ENOTDIR: ['invalid_path', 'a part of its path is not a folder. Check the path'],
  EACCES: ['unreadable', 'permission is denied. Check its owner and permissions'],
  EPERM: ['unreadable', 'permission is denied. Check its owner and permissions'],
  ENOSPC: ['no_space', 'the disk is full. Make room, then try again'],
  EROFS: ['unwritable', 'the disk is read-only. Name a file elsewhere'],
}

/** `what`: the beginning of the message, such as `'x.tar.gz' could not be read`. */
export const ioFailure = (what: string, cause: unknown): Failure => {
  const told = cause instanceof Error && 'code' in cause ? ADVICE[String(cause.code)] : undefined
  const [code, advice] = told ?? ['io', cause instanceof Error ? cause.message : String(cause)]
  return { code, message: `${what}: ${advice}.` }
}
