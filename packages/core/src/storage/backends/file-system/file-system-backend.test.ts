/** What the file back end does around each operation: checks, errors, warnings, and its end. */

import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openFilesBelow } from '../../../../test/storage/support/open-files.ts'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { OWN_FOLDER } from '../../next/files/paths.ts'
import { moveDocuments, readDocument, updateDocument } from '../../one-document.ts'
import { fileSystemBackend } from './file-system-backend.ts'

const text = (value: string) => () => new TextEncoder().encode(value)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a path', () => {
  it.each(['../out', '.locks/00.lock', 'a/.hermes-tmp-1', '/etc/hostname'])('is refused for every operation if it is %s', async (path) => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'a'), 'x')
    const storage = fileSystemBackend(home)
    for (const outcome of [
      await readDocument(storage, path),
      await updateDocument(storage, path, text('x')),
      await storage.list(path),
      await moveDocuments(storage, path, 'b'),
      await moveDocuments(storage, 'a', path),
    ])
      expect(outcome).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  })

  it('is read again and again, as it is now', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home)
    for (const value of ['one', 'two', 'three']) {
      writeFileSync(join(home, 'a'), value)
      expect(await readDocument(storage, 'a')).toMatchObject({ ok: true, value: { bytes: text(value)() } })
    }
    expect(await readDocument(storage, 'b')).toEqual({ ok: true, value: undefined })
    await storage.close()
    for (const outcome of [
      await readDocument(storage, 'a'),
      await updateDocument(storage, 'a', text('x')),
      await storage.list(''),
      await moveDocuments(storage, 'a', 'b'),
    ])
      expect(outcome).toMatchObject({ ok: false, error: { code: 'closed' } })
  })
})

describe('an error', () => {
  it('of the system tells what was done to which path', async () => {
    const home = temporaryFolder()
    symlinkSync('circle', join(home, 'circle'))
    const storage = fileSystemBackend(home)
    for (const [doing, outcome] of [
      ['read', await readDocument(storage, 'circle/a')],
      ['write', await updateDocument(storage, 'circle/a', text('x'))],
      ['read', await storage.list('circle/a')],
      ['write', await moveDocuments(storage, 'circle/a', 'b')],
    ] as const)
      expect(outcome).toMatchObject({
        ok: false,
        error: {
          code: 'invalid_path',
          message: expect.stringContaining(`Could not ${doing} 'circle/a'`),
          details: { systemCode: 'ELOOP' },
        },
      })
  })

  it('of another kind is thrown as it is', async () => {
    const storage = fileSystemBackend(temporaryFolder())
    await updateDocument(storage, 'a', text('x'))
    vi.spyOn(Date, 'now').mockImplementation(() => {
      throw new TypeError('no clock')
    })
    await expect(storage.list('')).rejects.toThrow('no clock')
  })

  it('of a change is thrown as it is, also if it looks like one of the system', async () => {
    const storage = fileSystemBackend(temporaryFolder())
    for (const thrown of [new TypeError('mine'), Object.assign(new Error('mine'), { code: 'EIO' }), 'a text']) {
      const change = () => {
        throw thrown
      }
      await expect(updateDocument(storage, 'a', change)).rejects.toBe(thrown)
    }
  })
})

describe('a lock of another program', () => {
  const locked = async (timeoutMs: number) => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { timeoutMs, lock: 'exclusive-file' })
    const first = fileSystemBackend(home, { lock: 'exclusive-file' })
    await updateDocument(first, 'a', text('x'))
    await first.close()
    const file = join(home, OWN_FOLDER, 'lock.held')
    writeFileSync(file, 'a holder on another host')
    return { storage, file }
  }

  it('is waited for as long as the option says', async () => {
    const { storage } = await locked(30)
    const began = performance.now()
    expect(await updateDocument(storage, 'a', text('y'))).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(performance.now() - began).toBeGreaterThan(25)
  })

  it('is noticed to be free long before that', async () => {
    const { storage, file } = await locked(20_000)
    const began = performance.now()
    const updating = updateDocument(storage, 'a', text('y'))
    setTimeout(() => rmSync(file), 50)
    expect(await updating).toMatchObject({ ok: true })
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

describe('a warning', () => {
  const openToOthers = () => {
    const home = join(temporaryFolder(), 'home')
    mkdirSync(join(home, 'memories'), { recursive: true })
    chmodSync(home, 0o755)
    return home
  }

  it.runIf(process.platform !== 'win32')('is shown by the process, once for each text', async () => {
    const emit = vi.spyOn(process, 'emitWarning').mockReturnValue()
    const home = openToOthers()
    for (let round = 0; round < 2; round++) {
      chmodSync(home, 0o755)
      await updateDocument(fileSystemBackend(home, { permissions: 'private' }), 'a', text('x'))
    }
    await updateDocument(fileSystemBackend(openToOthers(), { permissions: 'private' }), 'a', text('x'))
    const warnings = emit.mock.calls.filter(([, options]) => JSON.stringify(options)?.includes('HERMES'))
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toEqual([expect.stringContaining(home), { type: 'HermesWarning', code: 'HERMES_STORAGE' }])
  })

  it.runIf(process.platform !== 'win32')('goes to the listener instead, whose errors stop no write', async () => {
    const emit = vi.spyOn(process, 'emitWarning').mockReturnValue()
    const warnings: string[] = []
    const onWarning = (message: string) => {
      warnings.push(message)
      throw new Error('the listener failed')
    }
    const storage = fileSystemBackend(openToOthers(), { permissions: 'private', onWarning })
    expect(await updateDocument(storage, 'a', text('x'))).toMatchObject({ ok: true })
    expect([warnings.length, emit.mock.calls.length]).toEqual([1, 0])
  })
})

it('keeps nothing of an operation that has ended', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const home = temporaryFolder()
  writeFileSync(join(home, 'a'), 'x')
  const storage = fileSystemBackend(home)
  const read = async () => {
    const document = await readDocument(storage, 'a')
    return new WeakRef(document)
  }
  const reads = [await read(), await read(), await read()]
  const kept = () => {
    collect()
    return reads.filter((document) => document.deref() !== undefined).length
  }
  await expect.poll(kept, { interval: 1 }).toBe(0)
  await storage.close()
})

describe('its end', () => {
  it('waits for the work that has begun, of every kind, and for the cleanup', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home)
    await updateDocument(storage, 'a', text('x'))
    const ended: string[] = []
    const note = (what: string) => (outcome: { ok: boolean }) => ended.push(`${what} ${outcome.ok}`)
    const work = [
      updateDocument(storage, 'b', text('y')).then(note('update')),
      moveDocuments(storage, 'a', 'c').then(note('move')),
      readDocument(storage, 'a').then(note('read')),
      storage.list('').then(note('list')),
    ]
    await storage.close()
    // The last steps of each promise are left.
    await Promise.resolve()
    expect(ended.sort()).toEqual(['list true', 'move true', 'read true', 'update true'])
    await Promise.all(work)
    if (process.platform === 'linux') await expect.poll(() => openFilesBelow(home), { interval: 1 }).toEqual([])
  })
})
