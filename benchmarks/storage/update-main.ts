/** Makes durable writes in one home: an update of three documents through the library, or the system calls that one document needs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileBackend } from '../../packages/core/src/storage/files/file-backend.ts'
import type { StorageBackend } from '../../packages/core/src/storage/storage-backend.ts'
import { bareReplace } from './bare-replace.ts'

export type Writer = 'bare' | 'flock' | 'file'

const MEMORY = 'memories/MEMORY.md'
const FACTS = 'memories/.facts.jsonl'
const JOURNAL = 'journal/2026-01-01.jsonl'
const MOST_ENTRIES = 20
const WARM_UP = 100

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** An entry beside those that are there, about 100 characters each. */
const withEntry = (current: Uint8Array | undefined, name: string): Uint8Array => {
  const entries = decoder.decode(current).split('\n§\n').filter(Boolean)
  return encoder.encode([...entries.slice(-MOST_ENTRIES + 1), name.padEnd(100, '.')].join('\n§\n'))
}

const line = (name: string): Uint8Array => encoder.encode(`${JSON.stringify({ name, origin: 'user', reason: 'x'.repeat(150) })}\n`)

/** An entry, its facts and a line of the journal. */
export const updateThree = async (storage: StorageBackend, name: string): Promise<void> => {
  const updated = await storage.update([MEMORY, FACTS, JOURNAL], (cut) => ({
    put: { [MEMORY]: withEntry(cut.document(MEMORY)?.bytes, name), [FACTS]: withEntry(cut.document(FACTS)?.bytes, name) },
    append: { [JOURNAL]: line(name) },
    value: undefined,
  }))
  if (!updated.ok) throw updated.error
}

export const replaceOne = (home: string, name: string): Promise<void> =>
  bareReplace(join(home, 'memories'), 'MEMORY.md', (current) => withEntry(current, name))

/** Lines of the journal. */
export const linesIn = async (storage: StorageBackend): Promise<number> => {
  const cut = await storage.read([JOURNAL])
  if (!cut.ok) throw cut.error
  return decoder.decode(cut.value.document(JOURNAL)?.bytes).split('\n').length - 1
}

if (import.meta.main) {
  const { home, writer, times, name } = JSON.parse(process.argv[2] ?? '') as {
    readonly home: string
    readonly writer: Writer
    readonly times: number
    readonly name: string
  }
  const lock = writer === 'file' ? 'exclusive-file' : 'auto'
  const write = (at: string, storage: StorageBackend | undefined, entry: string) =>
    storage ? updateThree(storage, entry) : replaceOne(at, entry)
  // As a process that has been running for a while.
  const own = mkdtempSync(join(tmpdir(), 'hermes-warm-up-'))
  const warm = writer === 'bare' ? undefined : new FileBackend(own, { lock })
  for (let count = 0; count < WARM_UP; count++) await write(own, warm, `${name}-${count}`)
  await warm?.close()
  rmSync(own, { recursive: true })
  const storage = writer === 'bare' ? undefined : new FileBackend(home, { lock })
  process.stdout.write('ready\n')
  await new Promise((resolve) => process.stdin.once('data', resolve))
  for (let count = 0; count < times; count++) await write(home, storage, `${name}-${count}`)
  process.stdout.write('done\n')
  await storage?.close()
  process.exit(0)
}
