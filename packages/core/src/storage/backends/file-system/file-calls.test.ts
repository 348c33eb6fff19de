/** The calls to the disk do what their names say, and fail with the system's errors. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import {
  exactLstat,
  exactStat,
  link,
  lstat,
  type OpenFile,
  open,
  readEntries,
  readlink,
  realpath,
  rename,
  stat,
  unlink,
} from './file-calls.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder, 'file')
  writeFileSync(file, 'content')
  symlinkSync('file', join(folder, 'link'))
})

/** A call that is never answered fails after five seconds, instead of keeping the test waiting. */
const answered = (test: () => Promise<void>) => async (): Promise<void> => {
  const ending = new AbortController()
  const tooLate = delay(5_000, undefined, { signal: ending.signal }).then(() => Promise.reject(new Error('The disk does not answer.')))
  try {
    await Promise.race([test(), tooLate])
  } finally {
    ending.abort()
    tooLate.catch(() => undefined)
  }
}

const opened = async <T>(flags: string, act: (handle: OpenFile) => Promise<T>): Promise<T> => {
  const handle = await open(file, flags)
  try {
    return await act(handle)
  } finally {
    await handle.close()
  }
}

const content = () => readFileSync(file, 'utf8')

describe('an open file', () => {
  it(
    'is read from its start, as far as the buffer reaches, each time anew',
    answered(async () => {
      await opened('r', async (handle) => {
        const buffer = new Uint8Array(4)
        for (let round = 0; round < 2; round++) {
          expect(await handle.read(buffer)).toBe(4)
          expect(new TextDecoder().decode(buffer)).toBe('cont')
        }
        expect(await handle.read(new Uint8Array(100))).toBe(7)
        expect((await handle.readFile()).toString()).toBe('content')
      })
    }),
  )

  it(
    'is written from its start, emptied, and filled',
    answered(async () => {
      await opened('r+', async (handle) => {
        await handle.write('CÄ')
        expect(content()).toBe('CÄtent')
        await handle.truncate()
        expect(content()).toBe('')
        await handle.writeFile(new Uint8Array([0x61, 0x62]))
        await handle.sync()
        expect(content()).toBe('ab')
      })
    }),
  )

  it(
    'tells its number, its state, and takes other permissions',
    answered(async () => {
      await opened('r', async (handle) => {
        expect(handle.fd).toBeGreaterThan(2)
        expect((await handle.stat()).size).toBe(7)
        expect((await handle.exactStat()).size).toBe(7n)
        await handle.chmod(0o400)
        expect(statSync(file).mode & 0o777).toBe(0o400)
      })
    }),
  )

  it(
    'does nothing more once it is closed, since its number may be that of another file',
    answered(async () => {
      const handle = await open(file, 'r+')
      await handle.close()
      const next = await open(join(folder, 'next'), 'w')
      const calls: readonly (() => unknown)[] = [
        () => handle.fd,
        handle.stat,
        handle.exactStat,
        () => handle.read(new Uint8Array(1)),
        handle.readFile,
        () => handle.write('x'),
        () => handle.writeFile(new Uint8Array(1)),
        handle.sync,
        handle.truncate,
        () => handle.chmod(0o777),
        handle.close,
      ]
      for (const call of calls) await expect((async () => call())(), String(call)).rejects.toMatchObject({ code: 'EBADF' })
      expect(statSync(join(folder, 'next')).size).toBe(0)
      await next.close()
    }),
  )

  it(
    'fails with the error of the system',
    answered(async () => {
      await expect(opened('r', (handle) => handle.write('x'))).rejects.toMatchObject({ code: 'EBADF' })
      await expect(opened('w', (handle) => handle.read(new Uint8Array(1)))).rejects.toMatchObject({ code: 'EBADF' })
    }),
  )

  it(
    'is created with the permissions that are asked for',
    answered(async () => {
      const handle = await open(join(folder, 'new'), 'wx', 0o600)
      await handle.close()
      expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o600)
      await expect(open(join(folder, 'new'), 'wx')).rejects.toMatchObject({ code: 'EEXIST' })
    }),
  )
})

describe('a path', () => {
  it(
    'is looked at with and without following a link',
    answered(async () => {
      const path = join(folder, 'link')
      expect([(await stat(path)).isFile(), (await exactStat(path)).size]).toEqual([true, 7n])
      expect([(await lstat(path)).isSymbolicLink(), (await exactLstat(path)).size]).toEqual([true, 4n])
      expect([await readlink(path), await realpath(path)]).toEqual(['file', file])
    }),
  )

  it(
    'is given a second name, renamed and removed',
    answered(async () => {
      mkdirSync(join(folder, 'below'))
      await link(file, join(folder, 'below/second'))
      expect(statSync(file).nlink).toBe(2)
      await expect(link(file, join(folder, 'below/second'))).rejects.toMatchObject({ code: 'EEXIST' })
      await rename(join(folder, 'below/second'), join(folder, 'below/third'))
      expect((await readEntries(join(folder, 'below'))).map((entry) => [entry.name, entry.isFile()])).toEqual([['third', true]])
      await unlink(join(folder, 'below/third'))
      expect(readdirSync(join(folder, 'below'))).toEqual([])
    }),
  )

  it(
    'that is missing is the error of each call',
    answered(async () => {
      const none = join(folder, 'none')
      for (const call of [stat, exactStat, lstat, exactLstat, readEntries, readlink, realpath, unlink])
        await expect(call(none), call.name).rejects.toMatchObject({ code: 'ENOENT' })
      for (const call of [rename, link]) await expect(call(none, file), call.name).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(open(none, 'r')).rejects.toMatchObject({ code: 'ENOENT' })
    }),
  )
})
