/** What the back end leaves behind: private files and folders, and nothing that is open. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileBackend, fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { unwrap, write } from '../support/skill-library.ts'
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
    await updateDocument(storage, 'memories/MEMORY.md', text(`${round}`))
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

/** What is in the place of a document or of a folder, and names that no document may have. */
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

it('refuses a file that is too long for a document', async () => {
  const { folder, storage } = open()
  const path = 'skills/deploy/long'
  writeFileSync(join(folder, 'long'), '')
  truncateSync(join(folder, 'long'), 2 ** 31)
  expect(await readDocument(storage, path)).toMatchObject({ ok: false, error: { code: 'unreadable', details: { path } } })
})

it('removes, with what is to be forgotten, what killed processes have left anywhere, but nothing of those that are at work', async () => {
  const { home, folder, storage } = open()
  await write(storage, { a: 'old', 'skills/gone/SKILL.md': 'old' })
  mkdirSync(join(home, 'skills/gone/empty/er'), { recursive: true })
  const { dev, ino } = statSync(join(home, '.hermes/log'), { bigint: true })
  const prefix = `.hermes-tmp-${dev.toString(36)}${ino.toString(36)}`
  for (const name of [`${prefix}-1-0`, `${prefix}-3-0`, `${prefix}-4-0`, '.hermes-tmp-other-99-0']) writeFileSync(join(folder, name), 'old')
  const remove = () => ({ put: { a: null, 'skills/gone/SKILL.md': null }, value: undefined })
  expect(await storage.update(['a', 'skills/gone/'], remove, { forget: true })).toMatchObject({ ok: true })
  expect(filesOnDisk(join(home, 'skills'))).toEqual(['deploy', `deploy/${prefix}-4-0`])
})

/** Files and folders whose names are not valid document paths are always reported. */
const open = () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'skills/deploy'), { recursive: true })
  return { home, folder: join(home, 'skills/deploy'), storage: fileSystemBackend(home) }
}

const garbledIn = (folder: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0x61, 0xff, 0xfe)])

it('lists them as what they are, beside the documents, under names of no document', async () => {
  const { folder, storage } = open()
  await write(storage, { 'skills/deploy/SKILL.md': 'x', 'skills/deploy/a%5Cb': 'a document', 'skills/deploy/really \ufffd': 'another' })
  for (const name of ['a\\b', 'line\nfeed', '10:30']) writeFileSync(join(folder, name), 'x')
  mkdirSync(join(folder, 'sub\tfolder'))
  writeFileSync(join(folder, 'sub\tfolder', 'inside'), 'x')
  writeFileSync(garbledIn(folder), 'x')
  const listed = unwrap(await storage.list('skills')).map(({ path, unreadable }) => [path, unreadable])
  expect(listed).toEqual([
    ['skills/deploy/10%3A30', 'unnamed-file'],
    ['skills/deploy/SKILL.md', undefined],
    ['skills/deploy/a%5Cb', undefined],
    ['skills/deploy/a%5Cb~2', 'unnamed-file'],
    ['skills/deploy/a\ufffd\ufffd', 'unnamed-file'],
    ['skills/deploy/line%0Afeed', 'unnamed-file'],
    ['skills/deploy/really \ufffd', undefined],
    ['skills/deploy/sub%09folder', 'unnamed-folder'],
  ])
  expect(await readDocument(storage, 'skills/deploy/a%5Cb~2')).toEqual({ ok: true, value: undefined })
})

it('names a folder whose own name is garbled', async () => {
  const { folder, storage } = open()
  mkdirSync(garbledIn(folder))
  expect(unwrap(await storage.list('skills'))).toMatchObject([{ path: 'skills/deploy/a\ufffd\ufffd', unreadable: 'unnamed-folder' }])
})
