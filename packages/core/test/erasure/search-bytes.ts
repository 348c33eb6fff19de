/** Looks for text in every file of a folder, byte by byte, with whatever is compressed unpacked, and in no way that the library looks. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { filesOnDisk } from '../storage/support/temporary-home.ts'

/** Of each file; a journal index is base64, in which anything may stand by chance. */
export const filesWith = (folder: string, ...markers: readonly string[]): readonly string[] =>
  filesOnDisk(folder).filter((name) => {
    const file = join(folder, name)
    if (!statSync(file).isFile()) return false
    const raw = readFileSync(file)
    const text = (raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw).toString('utf8').normalize('NFC').toLowerCase()
    return markers.some((marker) => text.includes(marker.normalize('NFC').toLowerCase()))
  })
