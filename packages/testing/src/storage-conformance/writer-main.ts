/** The writer process of the conformance suite: opens the storage, waits for input, appends entries and prints each acknowledged one. */

import { once } from 'node:events'
import type { StorageBackend } from '@hermes/core'
import type { OpenInChild } from '../child-process.ts'
import { appendEntry } from './entry-log.ts'

export interface WriterTask extends OpenInChild {
  readonly path: string
  /** Entries are named `<writer>-<number>`. */
  readonly writer: string
  readonly times: number
}

const runWriter = async (): Promise<void> => {
  const task: WriterTask = JSON.parse(process.argv[2] ?? '')
  const { open }: { open: (config: unknown) => Promise<StorageBackend> } = await import(task.module)

  const storage = await open(task.config)
  process.stdout.write('ready\n')
  await once(process.stdin, 'data')
  for (let time = 0; time < task.times; time++) {
    const entry = `${task.writer}-${time}`
    const written = await appendEntry(storage, task.path, entry)
    if (!written.ok) throw written.error
    process.stdout.write(`${entry}\n`)
  }
  await storage.close()
}

// No `await` here, so that this file can be built as CommonJS too.
runWriter().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
