/** `node hold-lock.ts <json>`: holds a document's lock in the middle of an update until it reads a line. */

import { readSync, writeSync } from 'node:fs'
import { updateDocument } from '../../../src/storage/one-document.ts'
import { open } from './open-file-system.ts'

const { path, text, ...config } = JSON.parse(process.argv[2] ?? '')
const storage = await open(config)
const outcome = await updateDocument(storage, path, () => {
  writeSync(1, 'held\n')
  readSync(0, new Uint8Array(64))
  return new TextEncoder().encode(text)
})
writeSync(1, `${outcome.ok ? 'written' : outcome.error.code}\n`)
