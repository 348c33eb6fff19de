/** Searches every file of a folder for text, byte by byte and with archives unpacked. Independent of the search of the library. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { filesOnDisk } from '../storage/support/temporary-home.ts'

/** Names of the files that contain a marker. */
export const filesWith = (folder: string, ...markers: readonly string[]): readonly string[] =>
  filesOnDisk(folder).filter((name) => {
    const file = join(folder, name)
    if (!statSync(file).isFile()) return false
    const raw = readFileSync(file)
    const text = (raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw).toString('utf8').normalize('NFC').toLowerCase()
    return markers.some((marker) => text.includes(marker.normalize('NFC').toLowerCase()))
  })
