/** `node journal-process.ts <json>`: writes to a journal and tidies it until it is killed. Prints each change that it is about to make and each acknowledged record. */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { createJournal } from '../../src/journal/journal.ts'
import { tidyJournal } from '../../src/journal/tidy-journal.ts'
import { fileSystemBackend } from '../../src/storage/files/index.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

const task: { readonly home: string; readonly writer: string; readonly startAt: number } = JSON.parse(process.argv[2] ?? '')

const HOUR_MS = 3_600_000
let now = task.startAt
const inner = fileSystemBackend(task.home)
const storage: StorageBackend = {
  ...inner,
  update: (paths, plan, options) => {
    writeSync(1, `update ${paths}\n`)
    return inner.update(paths, plan, options)
  },
}
let count = 0
const createId = () => `${task.writer}-${++count}`
const journal = createJournal({ storage, clock: () => now, createId })

writeSync(1, 'ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
for (;;) {
  now += 4 * HOUR_MS
  const appended = await journal.append([{ actor: 'review', verdict: 'applied', reason: 'written until it is killed' }])
  if (!appended.ok) throw appended.error
  writeSync(1, `safe ${appended.value[0]?.id}\n`)
  const tidied = await tidyJournal({ storage, clock: () => now, retainDays: 'forever' })
  if (!tidied.ok) throw tidied.error
}
