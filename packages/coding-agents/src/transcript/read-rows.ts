/** Reads the newest rows of a transcript in JSON Lines. A transcript may be hundreds of megabytes long, half written, or of a version that nobody knows. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Maximum bytes of one reading; of more, the newest. */
export const MAX_BYTES = 8_000_000

export interface ReadRows {
  /** Lines that are JSON. */
  readonly rows: readonly unknown[]
  /** The byte behind the last complete line. */
  readonly end: number
  /** True if there is text before or between the rows that was not read now or earlier. */
  readonly isCut: boolean
  /** True if the file is another one than that of the earlier reading: it has become shorter. */
  readonly isReplaced: boolean
}

const NEWLINE = 10

const UNREADABLE = Symbol('unreadable')

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return UNREADABLE
  }
}

const readAll = async (file: FileHandle, from: number, to: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(to - from)
  let read = 0
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, from + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}

/**
 * The rows from byte `from` on, which is the `end` of an earlier reading; what is behind the last newline is still being written. Rejects if the file cannot be read, or is
 * none: opening a pipe would wait for its writer.
 */
export const readRows = async (path: string, from = 0): Promise<ReadRows> => {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const status = await file.stat()
    if (!status.isFile()) throw new Error('The transcript is not a file.')
    const { size } = status
    const isReplaced = size < from
    const begin = isReplaced ? 0 : from
    const start = Math.max(begin, size - MAX_BYTES)
    const bytes = await readAll(file, start, size)
    // From the middle of a file, the first line is the rest of one.
    const first = start > begin ? bytes.indexOf(NEWLINE) + 1 : 0
    const last = bytes.lastIndexOf(NEWLINE)
    const isCut = start > begin || isReplaced
    if (last < first) return { rows: [], end: start, isCut, isReplaced }
    const lines = bytes.toString('utf8', first, last).split('\n')
    const read = lines.filter((line) => line.trim() !== '').map(parse)
    const rows = read.filter((row) => row !== UNREADABLE)
    return { rows, end: start + last + 1, isCut: isCut || rows.length < read.length, isReplaced }
  } finally {
    await file.close()
  }
}
