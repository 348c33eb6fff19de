/** Reads all of stdin as text. */
import type { Readable } from 'node:stream'

/** Removes the final line break. */
export const readText = async (input: Readable): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of input) chunks.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
