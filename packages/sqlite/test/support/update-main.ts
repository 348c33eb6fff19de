/** `node update-main.ts <json>`: updates three documents together, again and again, and prints each entry once it is acknowledged. */
import { writeSync } from 'node:fs'
import { sqliteBackend } from '../../src/sqlite-backend.ts'
import { bytes, unwrap } from './entries.ts'
import { WIDE } from './wide.ts'

export interface UpdateTask {
  readonly file: string
  readonly name: string
  readonly updates: number
}

const { file, name, updates }: UpdateTask = JSON.parse(process.argv[2] ?? '')
const storage = sqliteBackend(file)
const decoder = new TextDecoder()
for (let time = 0; time < updates; time++) {
  const entry = `${name}-${time}`
  const done = unwrap(
    await storage.update(['count', 'wide', 'log'], (cut) => {
      const next = Number(decoder.decode(cut.document('count')?.bytes ?? bytes('0'))) + 1
      return {
        put: { count: bytes(String(next)), wide: bytes(String(next).padStart(WIDE, '.')) },
        append: { log: bytes(`${entry}\n`) },
        value: entry,
      }
    }),
  )
  writeSync(1, `${done}\n`)
}
await storage.close()
