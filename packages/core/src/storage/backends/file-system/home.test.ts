/** What the operations on one home share: where paths lead, the locks, and what is done once. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { filesOnDisk, temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { expandHome, type HomeOptions, openHome } from './home.ts'

let root: string

beforeEach(() => {
  root = join(temporaryFolder(), 'home')
  mkdirSync(root)
})

const open = (folder = root, { lock, ...others }: Partial<Omit<HomeOptions, 'lock'>> & { lock?: Partial<HomeOptions['lock']> } = {}) =>
  openHome(folder, {
    linkedDocuments: [],
    permissions: 'keep',
    lock: { timeoutMs: 0, kind: 'auto', warn: () => undefined, random: () => 0, clock: () => 0, ...lock },
    ...others,
  })

it.each([
  ['~', homedir()],
  ['~/a', join(homedir(), 'a')],
  ['~\\a', join(homedir(), '\\a')],
  ['~a', join(process.cwd(), '~a')],
  ['a/~', join(process.cwd(), 'a/~')],
  ['a~/b', join(process.cwd(), 'a~/b')],
  ['/a/../b', '/b'],
])('%s is the folder %s', (home, expected) => {
  expect(expandHome(home)).toBe(expected)
})

it('is identical to another home with the same folder and options, and to no other', () => {
  const { identity } = open(root)
  expect(open(`${root}/../home`).identity).toBe(identity)
  for (const [folder, options] of [
    [`${root}-2`, {}],
    [root, { linkedDocuments: ['config.yaml'] }],
    [root, { permissions: 'private' }],
    [root, { lock: { kind: 'exclusive-file' } }],
    [root, { lock: { timeoutMs: 1 } }],
  ] as const)
    expect(open(folder, options).identity).not.toBe(identity)
})

it('tells its options', () => {
  const clock = () => 5
  expect(open(root, { lock: { timeoutMs: 7, clock } })).toMatchObject({ root, lockTimeoutMs: 7, clock, blocksToRead: false })
  expect(open(root, { blocksToRead: true })).toMatchObject({ blocksToRead: true })
})

describe('the place of a path', () => {
  it.runIf(process.platform === 'linux')('is expected once a path without links has told where the home is', async () => {
    symlinkSync('home', join(root, '../link'))
    symlinkSync('a', join(root, 'b'))
    writeFileSync(join(root, 'a'), 'x')
    const way = join(root, '../link')
    const home = open(way)
    const place = { way: join(way, 'deep/er'), file: join(root, 'deep/er') }
    expect(await home.expect('deep/er')).toBeUndefined()
    expect(home.expectNow('deep/er')).toBeUndefined()
    // A path with a link tells nothing.
    expect(await home.resolve('b')).toMatchObject({ ok: true, value: { isStraight: false } })
    symlinkSync('..', join(root, 'out'))
    expect(await home.resolve('out')).toMatchObject({ ok: false })
    expect(await home.expect('deep/er')).toBeUndefined()
    await home.resolve('a')
    expect(home.expectNow('deep/er')).toEqual(place)
    expect(await home.expect('deep/er')).toEqual(place)
    expect(open(way).expectNow('deep/er')).toBeUndefined()
  })

  it.runIf(process.platform === 'linux')('is not expected without waiting before the system has been asked once', async () => {
    writeFileSync(join(root, 'a'), 'x')
    const home = open()
    await home.resolve('a')
    expect(home.expectNow('a')).toBeUndefined()
    await home.expect('a')
    expect(home.expectNow('a')).toEqual({ way: join(root, 'a'), file: join(root, 'a') })
  })

  it.runIf(process.platform === 'linux')('is expected in a home that is the root of the disk', async () => {
    const home = open('/')
    await home.resolve('etc')
    expect(await home.expect('etc/hostname')).toEqual({ way: '/etc/hostname', file: '/etc/hostname' })
  })

  it('may lead out at linked documents alone', async () => {
    mkdirSync(join(root, '../outside'))
    symlinkSync('../outside', join(root, 'memories'))
    expect(await open().resolve('memories/a')).toMatchObject({ ok: false })
    expect(await open(root, { linkedDocuments: ['memories/MEMORY.md'] }).resolve('memories/a')).toMatchObject({ ok: true })
  })
})

describe('the lock files', () => {
  it('are in the real folders of their names', async () => {
    mkdirSync(join(root, 'real'))
    symlinkSync('real', join(root, 'memories'))
    expect(await open().lockFiles(['memories/MEMORY.md.lock', '.locks/00.lock', 'top.lock', '.locks/01.lock'])).toEqual({
      ok: true,
      value: ['real/MEMORY.md.lock', '.locks/00.lock', 'top.lock', '.locks/01.lock'].map((name) => join(root, name)),
    })
    expect(await open().lockFiles([])).toEqual({ ok: true, value: [] })
  })

  it('are refused behind a link out of the home, and then none is taken', async () => {
    mkdirSync(join(root, '../outside'))
    symlinkSync('../outside', join(root, '.locks'))
    const refused = { ok: false, error: { code: 'invalid_path', details: { link: '.locks' } } }
    expect(await open().lockFiles(['a.lock', '.locks/00.lock'])).toMatchObject(refused)
    expect(await open().acquire(['a.lock', '.locks/00.lock'])).toMatchObject(refused)
    expect(filesOnDisk(join(root, '..')).sort()).toEqual(['home', 'home/.locks', 'outside'])
  })

  it('are taken by their names, or by the paths that were found for them', async () => {
    const home = open()
    const named = await home.acquire(['a.lock', 'deep/b.lock'])
    expect(named).toMatchObject({ ok: true })
    expect(filesOnDisk(root)).toEqual(expect.arrayContaining(['a.lock', 'deep', 'deep/b.lock']))
    const file = join(root, 'deep/b.lock')
    expect(await home.acquireNow(file)).toBeUndefined()
    expect(await home.acquireOne(file, () => undefined)).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(await home.acquire([], [file])).toMatchObject({ ok: false, error: { code: 'locked' } })
    if (named.ok) await named.value.release()
    const now = await home.acquireNow(file)
    expect(now).toBeDefined()
    await now?.release()
  })

  it('tell a caller that waits when one of them is taken', async () => {
    let taken = 0
    const held = await open().acquireOne(join(root, 'a.lock'), () => taken++)
    expect([held.ok, taken]).toEqual([true, 1])
    if (held.ok) await held.value.release()
  })
})

describe('a folder of linked documents', () => {
  it('is swept once, before the first write to it; one that is missing has nothing to sweep', async () => {
    const outside = join(root, '../outside')
    mkdirSync(outside)
    const litter = join(outside, '.hermes-tmp-1-elsewhere-a-1')
    const leave = () => {
      writeFileSync(litter, '')
      utimesSync(litter, 0, 0)
    }
    leave()
    const home = open()
    await home.sweepOnce(outside)
    expect(existsSync(litter)).toBe(false)
    leave()
    await home.sweepOnce(outside)
    expect(existsSync(litter)).toBe(true)
    await home.sweepOnce(join(root, 'none'))
    writeFileSync(join(root, 'file'), 'x')
    await expect(home.sweepOnce(join(root, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('x')
  })
})
