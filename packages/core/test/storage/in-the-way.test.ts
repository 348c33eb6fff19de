/** What is in the place of a document or of a folder, and names that no document may have. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const text = (value: string) => () => new TextEncoder().encode(value)

describe('other things in the place of a document', () => {
  it('refuses folders with documents, documents in the place of folders, and pipes', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home)
    await updateDocument(storage, 'folder/a', text('x'))
    await updateDocument(storage, 'document', text('x'))
    for (const outcome of [
      await readDocument(storage, 'folder'),
      await updateDocument(storage, 'folder', text('x')),
      await updateDocument(storage, 'folder', () => undefined),
      await updateDocument(storage, 'document/below', text('x')),
      await moveDocuments(storage, 'folder', 'document/below'),
    ]) {
      expect(outcome).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    }
    expect(await readDocument(storage, 'document/below')).toEqual({ ok: true, value: undefined })
    expect(await storage.list('document')).toEqual({ ok: true, value: [] })
    if (spawnSync('mkfifo', [join(home, 'pipe')]).status === 0) {
      expect(await readDocument(storage, 'pipe')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
      expect(await updateDocument(storage, 'pipe', text('x'))).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    }
  })

  it('never removes files that are not documents from a folder that counts as empty', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home)
    await updateDocument(storage, 'source', text('x'))
    mkdirSync(join(home, 'target'))
    writeFileSync(join(home, 'target/a:b'), 'of another program')
    symlinkSync('/etc/hostname', join(home, 'target/link'))
    expect(await updateDocument(storage, 'target', text('y'))).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await moveDocuments(storage, 'source', 'target')).toMatchObject({ ok: false, error: { code: 'occupied' } })
    expect(filesOnDisk(join(home, 'target'))).toEqual(['a:b', 'link'])
  })
})

describe('temporary files', () => {
  it("never shows its own files or Python's temporary ones, and gives their names to no document", async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home)
    await updateDocument(storage, 'memories/MEMORY.md', text('x'))
    writeFileSync(join(home, 'memories/.mem_abc123.tmp'), 'of Python')
    writeFileSync(join(home, 'memories/poetry.lock'), 'a document')
    expect(await storage.list('')).toMatchObject({ value: [{ path: 'memories/MEMORY.md' }, { path: 'memories/poetry.lock' }] })
    for (const path of [
      '.hermes/log',
      '.hermes',
      'a/.HERMES/x',
      'memories/MEMORY.md.lock',
      '.hermes-tmp-1-0',
      'a/.hermes-tmp-x/b',
      'memories/.mem_abc123.tmp',
    ]) {
      for (const outcome of [
        await readDocument(storage, path),
        await updateDocument(storage, path, text('x')),
        await storage.list(path),
        await moveDocuments(storage, 'memories', path),
        await moveDocuments(storage, path, 'b'),
      ]) {
        expect(outcome).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
      }
    }
  })
})
