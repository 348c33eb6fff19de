/** `node update-main.ts <json>`: updates three documents together, again and again, and prints each entry once it is acknowledged. */
import { writeSync } from 'node:fs'
import { bytes, unwrap } from './entries.ts'
import { type ChildConfig, open } from './open-in-child.ts'
import { WIDE } from './wide.ts'

export interface UpdateTask extends ChildConfig {
  readonly name: string
  readonly updates: number
  /** Folder of the documents. */
  readonly home: string
}

const { name, updates, home, ...config }: UpdateTask = JSON.parse(process.argv[2] ?? '')
const storage = await open(config)
const [count, wide, log] = [`${home}/count`, `${home}/wide`, `${home}/log`]
const decoder = new TextDecoder()
for (let time = 0; time < updates; time++) {
  const entry = `${name}-${time}`
  const done = unwrap(
    await storage.update([count, wide, log], (cut) => {
      const next = Number(decoder.decode(cut.document(count)?.bytes ?? bytes('0'))) + 1
      return {
        put: { [count]: bytes(String(next)), [wide]: bytes(String(next).padStart(WIDE, '.')) },
        append: { [log]: bytes(`${entry}\n`) },
        value: entry,
      }
    }),
  )
  writeSync(1, `${done}\n`)
}
await storage.close()
