/** What an error of SQLite or of the system means: whether trying again helps, and what to tell the caller. */
import { HermesError, type HermesErrorCode } from '@hermes/core'

export interface Failure {
  /** Nothing was written, and another attempt may succeed. */
  readonly retry: boolean
  readonly error: HermesError
}

type Meaning = readonly [code: HermesErrorCode, advice: string]

const BUSY: Meaning = ['locked', 'Another process kept it locked. Try again later, and look for a process that was suspended in a write.']
const READ_ONLY: Meaning = [
  'unwritable',
  'Check the owners and permissions of the file and of its folder: SQLite writes beside the file, even in order to read.',
]
const DAMAGED: Meaning = ['unreadable', 'It is damaged, or is not a database. Move it away and restore a backup.']
const FULL: Meaning = ['no_space', 'The disk or its quota is full. Free some space and try again; nothing was written.']
const OTHER: Meaning = ['io', 'Check the disk: its health, its free space and limits on the size of files.']

/** By result code of SQLite or by code of Node. 4874: the memory that processes share could not grow. */
const MEANINGS: readonly (readonly [codes: readonly unknown[], meaning: Meaning])[] = [
  [[5, 6, 15], BUSY],
  [[3, 8, 14, 'EACCES', 'EPERM', 'EROFS'], READ_ONLY],
  [[11, 26], DAMAGED],
  [[13, 4874, 'ENOSPC', 'EDQUOT'], FULL],
  [[18], ['invalid', 'The document is larger than SQLite takes.']],
  [
    ['ENOENT', 'ENOTDIR'],
    ['io', 'Its folder does not exist. Create it, or check that its disk is mounted.'],
  ],
]

const field = (cause: unknown, name: string): unknown => (cause instanceof Error ? Reflect.get(cause, name) : undefined)

/** `doing`: a file that cannot be opened is `unreadable` to those who read, `unwritable` to those who write. */
export const judgeFailure = (cause: unknown, file: string, doing: 'read' | 'write'): Failure => {
  if (HermesError.isInstance(cause)) return { retry: false, error: cause }
  const databaseCode = field(cause, 'errcode') ?? field(cause, 'code')
  // The last byte of an extended code is the code that it refines.
  const codes = typeof databaseCode === 'number' ? [databaseCode, databaseCode & 0xff] : [databaseCode]
  const meaning = MEANINGS.find(([known]) => codes.some((code) => known.includes(code)))?.[1] ?? OTHER
  const code = meaning[0] === 'unwritable' && doing === 'read' ? 'unreadable' : meaning[0]
  const message = `Could not ${doing} the database '${file}' (${String(field(cause, 'message') ?? cause)}). ${meaning[1]}`
  return { retry: meaning === BUSY, error: new HermesError(code, message, { cause, details: { file, databaseCode } }) }
}
