/** `node memory-process.ts <json>`: adds facts to a full memory until it is stopped or killed. Prints each fact once it is acknowledged. */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { MemoryStore } from '../../src/memory/memory-store.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'

const task: { readonly home: string; readonly writer: string; readonly facts: number; readonly limit: number } = JSON.parse(
  process.argv[2] ?? '',
)

const store = new MemoryStore({ storage: fileSystemBackend(task.home), memoryCharLimit: task.limit, whenFull: 'evict' })

writeSync(1, 'ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
for (let fact = 1; fact <= task.facts; fact++) {
  const content = `The ${task.writer} process found out fact number ${fact}`
  const added = await store.apply('memory', { action: 'add', content }, { origin: 'user' })
  writeSync(1, added.ok ? `safe ${content}\n` : `refused ${added.error.code}: ${added.error.message}\n`)
}
writeSync(1, 'done\n')
