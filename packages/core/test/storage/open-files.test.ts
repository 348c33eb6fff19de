/** Updates that wait for their locks keep few files open, however many they are and however long they wait. */

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const openFiles = (): number => readdirSync('/proc/self/fd').length

describe.runIf(process.platform === 'linux')('updates that wait for their locks', () => {
  it('keep few files open if they are many', async () => {
    const storage = fileSystemBackend(temporaryFolder(), { lockTimeoutMs: 60_000 })
    await updateDocument(storage, 'notes/first', () => new Uint8Array([1]))
    await readDocument(storage, 'notes/first')
    const before = openFiles()
    let most = 0
    const updates = Array.from({ length: 400 }, (_, index) =>
      updateDocument(storage, `notes/${index}`, () => {
        most = Math.max(most, openFiles() - before)
        return new Uint8Array([2])
      }),
    )
    for (const updated of await Promise.all(updates)) expect(updated).toMatchObject({ ok: true })
    expect(most).toBeGreaterThan(0)
    // 64 early looks with two files each, and for each of the 32 locks its file, a folder and a temporary file.
    expect(most).toBeLessThan(300)
    await storage.close()
  })

  it('keep few files open if a holder with the other kind of lock takes long', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lockTimeoutMs: 500 })
    await updateDocument(storage, 'notes/first', () => new Uint8Array([1]))
    await readDocument(storage, 'notes/first')
    const [lock] = readdirSync(join(home, '.locks'))
    writeFileSync(join(home, '.locks', `${lock}.excl`), 'a holder on another host')
    const before = openFiles()
    let most = 0
    const watching = setInterval(() => {
      most = Math.max(most, openFiles() - before)
    }, 5)
    const updated = await updateDocument(storage, 'notes/first', () => new Uint8Array([2]))
    clearInterval(watching)
    expect(updated).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(20)
    await storage.close()
  })
})
