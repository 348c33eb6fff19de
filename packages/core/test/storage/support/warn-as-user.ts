/** `node warn-as-user.ts <json>`: writes two documents as another user, and prints the results and every warning. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileSystemBackend } from '../../../src/storage/files/file-backend.ts'
import { updateDocument } from '../../../src/storage/one-document.ts'

const { home, user }: { home: string; user: number } = JSON.parse(process.argv[2] ?? '')
const write = (to: ReturnType<typeof fileSystemBackend>, path: string) => updateDocument(to, path, () => new Uint8Array([1]))

// Loads what the first write needs: the other user may not enter the folder of the checkout.
const scratch = mkdtempSync(join(tmpdir(), 'hermes-warn-'))
await write(fileSystemBackend(scratch, { onWarning: () => undefined }), 'a')
rmSync(scratch, { recursive: true })

const warnings: string[] = []
const storage = fileSystemBackend(home, { onWarning: (message) => warnings.push(message) })
process.setgroups?.([])
process.setgid?.(user)
process.setuid?.(user)
const codes: string[] = []
for (const path of ['a', 'b']) {
  const outcome = await write(storage, path)
  codes.push(outcome.ok ? 'ok' : outcome.error.code)
}
process.stdout.write(`${JSON.stringify({ codes, warnings })}\n`)
