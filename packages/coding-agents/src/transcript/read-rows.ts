/** Reads the newest rows of a transcript in JSON Lines. A transcript may be hundreds of megabytes long, half written, or of a version that nobody knows. */
import { type FileHandle, open } from 'node:fs/promises'

/** Maximum bytes of one reading; of more, the newest. */
export const MAX_BYTES = 8_000_000

export interface ReadRows {
  /** Lines that are JSON; others are left out. */
  readonly rows: readonly unknown[]
  /** The byte behind the last complete line. */
  readonly end: number
  /** True if there is text before the rows that was not read now or earlier. */
  readonly isCut: boolean
}

const NEWLINE = 10

const parse = (line: string): readonly unknown[] => {
  try {
    return line.trim() === '' ? [] : [JSON.parse(line)]
  } catch {
    return []
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

/** The rows from byte `from` on, which is the `end` of an earlier reading; what is behind the last newline is still being written. Rejects if the file cannot be read. */
export const readRows = async (path: string, from = 0): Promise<ReadRows> => {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    // A file that is shorter than before is another one.
    const begin = size < from ? 0 : from
    const start = Math.max(begin, size - MAX_BYTES)
    const bytes = await readAll(file, start, size)
    // From the middle of a file, the first line is the rest of one.
    const first = start > begin ? bytes.indexOf(NEWLINE) + 1 : 0
    const last = bytes.lastIndexOf(NEWLINE)
    if (last < first) return { rows: [], end: start, isCut: start > begin || begin < from }
    const text = bytes.toString('utf8', first, last)
    return { rows: text.split('\n').flatMap(parse), end: start + last + 1, isCut: start > begin || begin < from }
  } finally {
    await file.close()
  }
}
