/**
 * `node outbox-main.ts <json>`: finishes turns in a folder, and delivers them to a provider that writes their words to a file, one line for each. Prints the words of a
 * turn once it is stored. Ends with SIGTERM, or when all turns are stored.
 */
import { writeSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { ProviderConnection } from '../../src/provider/provider-connection.ts'
import { ok } from '../../src/shared/result.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'

export interface OutboxTask {
  readonly folder: string
  /** The provider's file. */
  readonly file: string
  /** The words of its turns begin with this. */
  readonly name: string
  readonly turns: number
  /** Real milliseconds that the provider takes for a turn. */
  readonly takesMs: number
}

const task: OutboxTask = JSON.parse(process.argv[2] ?? '')
const print = (line: string) => writeSync(1, `${line}\n`)
const storage = fileSystemBackend(task.folder)
const connection = new ProviderConnection({
  provider: {
    name: 'log',
    initialize: () => ({
      async syncTurn({ user }) {
        await wait(task.takesMs)
        await appendFile(task.file, `${user}\n`)
      },
    }),
  },
  home: { owner: undefined, folder: () => '', storage, archived: async () => ok([]) },
  clock: Date.now,
  createId: () => crypto.randomUUID(),
  timeoutMs: 5_000,
  recallChars: 100,
  keepText: true,
  emit: (event) => process.stderr.write(`${JSON.stringify(event)}\n`),
  run: (work) => void work(),
})

let stopping = false
process.once('SIGTERM', () => {
  stopping = true
})
for (let turn = 0; turn < task.turns && !stopping; turn++) {
  const user = `${task.name}-${turn}`
  await connection.turnFinished({ sessionId: task.name, user, assistant: 'I see.', automated: false })
  print(user)
}
await connection.close(10_000)
await storage.close()
