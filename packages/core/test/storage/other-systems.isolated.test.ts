/** Systems that do not tell where an open file is, tell another place, or refuse a link with another error: everything works alike. */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

/** What the system says of an open file, given the truth. */
const system = vi.hoisted((): { tell: (place: string) => string } => ({ tell: (place) => place }))

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>()
  const readlinkSync = (path: string) => (path.startsWith('/proc/self/fd/') ? system.tell(fs.readlinkSync(path)) : fs.readlinkSync(path))
  return { ...fs, default: { ...fs, readlinkSync }, readlinkSync }
})

/** The error for opening a link as a folder. */
const linkRefusal = vi.hoisted((): { code: string | undefined } => ({ code: undefined }))

/** The error for reading a folder with the name 'closed'. */
const closedFolder = vi.hoisted((): { code: string | undefined } => ({ code: undefined }))

vi.mock('../../src/storage/backends/file-system/file-calls.ts', async (importOriginal) => {
  const fs = await importOriginal<typeof import('../../src/storage/backends/file-system/file-calls.ts')>()
  const open: typeof fs.open = async (path, ...rest) => {
    try {
      return await fs.open(path, ...rest)
    } catch (error) {
      const { code } = linkRefusal
      if (code === undefined || !(await fs.lstat(path)).isSymbolicLink()) throw error
      throw Object.assign(new Error(`${code}: open '${path}'`), { code })
    }
  }
  const readEntries: typeof fs.readEntries = async (folder) => {
    const { code } = closedFolder
    if (code === undefined || !String(folder).endsWith('/closed')) return fs.readEntries(folder)
    throw Object.assign(new Error(`${code}: scandir '${folder}'`), { code })
  }
  return { ...fs, open, readEntries }
})

const text = (value: string) => () => new TextEncoder().encode(value)

/** A copy of the back end that has asked the system for nothing yet. */
const freshCopy = async () => {
  vi.resetModules()
  const { fileSystemBackend } = await import('../../src/storage/backends/file-system/index.ts')
  const { DisplacedError, pinFolder } = await import('../../src/storage/backends/file-system/pinned-folder.ts')
  return { fileSystemBackend, DisplacedError, pinFolder }
}

afterEach(() => {
  system.tell = (place) => place
  linkRefusal.code = undefined
  closedFolder.code = undefined
})

const missing = (place: string): never => {
  throw Object.assign(new Error(`ENOENT: no such file or directory, readlink '${place}'`), { code: 'ENOENT' })
}

const emulated = (place: string) => `/emulated${place}`

describe.runIf(process.platform === 'linux').each([
  ['without /proc', missing, await freshCopy()],
  ['with an emulated root', emulated, await freshCopy()],
])('a system %s', (_, tell, { fileSystemBackend }) => {
  it('reads, writes, lists and moves, and follows no link out', async () => {
    system.tell = tell
    const folder = temporaryFolder()
    const [home, outside] = [join(folder, 'home'), join(folder, 'outside')]
    mkdirSync(outside)
    writeFileSync(join(outside, 'secret'), 'secret')
    const storage = fileSystemBackend(home)
    expect(await updateDocument(storage, 'skills/a/SKILL.md', text('old'))).toMatchObject({ ok: true })
    symlinkSync('a', join(home, 'skills/link'))
    symlinkSync(outside, join(home, 'skills/out'))
    expect(await updateDocument(storage, 'skills/link/SKILL.md', text('new'))).toMatchObject({ ok: true })
    for (const path of ['skills/a/SKILL.md', 'skills/link/SKILL.md'])
      expect(await readDocument(storage, path)).toMatchObject({ ok: true, value: { bytes: text('new')() } })
    expect(await moveDocuments(storage, 'skills/a', 'skills/b')).toMatchObject({ ok: true })
    expect(readFileSync(join(home, 'skills/b/SKILL.md'), 'utf8')).toBe('new')
    expect(await storage.list('skills/b')).toMatchObject({ ok: true, value: [{ path: 'skills/b/SKILL.md' }] })
    for (const path of ['skills/out/secret', 'skills/out/new']) {
      expect(await readDocument(storage, path)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
      expect(await updateDocument(storage, path, text('x'))).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    }
    expect(filesOnDisk(outside)).toEqual(['secret'])
    await storage.close()
  })
})

const { fileSystemBackend, DisplacedError, pinFolder } = await freshCopy()

describe.runIf(process.platform !== 'win32').each(['ENOTDIR', 'ELOOP'])('a system that refuses a link as a folder with %s', (code) => {
  it('tells that the folder was replaced, which makes the caller look again', async () => {
    linkRefusal.code = code
    const folder = temporaryFolder()
    symlinkSync('.', join(folder, 'link'))
    await expect(pinFolder(join(folder, 'link'))).rejects.toThrow(DisplacedError)
  })
})

describe.each(['EACCES', 'EPERM'])('a system that closes a folder with %s', (code) => {
  it('shows in a list that there is one', async () => {
    closedFolder.code = code
    const home = temporaryFolder()
    mkdirSync(join(home, 'a/closed'), { recursive: true })
    expect(await fileSystemBackend(home).list('')).toMatchObject({ ok: true, value: [{ path: 'a/closed', unreadable: 'closed-folder' }] })
  })
})
