/** Reads an archive from a file or from stdin, up to the largest size that an archive can have. */
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Failure } from '../../answer.ts'
import { DASH } from './file-argument.ts'
import { ioFailure } from './io-failure.ts'

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
