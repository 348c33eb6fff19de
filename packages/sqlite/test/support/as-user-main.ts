/** `node as-user-main.ts <file> <user id>`: writes and reads as that user, 0 for no change, and prints the codes and messages. */
import { readDocument, updateDocument } from '@hermes/core/storage'
import { sqliteBackend } from '../../src/index.ts'

const [, , file = '', user = '0'] = process.argv
if (user !== '0') {
  process.setgroups?.([])
  process.setgid?.(Number(user))
  process.setuid?.(Number(user))
}
const storage = sqliteBackend(file)
const outcomes = [
  await readDocument(storage, 'doc'),
  await storage.list(''),
  await updateDocument(storage, 'doc', () => new Uint8Array([1])),
]
process.stdout.write(JSON.stringify(outcomes.map((outcome) => (outcome.ok ? { code: 'ok' } : outcome.error))))
await storage.close()
