/** What an error of SQLite or of the system means, for people: what to do. */
import { HermesError, type HermesErrorCode } from '@hermes/core'
import { sqliteCode } from './driver.ts'

type Meaning = readonly [code: HermesErrorCode, advice: string]

const NOT_ALLOWED: Meaning = [
  'unwritable',
  'Check the owners and permissions of the file and of its folder: SQLite writes beside the file, even in order to read.',
]
const FULL: Meaning = ['no_space', 'The disk or its quota is full. Free some space; nothing was stored.']
const NO_FOLDER: Meaning = ['io', 'Its folder cannot be created there. Choose another folder, or check that its disk is mounted.']
const OTHER: Meaning = ['io', 'Check the disk: its health, its free space and limits on the size of files.']

/** By result code of SQLite, without what refines it, or by code of Node. */
const MEANINGS: ReadonlyMap<unknown, Meaning> = new Map<unknown, Meaning>([
  [5, ['locked', 'Another process kept it locked. Try again later, and look for a process that was suspended while it wrote.']],
  [6, ['locked', 'Another process kept it locked. Try again later, and look for a process that was suspended while it wrote.']],
  [11, ['unreadable', 'It is damaged again and again. Check the disk.']],
  [26, ['unreadable', 'It is damaged again and again. Check the disk.']],
  ...[3, 8, 14, 'EACCES', 'EPERM', 'EROFS'].map((code) => [code, NOT_ALLOWED] as const),
  ...[13, 'ENOSPC', 'EDQUOT'].map((code) => [code, FULL] as const),
  ...['ENOENT', 'ENOTDIR', 'EEXIST'].map((code) => [code, NO_FOLDER] as const),
])

/** An error of the index itself, which says what to do, stays as it is. */
export const describeFailure = (cause: unknown, file: string): unknown => {
  const database = sqliteCode(cause)
  const system: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  const isOwn = database === undefined && typeof system !== 'string'
  if (HermesError.isInstance(cause) || isOwn) return cause
  const [code, advice] = MEANINGS.get(database === undefined ? system : database & 0xff) ?? OTHER
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new HermesError(code, `The recall index '${file}' cannot be used (${reason}). ${advice}`, { cause })
}
