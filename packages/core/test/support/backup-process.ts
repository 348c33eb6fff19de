/** `node backup-process.ts <json>`: works on a skill library, up to a change in whose middle it waits to be killed. Prints each change. */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { fileSystemBackend } from '../../src/storage/files/index.ts'
import { announcedChanges } from './announced-changes.ts'
import { backupWork } from './backup-work.ts'

const task: { readonly home: string; readonly seed: number; readonly startAt: number; readonly changes: number } = JSON.parse(
  process.argv[2] ?? '',
)

const storage = announcedChanges(fileSystemBackend(task.home), task.changes)
const step = backupWork({ storage, seed: task.seed, startAt: task.startAt })

writeSync(1, 'ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
for (;;) await step()
