/** Updates that wait for the lock keep few files open, however many they are. */

import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const openFiles = (): number => readdirSync('/proc/self/fd').length

describe.runIf(process.platform === 'linux')('updates that wait for their locks', () => {
  it('keep few files open if they are many', async () => {
    const storage = fileSystemBackend(temporaryFolder(), { timeoutMs: 60_000 })
    await updateDocument(storage, 'notes/first', () => new Uint8Array([1]))
    await readDocument(storage, 'notes/first')
    const before = openFiles()
    let most = 0
    const sampling = setInterval(() => {
      most = Math.max(most, openFiles() - before)
    })
    const updates = Array.from({ length: 400 }, (_, index) => updateDocument(storage, `notes/${index}`, () => new Uint8Array([2])))
    for (const updated of await Promise.all(updates)) expect(updated).toMatchObject({ ok: true })
    clearInterval(sampling)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(300)
    await storage.close()
  })
})
