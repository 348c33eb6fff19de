/** `node forget-process.ts <json>`: forgets a text in a home. Prints each document that it is about to write. */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openAt, unwrap } from '../erasure/fill-home.ts'

const task: { readonly home: string; readonly text: string; readonly startAt: number } = JSON.parse(process.argv[2] ?? '')

const inner = fileSystemBackend(task.home)
const storage: StorageBackend = {
  ...inner,
  update: (path, change) => {
    writeSync(1, `update ${path}\n`)
    return inner.update(path, change)
  },
}

writeSync(1, 'ready\n')
const [word] = await once(process.stdin, 'data')
process.stdin.destroy()
// With `stop`, it only warms the compile cache for later processes.
if (String(word) !== 'stop\n') {
  const { erased, remaining } = unwrap(await openAt(storage, task.startAt).forget(task.text))
  writeSync(1, `done ${JSON.stringify({ erased, remaining })}\n`)
}
await storage.close()
