/** Linux systems that do not tell where an open file is, or tell another place: everything works as on systems that never do. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

/** What the system says of an open file, given the truth. */
const system = vi.hoisted((): { tell: (place: string) => string } => ({ tell: (place) => place }))

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>()
  const readlinkSync = (path: string) => (path.startsWith('/proc/self/fd/') ? system.tell(fs.readlinkSync(path)) : fs.readlinkSync(path))
  return { ...fs, default: { ...fs, readlinkSync }, readlinkSync }
})

const text = (value: string) => () => new TextEncoder().encode(value)

beforeEach(() => {
  // The answer of the system is kept.
  vi.resetModules()
})

const missing = (place: string): never => {
  throw Object.assign(new Error(`ENOENT: no such file or directory, readlink '${place}'`), { code: 'ENOENT' })
}

describe.runIf(process.platform === 'linux').each([
  ['without /proc', missing],
  ['with an emulated root', (place: string) => `/emulated${place}`],
])('a system %s', (_, tell) => {
  it.each([false, true])('reads, writes, lists and moves, and follows no link out, blocking reads: %s', async (blockingReads) => {
    system.tell = tell
    const { fileSystemBackend } = await import('../../src/storage/backends/file-system/index.ts')
    const folder = temporaryFolder()
    const [home, outside] = [join(folder, 'home'), join(folder, 'outside')]
    mkdirSync(outside)
    writeFileSync(join(outside, 'secret'), 'secret')
    const storage = fileSystemBackend(home, { blockingReads })
    expect(await storage.update('skills/a/SKILL.md', text('old'))).toMatchObject({ ok: true })
    symlinkSync('a', join(home, 'skills/link'))
    symlinkSync(outside, join(home, 'skills/out'))
    expect(await storage.update('skills/link/SKILL.md', text('new'))).toMatchObject({ ok: true })
    for (const path of ['skills/a/SKILL.md', 'skills/link/SKILL.md'])
      expect(await storage.read(path)).toMatchObject({ ok: true, value: { bytes: text('new')() } })
    expect(await storage.move('skills/a', 'skills/b')).toMatchObject({ ok: true })
    expect(readFileSync(join(home, 'skills/b/SKILL.md'), 'utf8')).toBe('new')
    expect(await storage.list('skills/b')).toMatchObject({ ok: true, value: [{ path: 'skills/b/SKILL.md' }] })
    for (const path of ['skills/out/secret', 'skills/out/new']) {
      expect(await storage.read(path)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
      expect(await storage.update(path, text('x'))).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    }
    expect(filesOnDisk(outside)).toEqual(['secret'])
    await storage.close()
  })
})
