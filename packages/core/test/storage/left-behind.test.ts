/** What the back end leaves behind: private files and folders, and nothing that is open. */

import { statSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { openFilesBelow } from './support/open-files.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const text = (value: string) => () => new TextEncoder().encode(value)

it('creates folders and files that only their owner may enter, read or run', async () => {
  const home = join(temporaryFolder(), 'new/home')
  const storage = fileSystemBackend(home)
  await updateDocument(storage, 'skills/a/SKILL.md', text('x'))
  await updateDocument(storage, 'skills/a/run.sh', () => ({ bytes: new Uint8Array([1]), executable: true }))
  await moveDocuments(storage, 'skills/a', 'skills/.archive/2026/a')
  const modes = new Set(
    filesOnDisk(home).map((name) => {
      const status = statSync(join(home, name))
      return `${status.isDirectory() ? 'folder' : name.endsWith('.sh') ? 'script' : 'file'} ${(status.mode & 0o777).toString(8)}`
    }),
  )
  expect([...modes].sort()).toEqual(['file 600', 'folder 700', 'script 700'])
  expect(statSync(home).mode & 0o777).toBe(0o700)
})

it.runIf(process.platform === 'linux')('keeps no file open, whether a call succeeds or fails', async () => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home)
  await updateDocument(storage, 'a/one', text('x'))
  symlinkSync(join(home, 'a'), join(home, 'link'))
  for (let round = 0; round < 5; round++) {
    await updateDocument(storage, 'a/one', text(`${round}`))
    await updateDocument(storage, 'a/one', () => undefined)
    await updateDocument(storage, 'a/one', text('x'))
    await readDocument(storage, 'a/one')
    await readDocument(storage, 'a')
    await readDocument(storage, 'a/none')
    await updateDocument(storage, 'a', text('x'))
    await moveDocuments(storage, 'a/one', 'a/two')
    await moveDocuments(storage, 'a/two', 'a/one')
    await storage.list('')
  }
  await storage.close()
  // Files are closed in the background.
  await expect.poll(() => openFilesBelow(home), { interval: 5 }).toEqual([])
})

it('takes no socket for a document', async () => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home)
  await updateDocument(storage, 'a', text('x'))
  const server = createServer().listen(join(home, 'socket'))
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    expect(await readDocument(storage, 'socket')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await updateDocument(storage, 'socket', text('x'))).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await storage.list('')).toMatchObject({ value: [{ path: 'a' }] })
  } finally {
    server.close()
  }
})

it('gives equal bytes one version, of 32 hexadecimal digits', async () => {
  const storage = fileSystemBackend(temporaryFolder())
  const versions: unknown[] = []
  for (const [path, content] of [
    ['a', 'x'],
    ['b', 'x'],
    ['a', 'y'],
  ] as const) {
    const written = await updateDocument(storage, path, text(content))
    versions.push(written.ok && written.value?.version)
  }
  expect(versions[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(versions[1]).toBe(versions[0])
  expect(versions[2]).not.toBe(versions[0])
})
