/** `node backup-process.ts <json>`: works on a skill library, up to a change in whose middle it waits to be killed. Prints each change. */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { backupWork } from './backup-work.ts'

const task: { readonly home: string; readonly seed: number; readonly startAt: number; readonly changes: number } = JSON.parse(
  process.argv[2] ?? '',
)

const inner = fileSystemBackend(task.home)
let left = task.changes
/** Begins no change after the last one, so that a late kill hits the same place as an early one. */
const told = <T>(what: string, call: () => Promise<T>): Promise<T> => {
  if (left-- <= 0) return new Promise(() => setInterval(() => undefined, 1_000))
  writeSync(1, `${what}\n`)
  return call()
}
const storage: StorageBackend = {
  ...inner,
  update: (path, change) => told(`update ${path}`, () => inner.update(path, change)),
  move: (from, to) => told(`move ${from}`, () => inner.move(from, to)),
}
const step = backupWork({ storage, seed: task.seed, startAt: task.startAt })

writeSync(1, 'ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
for (;;) await step()
