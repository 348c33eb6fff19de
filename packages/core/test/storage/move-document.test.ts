/** What a move checks before its rename, and what it leaves where it was. */

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFileLock } from '../../src/storage/backends/file-system/file-lock.ts'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { EXPIRES_AFTER_MS } from '../../src/storage/backends/file-system/lock-holder.ts'
import { CURRENT_PROCESS } from '../../src/storage/backends/file-system/process-identity.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const text = (value: string) => () => new TextEncoder().encode(value)

/** What happens right before the status of a path is read, and which removals fail. */
const hooks: { status?: ((path: string) => void) | undefined; broken?: RegExp | undefined } = {}

replaceFileCalls((fs) => ({
  exactLstat: async (path: string) => {
    hooks.status?.(path)
    return fs.exactLstat(path)
  },
  unlink: async (path: string) => {
    if (hooks.broken?.test(path)) throw Object.assign(new Error('EIO'), { code: 'EIO' })
    await fs.unlink(path)
  },
}))

let home: string
let storage: StorageBackend

beforeEach(async () => {
  home = temporaryFolder()
  storage = fileSystemBackend(home, { lock: 'exclusive-file', lockTimeoutMs: 0, onWarning: () => undefined })
  await updateDocument(storage, 'notes/a', text('a'))
})

afterEach(() => {
  Object.assign(hooks, { status: undefined, broken: undefined })
  vi.useRealTimers()
})

const move = async (from: string, to: string): Promise<string> => {
  const moved = await moveDocuments(storage, from, to)
  return moved.ok ? 'ok' : `${moved.error.code}: ${moved.error.message}`
}

const read = (path: string) => (existsSync(join(home, path)) ? readFileSync(join(home, path), 'utf8') : undefined)

describe('a move', () => {
  it('replaces nothing that a program without locks puts there in the last moment', async () => {
    let looks = 0
    hooks.status = (path) => {
      if (path.endsWith('/b') && ++looks === 2) writeFileSync(join(home, 'notes/b'), 'theirs')
    }
    expect(await move('notes/a', 'notes/b')).toMatch(/^occupied: /)
    expect([read('notes/a'), read('notes/b')]).toEqual(['a', 'theirs'])
  })

  it('moves nothing with locks that another took over while its process was stopped', async () => {
    hooks.status = () => {
      vi.setSystemTime(Date.now() + EXPIRES_AFTER_MS)
      writeFileSync(join(home, '.locks/00.lock.excl'), JSON.stringify({ ...CURRENT_PROCESS, at: 0 }))
      hooks.status = undefined
    }
    expect(await move('notes/a', 'b')).toMatch(/^locked: .* were lost/)
    expect([read('notes/a'), read('b')]).toEqual(['a', undefined])
  })

  it('replaces no folder with documents, as it replaces no document, and creates nothing in the folder that it moves', async () => {
    await updateDocument(storage, 'full/b', text('b'))
    expect(await move('notes/a', 'full')).toBe((await move('notes/a', 'full/b')).replaceAll('full/b', 'full'))
    symlinkSync('notes', join(home, 'link'))
    expect(await move('notes', 'link/deep/er')).toMatch(/^invalid_path: .* cannot move into itself/)
    expect(filesOnDisk(join(home, 'notes'))).toEqual(['a'])
  })

  it.each([
    ['notes', 'memories'],
    ['memories', 'old'],
    ['memories/MEMORY.md', 'b'],
    ['b', 'memories/MEMORY.md'],
    ['link', 'b'],
  ])('of %s to %s waits for the locks that are shared with Python Hermes', async (from, to) => {
    await updateDocument(storage, 'memories/USER.md', text('user'))
    symlinkSync('memories', join(home, 'link'))
    const lock = createFileLock({ timeoutMs: 0, kind: 'exclusive-file', warn: () => undefined, random: () => 0, clock: () => 0 })
    const held = await lock.acquireNow(join(home, 'memories/MEMORY.md.lock'))
    expect(await move(from, to)).toMatch(/^locked: .*MEMORY\.md\.lock/)
    await held?.release()
  })

  it('refuses a document that is linked out of the home, and says why', async () => {
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'MEMORY.md'), 'theirs')
    mkdirSync(join(home, 'memories'))
    symlinkSync(join(outside, 'MEMORY.md'), join(home, 'memories/MEMORY.md'))
    expect(await move('memories/MEMORY.md', 'b')).toMatch(/^invalid_path: .*symbolic link/)
    expect(await move('notes/a', 'memories/MEMORY.md')).toMatch(/^occupied: /)
    expect(readFileSync(join(outside, 'MEMORY.md'), 'utf8')).toBe('theirs')
  })

  it('leaves the locks behind, and says so if it cannot', async () => {
    await updateDocument(storage, 'memories/MEMORY.md', text('memory'))
    for (const name of ['MEMORY.md.lock', 'USER.md.lock']) writeFileSync(join(home, 'memories', name), '')
    expect(await move('memories', 'old')).toBe('ok')
    expect(filesOnDisk(join(home, 'old'))).toEqual(['MEMORY.md'])
    mkdirSync(join(home, 'memories'))
    writeFileSync(join(home, 'memories/USER.md'), 'user')
    writeFileSync(join(home, 'memories/USER.md.lock'), '')
    hooks.broken = /\/USER\.md\.lock$/
    expect(await move('memories', 'other')).toMatch(/^io: /)
  })
})
