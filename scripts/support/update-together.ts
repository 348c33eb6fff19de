/** A writer of a test that is killed while it works: three documents that change together, so that a half write shows. */
import { writeSync } from 'node:fs'
import type { StorageBackend } from '../../packages/core/src/storage/storage-backend.ts'

/** Characters of the widest document. */
export const WIDE = 20_000

const text = (of: string): Uint8Array => new TextEncoder().encode(of)

/** Counts in `count` and `wide`, adds a line to `log`, and prints each entry once it is acknowledged. `home`: their folder, with a slash, or `''`. */
export const updateTogether = async (storage: StorageBackend, home: string, name: string, updates: number): Promise<void> => {
  const [count, wide, log] = [`${home}count`, `${home}wide`, `${home}log`]
  for (let time = 0; time < updates; time++) {
    const entry = `${name}-${time}`
    const done = await storage.update([count, wide, log], (cut) => {
      const next = Number(new TextDecoder().decode(cut.document(count)?.bytes ?? text('0'))) + 1
      return {
        put: { [count]: text(String(next)), [wide]: text(String(next).padStart(WIDE, '.')) },
        append: { [log]: text(`${entry}\n`) },
        value: entry,
      }
    })
    if (!done.ok) throw done.error
    writeSync(1, `${done.value}\n`)
  }
  await storage.close()
}
