/** Races with another process, reproduced deterministically. */

import { closeSync, existsSync, openSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { tryExclusiveFile } from '../../src/storage/backends/file-system/exclusive-file-lock.ts'
import { loadFlock } from '../../src/storage/backends/file-system/flock.ts'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { lockOf } from '../../src/storage/backends/file-system/own-files.ts'
import { CURRENT_PROCESS } from '../../src/storage/backends/file-system/process-identity.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import { startChild } from './support/child.ts'
import { replaceFileCalls, replacePromises } from './support/replaced-calls.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

/** What another process does, right after a file was opened or right before one is linked to a name. Runs once. */
const between: { opened?: (file: string) => void; linking?: (file: string) => void } = {}

replaceFileCalls((fs) => ({
  open: async (file: string, ...rest: [never, never]) => {
    const handle = await fs.open(file, ...rest)
    if (file.endsWith('.lock')) between.opened?.(file)
    return handle
  },
}))

replacePromises((fs) => ({
  link: async (from: string, to: string) => {
    between.linking?.(to)
    await fs.link(from, to)
  },
}))

afterEach(() => {
  delete between.opened
  delete between.linking
})

const fallback = { lock: 'exclusive-file', onWarning: () => undefined } as const

describe.runIf(process.platform !== 'win32')('flock', () => {
  it.each([
    ['removed', () => undefined],
    ['replaced', (file: string) => closeSync(openSync(file, 'w'))],
  ])('is not held on a lock file that was %s while it was opened', async (_, then) => {
    const tryLock = await loadFlock()
    if (!tryLock) throw new Error('koffi is needed for this test: it is a development dependency.')
    const file = join(temporaryFolder(), 'a.lock')
    between.opened = () => {
      delete between.opened
      unlinkSync(file)
      then(file)
    }
    expect(await tryLock(file)).toBeUndefined()
    const held = await tryLock(file)
    expect(await held?.isHeld()).toBe(true)
    expect(await tryLock(file)).toBeUndefined()
    await held?.release()
  })
})

describe('fallback lock', () => {
  it('leaves the lock alone that another took over from the dead one in between', async () => {
    const child = startChild(process.execPath, ['-e', ''])
    await child.ended
    const lock = join(temporaryFolder(), 'a.lock')
    const theirs = JSON.stringify({ ...CURRENT_PROCESS, at: 0 })
    writeFileSync(`${lock}.excl`, JSON.stringify({ pid: child.process.pid, host: CURRENT_PROCESS.host, at: 0 }))
    between.linking = (file) => {
      if (file.endsWith('.takeover')) writeFileSync(`${lock}.excl`, theirs)
    }
    expect(await tryExclusiveFile(lock)).toBeUndefined()
    expect(readFileSync(`${lock}.excl`, 'utf8')).toBe(theirs)
    expect(existsSync(`${lock}.excl.takeover`)).toBe(false)
  })

  it('lets go of its own lock only, not of one that came after it went away', async () => {
    const lock = join(temporaryFolder(), 'a.lock')
    const held = await tryExclusiveFile(lock)
    const theirs = JSON.stringify({ ...CURRENT_PROCESS, at: 0 })
    writeFileSync(`${lock}.excl`, theirs)
    await held?.release()
    expect(readFileSync(`${lock}.excl`, 'utf8')).toBe(theirs)
  })
})

it('holds the lock of what a link leads to now, not of what it led to when the wait began', async () => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home, fallback)
  for (const name of ['a', 'b']) await updateDocument(storage, name, () => new TextEncoder().encode(name))
  expect(new Set(['a', 'b', 'alias'].map(lockOf)).size).toBe(3)
  symlinkSync('a', join(home, 'alias'))
  let held: string[] = []
  const update = updateDocument(storage, 'alias', () => {
    held = filesOnDisk(home).filter((name) => name.endsWith('.excl') && name.includes('/'))
    return new TextEncoder().encode('through the alias')
  })
  // The path was resolved when the update began; the update is now waiting for its locks.
  unlinkSync(join(home, 'alias'))
  symlinkSync('b', join(home, 'alias'))
  expect(await update).toMatchObject({ ok: true })
  expect(held).toEqual(['alias', 'b'].map((name) => `${lockOf(name)}.excl`).sort())
  expect(readFileSync(join(home, 'a'), 'utf8')).toBe('a')
  expect(readFileSync(join(home, 'b'), 'utf8')).toBe('through the alias')
})
