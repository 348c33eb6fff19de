/** `node warn-as-user.ts <json>`: writes two documents as another user, and prints the results and every warning. */
import { fileSystemBackend } from '../../../src/storage/backends/file-system/index.ts'

const { home, user }: { home: string; user: number } = JSON.parse(process.argv[2] ?? '')
const warnings: string[] = []
const storage = fileSystemBackend(home, { onWarning: (message) => warnings.push(message) })
process.setgroups?.([])
process.setgid?.(user)
process.setuid?.(user)
const codes: string[] = []
for (const path of ['a', 'b']) {
  const outcome = await storage.update(path, () => new Uint8Array([1]))
  codes.push(outcome.ok ? 'ok' : outcome.error.code)
}
process.stdout.write(`${JSON.stringify({ codes, warnings })}\n`)
