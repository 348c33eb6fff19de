/** Turns a file system error into a failure with advice. */
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Failure } from '../../answer.ts'

/** A file name from the command line, or `-` for stdin or stdout. */

export const DASH = '-'

/** For `coerce`, without a type, since the parser turns a lone `-` into `true`. The parser reports what it throws as wrong usage. */
export const toFile = (value: unknown): string => {
  if (value === true) return DASH
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`Name a file, or '${DASH}'.`)
}

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

/** Above the 256 MiB limit of an unpacked archive. */
const MAX_ARCHIVE_BYTES = 300 * 1024 * 1024

const tooLarge = (what: string): Failure => ({
  code: 'over_limit',
  message: `${what} is larger than ${MAX_ARCHIVE_BYTES} bytes, so it is not an export. Nothing was imported.`,
})

type Read = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly failure: Failure }

const collect = async (input: AsyncIterable<unknown>, what: string): Promise<Read> => {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of input) {
    const bytes = chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(String(chunk))
    total += bytes.length
    if (total > MAX_ARCHIVE_BYTES) return { ok: false, failure: tooLarge(what) }
    chunks.push(bytes)
  }
  return { ok: true, bytes: new Uint8Array(Buffer.concat(chunks)) }
}

export const readArchive = async (file: string, stdin: Readable): Promise<Read> => {
  if (file === DASH) return collect(stdin, 'The archive on stdin')
  try {
    const handle = await open(file)
    try {
      return await collect(handle.createReadStream({ autoClose: false }), `'${file}'`)
    } finally {
      await handle.close()
    }
  } catch (cause) {
    return { ok: false, failure: ioFailure(`'${file}' could not be read`, cause) }
  }
}
