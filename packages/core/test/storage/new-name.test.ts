/** A document under a name that was made up for it is created without a lock, complete, durable, and over nothing. */

import { readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { readDocument, UNCHANGED, updateDocument } from '../../src/storage/one-document.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const disk: { calls: string[]; failLink?: string | undefined; failUnlink?: boolean; beforeLink?: (() => void) | undefined } = { calls: [] }

replaceFileCalls((fs) => {
  const short = (path: string): string => basename(path).replace(/^\.hermes-tmp-.*/, '*')
  return {
    open: async (path: string, ...rest: [never, never]) => {
      const handle = await fs.open(path, ...rest)
      const name = short(path)
      if (name.endsWith('.lock')) disk.calls.push('lock')
      const { sync } = handle
      return Object.assign(handle, {
        sync: async () => {
          await sync()
          disk.calls.push(`sync ${name}`)
        },
      })
    },
    unlink: async (path: string) => {
      if (disk.failUnlink) throw Object.assign(new Error('EIO'), { code: 'EIO' })
      await fs.unlink(path)
    },
    link: async (from: string, to: string) => {
      disk.beforeLink?.()
      if (disk.failLink) throw Object.assign(new Error(disk.failLink), { code: disk.failLink, syscall: 'link', errno: -1 })
      await fs.link(from, to)
      disk.calls.push(`link ${short(to)}`)
    },
    rename: async (from: string, to: string) => {
      await fs.rename(from, to)
      disk.calls.push(`rename ${short(to)}`)
    },
  }
})

afterEach(() => {
  disk.failLink = undefined
  disk.failUnlink = false
  disk.beforeLink = undefined
})

const bytes = (text: string) => new TextEncoder().encode(text)
const unlessThere = (text: string) => (current: unknown) => (current ? UNCHANGED : bytes(text))
const textOf = (updated: { ok: boolean; value?: { bytes: Uint8Array } | undefined }) => new TextDecoder().decode(updated.value?.bytes)

/** A home with the folder `day`, whose place is known. */
const setUp = async () => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home)
  await updateDocument(storage, 'day/first', () => bytes('first'))
  await readDocument(storage, 'day/first')
  disk.calls.length = 0
  const create = (name: string, text: string) => updateDocument(storage, `day/${name}`, unlessThere(text), { newName: true })
  const names = () => readdirSync(join(home, 'day')).sort()
  return { home, storage, create, names }
}

describe.runIf(process.platform === 'linux')('a document with a new name', () => {
  it('is on the disk before its name is, and its name before the answer, without a lock', async () => {
    const { storage, create, names, home } = await setUp()
    expect(textOf((await create('one', 'text')) as never)).toBe('text')
    expect(disk.calls).toEqual(['sync *', 'link one', 'sync day'])
    expect(readFileSync(join(home, 'day/one'), 'utf8')).toBe('text')
    expect(names()).toEqual(['first', 'one'])
    await storage.close()
  })

  it('leaves a document that is there all the same to the change', async () => {
    const { storage, create, names } = await setUp()
    expect(textOf((await create('first', 'other')) as never)).toBe('first')
    expect(
      textOf(
        (await updateDocument(storage, 'day/first', (now) => bytes(`${textOf({ ok: true, value: now })}+`), { newName: true })) as never,
      ),
    ).toBe('first+')
    expect(names()).toEqual(['first'])
    await storage.close()
  })

  it('is created once by several that made up the same name', async () => {
    const { home, storage, names } = await setUp()
    const others = Array.from({ length: 6 }, () => fileSystemBackend(home))
    for (const other of others) await readDocument(other, 'day/first')
    const created = await Promise.all(
      others.map((other, index) => updateDocument(other, 'day/same', unlessThere(`${index}`), { newName: true })),
    )
    const kept = readFileSync(join(home, 'day/same'), 'utf8')
    expect(created.map((each) => textOf(each as never))).toEqual(Array(6).fill(kept))
    expect(names()).toEqual(['first', 'same'])
    for (const each of [...others, storage]) await each.close()
  })

  it('does not replace what a program without locks puts there in the last moment', async () => {
    const { home, storage, create, names } = await setUp()
    disk.beforeLink = () => writeFileSync(join(home, 'day/one'), 'theirs')
    expect(textOf((await create('one', 'ours')) as never)).toBe('theirs')
    expect(readFileSync(join(home, 'day/one'), 'utf8')).toBe('theirs')
    expect(names()).toEqual(['first', 'one'])
    await storage.close()
  })

  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES', 'EXDEV', 'EMLINK'])(
    'is created under a lock if the file system answers a link with %s',
    async (code) => {
      const { storage, create, names } = await setUp()
      disk.failLink = code
      expect(textOf((await create('one', 'text')) as never)).toBe('text')
      expect(disk.calls).toEqual(['sync *', 'lock', 'sync *', 'rename one', 'sync day'])
      expect(names()).toEqual(['first', 'one'])
      await storage.close()
    },
  )

  it('is an error, with nothing left behind, if the disk fails', async () => {
    const { storage, create, names } = await setUp()
    disk.failLink = 'EIO'
    expect(await create('one', 'text')).toMatchObject({ ok: false, error: { code: 'io' } })
    expect(names()).toEqual(['first'])
    await storage.close()
  })

  it('is created although its temporary name cannot be removed', async () => {
    const { create, names, home } = await setUp()
    disk.failUnlink = true
    expect(textOf((await create('one', 'text')) as never)).toBe('text')
    expect(names().filter((name) => name !== 'first')).toEqual([expect.stringMatching(/^\.hermes-tmp-/), 'one'])
    expect(readFileSync(join(home, 'day/one'), 'utf8')).toBe('text')
  })

  it('has the bytes and the rights that the change returned', async () => {
    const { home, storage } = await setUp()
    const content = bytes('text')
    const creating = updateDocument(storage, 'day/run.sh', () => ({ bytes: content, executable: true }), { newName: true })
    disk.beforeLink = () => content.fill(0)
    expect(await creating).toMatchObject({ ok: true, value: { bytes: bytes('text'), executable: true } })
    expect(readFileSync(join(home, 'day/run.sh'), 'utf8')).toBe('text')
    expect(statSync(join(home, 'day/run.sh')).mode & 0o777).toBe(0o700)
  })

  it('is created in a new folder too, behind a link within the home, and not below a file', async () => {
    const { home, storage } = await setUp()
    const create = (path: string) => updateDocument(storage, path, unlessThere('text'), { newName: true })
    symlinkSync('day', join(home, 'link'))
    expect(await create('new/one')).toMatchObject({ ok: true })
    expect(await create('link/one')).toMatchObject({ ok: true })
    expect(await create('day/first/one')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect([readFileSync(join(home, 'new/one'), 'utf8'), readFileSync(join(home, 'day/one'), 'utf8')]).toEqual(['text', 'text'])
  })

  it('is created without a sync, under a lock, if it need not be durable, and in the same way as ever if it is said to be', async () => {
    const { storage } = await setUp()
    await updateDocument(storage, 'day/one', unlessThere('text'), { newName: true, durable: true })
    expect(disk.calls.splice(0)).toEqual(['sync *', 'link one', 'sync day'])
    await updateDocument(storage, 'day/two', unlessThere('text'), { newName: true, durable: false })
    expect(disk.calls).toEqual(['lock', 'rename two'])
  })

  it('is created in a home that nobody has looked at yet', async () => {
    const { home } = await setUp()
    const storage = fileSystemBackend(home)
    expect(await updateDocument(storage, 'day/one', unlessThere('text'), { newName: true })).toMatchObject({ ok: true })
    expect(readFileSync(join(home, 'day/one'), 'utf8')).toBe('text')
  })

  it('keeps no folder open', async () => {
    const { home, create } = await setUp()
    for (const name of ['one', 'two', 'first']) await create(name, 'text')
    const open = () =>
      readdirSync('/proc/self/fd').filter((handle) => {
        try {
          return readlinkSync(`/proc/self/fd/${handle}`).startsWith(home)
        } catch {
          return false
        }
      })
    await expect.poll(open, { interval: 1 }).toEqual([])
  })

  it('is not created if the change keeps things as they are or throws', async () => {
    const { storage, names } = await setUp()
    expect(await updateDocument(storage, 'day/one', () => UNCHANGED, { newName: true })).toEqual({ ok: true, value: undefined })
    expect(await updateDocument(storage, 'day/one', () => undefined, { newName: true })).toEqual({ ok: true, value: undefined })
    const thrown = new Error('by the change')
    const throwing = updateDocument(
      storage,
      'day/one',
      () => {
        throw thrown
      },
      { newName: true },
    )
    await expect(throwing).rejects.toBe(thrown)
    expect(names()).toEqual(['first'])
    await storage.close()
  })
})
