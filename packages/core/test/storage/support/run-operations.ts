/** Runs operations in a separate process, optionally as a user without permissions, and prints their results as JSON. */
import { readDocument, updateDocument } from '../../../src/storage/one-document.ts'
import { open } from './open-file-system.ts'

interface Operation {
  readonly read?: string
  readonly update?: string
  readonly size?: number
  readonly list?: string
}

const { operations, user, ...config }: { operations: Operation[]; user?: number; home: string } = JSON.parse(process.argv[2] ?? '')
// With a handler, a write beyond `ulimit -f` fails with EFBIG instead of ending the process.
if (process.platform !== 'win32') process.on('SIGXFSZ', () => undefined)
const storage = await open(config)
if (user !== undefined) {
  process.setgroups?.([])
  process.setgid?.(user)
  process.setuid?.(user)
}
for (const { read, update, size = 1, list } of operations) {
  const outcome =
    read !== undefined
      ? await readDocument(storage, read)
      : update !== undefined
        ? await updateDocument(storage, update, () => new Uint8Array(size).fill(98))
        : await storage.list(list ?? '')
  process.stdout.write(`${JSON.stringify(outcome.ok ? { code: 'ok' } : { code: outcome.error.code, message: outcome.error.message })}\n`)
}
