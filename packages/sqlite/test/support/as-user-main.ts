/** `node as-user-main.ts <file> <user id>`: writes and reads as that user, 0 for no change, and prints the codes and messages. */
import { sqliteBackend } from '../../src/sqlite-backend.ts'

const [, , file = '', user = '0'] = process.argv
if (user !== '0') {
  process.setgroups?.([])
  process.setgid?.(Number(user))
  process.setuid?.(Number(user))
}
const storage = sqliteBackend(file)
const outcomes = [
  await storage.read(['doc']),
  await storage.list(''),
  await storage.update(['doc'], () => ({ put: { doc: new Uint8Array([1]) }, value: 0 })),
]
process.stdout.write(JSON.stringify(outcomes.map((outcome) => (outcome.ok ? { code: 'ok' } : outcome.error))))
await storage.close()
