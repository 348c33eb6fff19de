/** What counts as a document below a folder. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import type { ReadableHome } from './readable-home.ts'
import { resolvePath } from './resolve-path.ts'
import { holdsDocuments, type WalkedDocument, walkDocuments } from './walk-documents.ts'

let root: string

beforeEach(() => {
  root = join(temporaryFolder(), 'home')
  mkdirSync(root)
})

const put = (...paths: readonly string[]) => {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), path)
  }
}

const homeOf = (others: Partial<ReadableHome> = {}): ReadableHome => ({
  resolve: (path) => resolvePath(root, path, new Set()),
  ...others,
})

const walk = async (others: Partial<ReadableHome> = {}, prefix = '') => {
  const documents: WalkedDocument[] = []
  for await (const some of walkDocuments(homeOf(others), prefix, join(root, prefix))) documents.push(...some)
  return documents.sort((a, b) => (a.path < b.path ? -1 : 1))
}

const pathsOf = async (others: Partial<ReadableHome> = {}, prefix = '') =>
  (await walk(others, prefix)).map(({ path, unreadable }) => (unreadable === undefined ? path : `${path} (${unreadable})`))

describe('a list', () => {
  it('has every document with its size and times, and no folder', async () => {
    put('a', 'b/c', 'b/d/e')
    mkdirSync(join(root, 'b/empty'))
    const { dev, ino, mtimeNs, ctimeNs } = statSync(join(root, 'b/c'), { bigint: true })
    const documents = await walk()
    expect(documents.map(({ path }) => path)).toEqual(['a', 'b/c', 'b/d/e'])
    expect(documents[1]).toEqual({
      path: 'b/c',
      size: 3,
      stamp: `${dev}:${ino}:3:${mtimeNs}:${ctimeNs}`,
      changedAt: Number(ctimeNs / 1_000_000n),
    })
    expect(await pathsOf({}, 'b/d')).toEqual(['b/d/e'])
  })

  it('has none of the files of the back end, at any depth, nor what it is told to ignore', async () => {
    put('a', '.locks/00.lock', 'b/.hermes-tmp-1-x', 'b/.mem_x.tmp', 'memories/MEMORY.md.lock', 'b/.git/config', 'b/git', 'c/ignored/x')
    expect(await pathsOf()).toEqual(['a', 'b/.git/config', 'b/git', 'c/ignored/x'])
    const ignoresFolder = (name: string) => name === '.git' || name === 'ignored' || name === 'a'
    expect(await pathsOf({ ignoresFolder })).toEqual(['a', 'b/git'])
  })

  it('follows links inside the home once, and reports those that lead out', async () => {
    put('a/b/c', 'a/d')
    symlinkSync('a/d', join(root, 'file'))
    symlinkSync('a/b', join(root, 'folder'))
    symlinkSync('../..', join(root, 'a/b/up'))
    symlinkSync('none', join(root, 'dangling'))
    symlinkSync('.locks', join(root, 'locks'))
    symlinkSync('/etc/hostname', join(root, 'a/out'))
    symlinkSync('circle', join(root, 'circle'))
    expect(await pathsOf()).toEqual(['a/b/c', 'a/d', 'a/out (outward-link)', 'file', 'folder/c'])
    expect((await walk()).find(({ path }) => path === 'file')).toMatchObject({ size: 3 })
    expect((await walk()).find(({ path }) => path === 'a/out')).toEqual({
      path: 'a/out',
      size: 0,
      stamp: '',
      unreadable: 'outward-link',
      changedAt: 0,
    })
  })

  it('reports names that no document may have, each under a name of its own', async () => {
    put('a/ok', 'a/x%3A', 'a/x:', 'a/y:/below', 'a/real \ufffd')
    writeFileSync(Buffer.concat([Buffer.from(`${root}/a/`), Buffer.of(0x61, 0xff)]), 'x')
    put('c/only:')
    mkdirSync(join(root, 'b'))
    symlinkSync('ok', join(root, 'b/link:'))
    expect(await pathsOf()).toEqual([
      'a/a\ufffd (unnamed-file)',
      'a/ok',
      'a/real \ufffd',
      'a/x%3A',
      'a/x%3A~2 (unnamed-file)',
      'a/y%3A (unnamed-folder)',
      'b/link%3A (unnamed-file)',
      'c/only%3A (unnamed-file)',
    ])
    if (spawnSync('mkfifo', [join(root, 'p:')]).status === 0) expect(await pathsOf()).toHaveLength(8)
  })

  it('has no pipe', async () => {
    put('a')
    if (spawnSync('mkfifo', [join(root, 'pipe')]).status === 0) expect(await pathsOf()).toEqual(['a'])
  })

  it('is empty for a folder that is missing or is none', async () => {
    put('a')
    expect(await pathsOf({}, 'none')).toEqual([])
    expect(await pathsOf({}, 'a')).toEqual([])
  })

  it('has every document of a folder of many, and of many folders', async () => {
    const paths = Array.from({ length: 70 }, (_, index) => `many/${index}`).concat(Array.from({ length: 20 }, (_, index) => `f${index}/x`))
    put(...paths)
    expect(await pathsOf()).toEqual(paths.toSorted())
  })

  it.runIf(process.getuid?.() === 0)('reports a folder that may not be entered, but fails for the home itself', async () => {
    put('a/x', 'b', 'c/closed/x')
    for (const closed of ['a', 'c/closed']) chmodSync(join(root, closed), 0)
    try {
      process.seteuid?.(65_534)
      chmodTo(0o755)
      expect(await pathsOf()).toEqual(['a (closed-folder)', 'b', 'c/closed (closed-folder)'])
      expect(await holdsDocuments(homeOf(), 'c', join(root, 'c'))).toBe(true)
      chmodTo(0)
      await expect(walk()).rejects.toMatchObject({ code: 'EACCES' })
    } finally {
      process.seteuid?.(0)
    }
  })
})

describe.runIf(process.getuid?.() === 0)('a folder whose files may not be looked at', () => {
  it.each(['x', 'x\ufffd'])('fails the list, with the file %j', async (name) => {
    put(`a/${name}`)
    chmodSync(join(root, 'a'), 0o744)
    try {
      process.seteuid?.(65_534)
      chmodTo(0o755)
      await expect(walk()).rejects.toMatchObject({ code: 'EACCES' })
    } finally {
      process.seteuid?.(0)
    }
  })
})

/** As the owner, whoever the process is at the moment. */
const chmodTo = (mode: number) => {
  const user = process.geteuid?.() ?? 0
  process.seteuid?.(0)
  chmodSync(dirname(root), 0o755)
  chmodSync(root, mode)
  process.seteuid?.(user)
}

describe('what changes during the list', () => {
  const names = Array.from({ length: 40 }, (_, index) => `a/${index}`)

  it.each([
    ['removed', () => undefined],
    ['replaced by a document', () => put('a')],
  ])('is left out: files whose folder is %s', async (_, replace) => {
    for (const name of names) {
      put(name)
      symlinkSync('/etc/hostname', join(root, `${name}-link`))
    }
    let gone = false
    const resolve: ReadableHome['resolve'] = (path) => {
      if (!gone) rmSync(join(root, 'a'), { recursive: true })
      if (!gone) replace()
      gone = true
      return resolvePath(root, path, new Set())
    }
    expect((await walk({ resolve })).filter(({ unreadable }) => unreadable === undefined).length).toBeLessThan(40)
  })

  it('is left out: a folder that is removed before it is read', async () => {
    put('a/x')
    const lists = walkDocuments(homeOf(), '', root)
    await lists.next()
    rmSync(join(root, 'a'), { recursive: true })
    expect(await lists.next()).toMatchObject({ value: [] })
  })
})

it('throws what is no error of the system', async () => {
  symlinkSync('none', join(root, 'link'))
  const resolve = () => Promise.reject(new TypeError('a fault'))
  await expect(walk({ resolve })).rejects.toThrow('a fault')
})
