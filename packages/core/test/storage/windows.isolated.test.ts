/** The file back end over a disk that behaves like that of Windows: no flag that refuses links, no folders to open, no sync of what is open for reading, and files in use. */

import type * as Files from 'node:fs'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { temporaryFolder } from './support/temporary-home.ts'

type Done = (error: Error | null, value?: unknown) => void

const disk = vi.hoisted(() => ({
  inUse: 0,
  renames: 0,
  opened: new Map<unknown, { path: string; flags: number }>(),
  synced: new Set<string>(),
}))

const platform = vi.hoisted(() => {
  const real = Object.getOwnPropertyDescriptor(process, 'platform')
  Object.defineProperty(process, 'platform', { ...real, value: 'win32' })
  return real
})

vi.mock('../../src/storage/files/node-fs.ts', async (load) => {
  const { fs } = await load<{ fs: typeof Files }>()
  const { O_NOFOLLOW: _, O_NONBLOCK: __, O_DSYNC: ___, ...constants } = fs.constants
  const fail = (code: string, done: Done) => done(Object.assign(new Error(`${code}: as on Windows`), { code }))
  const open = (path: string, flags: number, mode: number, done: Done) =>
    fs.stat(path, (__error, status) =>
      status?.isDirectory()
        ? fail('EPERM', done)
        : fs.open(path, flags, mode, (error, file) => {
            disk.opened.set(file, { path, flags })
            done(error, file)
          }),
    )
  const fsync = (file: number, done: Done) => {
    const { path = '', flags = 0 } = disk.opened.get(file) ?? {}
    if ((flags & (constants.O_RDWR | constants.O_WRONLY)) === 0) return fail('EPERM', done)
    disk.synced.add(path)
    return fs.fsync(file, done)
  }
  const rename = (from: string, to: string, done: Done) => {
    disk.renames++
    return disk.inUse-- > 0 ? fail(disk.inUse % 2 === 0 ? 'EPERM' : 'EBUSY', done) : fs.rename(from, to, done)
  }
  return { fs: { ...fs, constants, open, fsync, rename } }
})

const { fileSystemBackend } = await import('../../src/storage/files/file-backend.ts')
const { syncAt } = await import('../../src/storage/files/disk.ts')
const { rename } = await import('../../src/storage/files/rename.ts')
const { readDocument, updateDocument } = await import('../../src/storage/one-document.ts')

afterAll(() => {
  if (platform) Object.defineProperty(process, 'platform', platform)
})

beforeEach(() => {
  disk.inUse = 0
  disk.renames = 0
})

const text = (words: string) => () => new TextEncoder().encode(words)
const MEMORY = 'memories/MEMORY.md'

it('replaces a document that another program has open for a moment', async () => {
  const folder = temporaryFolder()
  const warnings: string[] = []
  const storage = fileSystemBackend(folder, { onWarning: (warning) => warnings.push(warning) })
  expect(await updateDocument(storage, MEMORY, text('One.'))).toMatchObject({ ok: true })
  // An install of koffi would change nothing.
  expect(warnings).toEqual([
    expect.stringMatching(/lock file, which a running Python Hermes does not see\. Do not let both write at once\.$/),
  ])
  disk.inUse = 3
  expect(await updateDocument(storage, MEMORY, text('Two.'))).toMatchObject({ ok: true })
  expect(readFileSync(join(folder, MEMORY), 'utf8')).toBe('Two.')
})

it('does not wait for ever for one that stays open', async () => {
  disk.inUse = Number.POSITIVE_INFINITY
  await expect(rename('a', 'b')).rejects.toMatchObject({ code: expect.stringMatching(/^E(?:PERM|BUSY)$/) })
  expect(disk.renames).toBeGreaterThan(3)
})

it('neither reads nor writes through a link that leads out of the home', async () => {
  const [folder, outside] = [temporaryFolder(), join(temporaryFolder(), 'secret')]
  const storage = fileSystemBackend(folder)
  expect(await updateDocument(storage, 'journal/2026-01-01.jsonl', text('{}\n'))).toMatchObject({ ok: true })
  writeFileSync(outside, 'Nobody else reads this.')
  symlinkSync(outside, join(folder, 'journal/2026-01-02.jsonl'))
  const refused = { ok: false, error: { code: 'invalid_path' } }
  expect(await readDocument(storage, 'journal/2026-01-02.jsonl')).toMatchObject(refused)
  expect(await updateDocument(storage, 'journal/2026-01-02.jsonl', text('{}\n'))).toMatchObject(refused)
  expect(readFileSync(outside, 'utf8')).toBe('Nobody else reads this.')
})

it('waits until a document is on the disk, although a folder cannot be synced there', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'a.md')
  writeFileSync(file, 'A.')
  await syncAt(file)
  expect(disk.synced).toContain(file)
  await expect(syncAt(folder)).resolves.toBeUndefined()
})
