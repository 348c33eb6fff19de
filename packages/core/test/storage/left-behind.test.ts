/** What the back end leaves behind: private files and folders, and nothing that is open. */

import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FileBackend, fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { OWNERS_FOLDER } from '../../src/storage/storage-paths.ts'
import { openFilesBelow } from './support/open-files.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const text = (value: string) => () => new TextEncoder().encode(value)

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

it('removes what a killed process has left beside a document that is linked out of the home', async () => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home)
  const outside = temporaryFolder()
  const left = '.hermes-tmp-7-0'
  writeFileSync(join(outside, left), 'half')
  mkdirSync(join(home, 'memories'))
  symlinkSync(join(outside, 'MEMORY.md'), join(home, 'memories/MEMORY.md'))
  expect(await updateDocument(storage, 'memories/MEMORY.md', text('x'))).toMatchObject({ ok: true })
  expect(filesOnDisk(outside)).toEqual(['MEMORY.md'])
})

it('removes the folders of an owner with the last document', async () => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home)
  const folder = `${OWNERS_FOLDER}/someone`
  for (const path of ['deep/x', 'y']) await updateDocument(storage, `${folder}/${path}`, text('x'))
  await updateDocument(storage, `${folder}/deep/x`, () => undefined)
  expect([existsSync(join(home, folder, 'deep')), existsSync(join(home, folder, 'y'))]).toEqual([false, true])
  await updateDocument(storage, `${folder}/y`, () => undefined)
  expect(existsSync(join(home, folder))).toBe(false)
})

it('finishes the updates of others where somebody has put a link in the place of a folder', async () => {
  const home = temporaryFolder()
  const path = 'skills/x/SKILL.md'
  const first = new FileBackend(home)
  await first.update([path], () => ({ put: { [path]: new Uint8Array([1]) }, value: undefined }))
  await first.close()
  const killed = new FileBackend(home, {
    atStep: (step) => {
      if (step === 'logged') throw new Error('killed')
    },
  })
  await expect(killed.update([path], () => ({ put: { [path]: null }, value: undefined }))).rejects.toThrow('killed')
  rmSync(join(home, 'skills/x'), { recursive: true })
  symlinkSync(temporaryFolder(), join(home, 'skills/x'))
  const warnings: string[] = []
  const next = new FileBackend(home, { onWarning: (message) => warnings.push(message) })
  expect(await next.update(['a'], () => ({ put: { a: new Uint8Array([1]) }, value: undefined }))).toMatchObject({ ok: true })
  expect(warnings).toHaveLength(1)
})
