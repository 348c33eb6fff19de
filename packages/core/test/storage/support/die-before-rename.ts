/** Writes a document and is killed right before the new file is put in the place of the old one, as `node die-before-rename.ts <json>`. */
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { open } from './open-file-system.ts'

const { path, ...config } = JSON.parse(process.argv[2] ?? '')
promises.rename = async () => {
  process.kill(process.pid, 'SIGKILL')
}
syncBuiltinESMExports()
const storage = await open(config)
await storage.update(path, () => new Uint8Array([1]))
