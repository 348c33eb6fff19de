/**
 * `node die-before-rename.ts <json>`: writes documents concurrently, and is killed when all are about to be renamed to their final names.
 */

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { updateDocument } from '../../../src/storage/one-document.ts'
import { open } from './open-file-system.ts'

const { paths, ...config } = JSON.parse(process.argv[2] ?? '')
let waiting = 0
const rename = () => {
  if (++waiting === paths.length) process.kill(process.pid, 'SIGKILL')
  // Renames nothing: the first calls wait for the kill.
  setInterval(() => undefined, 1000)
}
Object.assign(fs, { rename })
syncBuiltinESMExports()
const storage = await open(config)
await Promise.all(paths.map((path: string) => updateDocument(storage, path, () => new Uint8Array([1]))))
