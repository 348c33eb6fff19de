/** Bytes as text, for documents of any kind. */

import { LARGEST_BACKUP_BYTES } from '../curator/backup/backup-settings.ts'
import { toPlainBytes } from '../shared/sha256.ts'
import type { ReadDocument } from './redaction.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const loose = new TextDecoder('utf-8', { ignoreBOM: true })

export const decodeLoosely = (bytes: Uint8Array): string => loose.decode(bytes)

export const readText = (bytes: Uint8Array): ReadDocument => {
  try {
    const text = strict.decode(bytes)
    return { text, loose: text }
  } catch {
    return { text: undefined, loose: loose.decode(bytes) }
  }
}

/** `undefined` if the bytes are not a complete gzip file, or unpack to more than `LARGEST_BACKUP_BYTES`. */
export const gunzip = async (bytes: Uint8Array): Promise<Uint8Array | undefined> => {
  const chunks: Uint8Array[] = []
  let total = 0
  try {
    const reader = new Blob([toPlainBytes(bytes)]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      total += chunk.value.length
      if (total > LARGEST_BACKUP_BYTES) {
        await reader.cancel()
        return undefined
      }
      chunks.push(chunk.value)
    }
  } catch {
    return undefined
  }
  const whole = new Uint8Array(total)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
