/** Bytes as text, for documents of any kind. */

import { LARGEST_BACKUP_BYTES } from '../curator/backup/backup-settings.ts'
import { decompress } from '../curator/backup/backup-unpack.ts'
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
  try {
    return new Uint8Array(await new Response(decompress(bytes, () => LARGEST_BACKUP_BYTES)).arrayBuffer())
  } catch {
    return undefined
  }
}
