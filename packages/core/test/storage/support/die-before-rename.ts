/**
 * `node die-before-rename.ts <json>`: writes documents concurrently, and is killed when all are about to be renamed to their final names.
 */
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { open } from './open-file-system.ts'

const { paths, ...config } = JSON.parse(process.argv[2] ?? '')
let waiting = 0
promises.rename = async () => {
  if (++waiting === paths.length) process.kill(process.pid, 'SIGKILL')
  // Renames nothing: the first calls wait for the kill.
  await new Promise(() => setInterval(() => undefined, 1000))
}
syncBuiltinESMExports()
const storage = await open(config)
await Promise.all(paths.map((path: string) => storage.update(path, () => new Uint8Array([1]))))
