/** What is on the path of a document changes while its update waits for a lock. */

import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileLock } from '../../src/storage/backends/file-system/file-lock.ts'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { lockOf } from '../../src/storage/backends/file-system/own-files.ts'
import { CURRENT_PROCESS } from '../../src/storage/backends/file-system/process-identity.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { OWNERS_FOLDER } from '../../src/storage/storage-paths.ts'
import { DEAD_PID } from './support/dead-holder.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const text = (value: string) => () => new TextEncoder().encode(value)

/** `locking` runs right before a lock file is opened, once. `gone`: a folder that is missing whenever it is opened. */
const hooks: { locking?: (() => void) | undefined; gone?: string | undefined } = {}

replaceFileCalls((fs) => ({
  open: async (path: string, ...rest: [never, never]) => {
    if (path.endsWith('.lock')) {
      hooks.locking?.()
      hooks.locking = undefined
    }
    if (path === hooks.gone) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
    return fs.open(path, ...rest)
  },
}))

let home: string
let storage: StorageBackend

beforeEach(async () => {
  home = temporaryFolder()
  storage = fileSystemBackend(home, { lock: 'exclusive-file', lockTimeoutMs: 10_000, onWarning: () => undefined })
  for (const name of ['a', 'b']) await updateDocument(storage, name, text(name))
})

afterEach(() => {
  Object.assign(hooks, { locking: undefined, gone: undefined })
})

/** A link to `a` whose own lock is taken before that of `a`. */
const createLink = (): string => {
  for (let index = 0; ; index++) {
    const link = `link${index}`
    if (lockOf(link) >= lockOf('a') || lockOf(link) === lockOf('b')) continue
    symlinkSync('a', join(home, link))
    return link
  }
}

/** Asks for an update through a link, and points the link elsewhere while the update waits for the lock of `a`. */
const updateWhile = async (target: string) => {
  const link = createLink()
  const locks = createFileLock({ timeoutMs: 0, kind: 'exclusive-file', warn: () => undefined, random: () => 0, clock: () => 0 })
  const taken = await locks.acquireNow(join(home, lockOf('a')))
  let held: readonly string[] = []
  const updating = updateDocument(storage, link, () => {
    held = filesOnDisk(home).filter((name) => name.endsWith('.excl') && name.includes('/'))
    return new TextEncoder().encode('through the link')
  })
  await expect.poll(() => existsSync(join(home, `${lockOf(link)}.excl`)), { interval: 1 }).toBe(true)
  unlinkSync(join(home, link))
  symlinkSync(target, join(home, link))
  await taken?.release()
  return { link, held: () => held, updated: await updating }
}

const read = (path: string): string => readFileSync(join(home, path), 'utf8')

describe('a link that leads elsewhere by the time its update has its locks', () => {
  it('is followed to where it leads now, under the lock of what is there', async () => {
    const { link, held, updated } = await updateWhile('b')
    expect(updated).toMatchObject({ ok: true })
    expect(held()).toEqual([link, 'b'].map((path) => `${lockOf(path)}.excl`).sort())
    expect([read('a'), read('b')]).toEqual(['a', 'through the link'])
  })

  it('is refused if it leads out of the home now', async () => {
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'x'), 'theirs')
    const { updated } = await updateWhile(join(outside, 'x'))
    expect(updated).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect([read('a'), readFileSync(join(outside, 'x'), 'utf8')]).toEqual(['a', 'theirs'])
  })
})

it('says that a document is in the place of a folder, also if it has just been put there', async () => {
  const fresh = fileSystemBackend(home)
  mkdirSync(join(home, 'notes'))
  hooks.locking = () => {
    renameSync(join(home, 'notes'), join(home, 'moved'))
    writeFileSync(join(home, 'notes'), 'a file')
  }
  expect(await updateDocument(fresh, 'notes/x', text('x'))).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(read('notes')).toBe('a file')
})

it('gives up on a folder that is removed again and again', async () => {
  mkdirSync(join(home, 'notes'))
  hooks.gone = join(home, 'notes')
  const updated = await updateDocument(storage, 'notes/x', text('x'))
  expect(updated).toMatchObject({ ok: false, error: { code: 'io', message: expect.stringMatching(/keep changing/) } })
})

it('removes what a killed process has left beside a document that is linked out of the home', async () => {
  const outside = temporaryFolder()
  const left = `.hermes-tmp-${DEAD_PID}-${CURRENT_PROCESS.host}-aaaa-1`
  writeFileSync(join(outside, left), 'half')
  mkdirSync(join(home, 'memories'))
  symlinkSync(join(outside, 'MEMORY.md'), join(home, 'memories/MEMORY.md'))
  expect(await updateDocument(storage, 'memories/MEMORY.md', text('x'))).toMatchObject({ ok: true })
  expect(filesOnDisk(outside)).toEqual(['MEMORY.md'])
})

it('removes the folders of an owner with the last document', async () => {
  const folder = `${OWNERS_FOLDER}/someone`
  for (const path of ['deep/x', 'y']) await updateDocument(storage, `${folder}/${path}`, text('x'))
  await updateDocument(storage, `${folder}/deep/x`, () => undefined)
  expect([existsSync(join(home, folder, 'deep')), existsSync(join(home, folder, 'y'))]).toEqual([false, true])
  await updateDocument(storage, `${folder}/y`, () => undefined)
  expect(existsSync(join(home, folder))).toBe(false)
})
