/** `node forget-process.ts <json>`: forgets a text in a home, up to a change in whose middle it waits to be killed. Prints each change. */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { openAt, unwrap } from '../erasure/fill-home.ts'
import { announcedChanges } from './announced-changes.ts'

const task: { readonly home: string; readonly text: string; readonly startAt: number; readonly changes?: number } = JSON.parse(
  process.argv[2] ?? '',
)

const storage = announcedChanges(fileSystemBackend(task.home), task.changes)

writeSync(1, 'ready\n')
const [word] = await once(process.stdin, 'data')
process.stdin.destroy()
// With `stop`, it only warms the compile cache for later processes.
if (String(word) !== 'stop\n') {
  const { erased, remaining } = unwrap(await openAt(storage, task.startAt).forget(task.text))
  writeSync(1, `done ${JSON.stringify({ erased, remaining })}\n`)
}
await storage.close()
