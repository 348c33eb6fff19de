/** Where a path of the home leads, through links and where nothing is yet. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { linkedPlaces, locatePath, realLocation, resolvePath } from './resolve-path.ts'

let parent: string
let home: string
const NONE: ReadonlySet<string> = new Set()

beforeEach(() => {
  parent = temporaryFolder()
  home = join(parent, 'home')
  mkdirSync(join(home, 'a/b'), { recursive: true })
  writeFileSync(join(home, 'a/document'), 'x')
})

const link = (target: string, ...path: readonly string[]) => symlinkSync(target, join(home, ...path))

const ordinary = { isLink: false, isStraight: true, isMissing: false, blocked: undefined }
const walked = { ...ordinary, isStraight: false }

it('allows links at the documents it is given and at their folders', () => {
  expect([...linkedPlaces(['config.yaml', 'memories/MEMORY.md', 'a/b/c'])].sort()).toEqual([
    'a/b',
    'a/b/c',
    'config.yaml',
    'memories',
    'memories/MEMORY.md',
  ])
  expect(linkedPlaces([]).size).toBe(0)
})

describe('the real location', () => {
  it('of what exists is without links', async () => {
    link('a', 'link')
    expect(await realLocation(join(home, 'link/document'))).toBe(join(home, 'a/document'))
  })

  it('of what does not exist yet is where it would be created', async () => {
    link('a/new', 'dangling')
    link('dangling', 'second')
    link(join(parent, 'other'), 'absolute')
    for (const [path, target] of [
      ['none', 'none'],
      ['none/deep/er', 'none/deep/er'],
      ['dangling', 'a/new'],
      ['second', 'a/new'],
      ['second/below', 'a/new/below'],
      ['absolute/below', '../other/below'],
    ] as const)
      expect(await realLocation(join(home, path)), path).toBe(join(home, target))
    expect(await realLocation('/none-at-the-root-of-the-disk')).toBe('/none-at-the-root-of-the-disk')
  })

  it('is not found behind a document or in a circle of links', async () => {
    link('two', 'one')
    link('one', 'two')
    await expect(realLocation(join(home, 'one'))).rejects.toMatchObject({ code: 'ELOOP' })
    await expect(realLocation(join(home, 'a/document/below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it('is given up after 40 links, where the system does not see that they lead in a circle', async () => {
    link('none/../circle', 'circle')
    await expect(realLocation(join(home, 'circle'))).rejects.toMatchObject({ code: 'ENOENT' })
    link('a/new', 'link-1')
    for (let index = 2; index <= 41; index++) link(`none/../link-${index - 1}`, `link-${index}`)
    expect(await realLocation(join(home, 'link-40'))).toBe(join(home, 'a/new'))
    await expect(realLocation(join(home, 'link-41'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('a path of the home', () => {
  const locate = async (path: string, linked: ReadonlySet<string> = NONE) => {
    const located = await locatePath(home, path, linked)
    return located.ok ? located.value : { code: located.error.code, ...located.error.details }
  }

  it('without links is straight, be there something or not', async () => {
    expect(await locate('a/document')).toEqual({ ...ordinary, file: join(home, 'a/document'), canonical: 'a/document' })
    expect(await locate('a/b')).toEqual({ ...ordinary, file: join(home, 'a/b'), canonical: 'a/b' })
    expect(await locate('a/none')).toEqual({ ...ordinary, file: join(home, 'a/none'), canonical: 'a/none', isMissing: true })
  })

  it('is not known to be missing, nor straight, if its folder is missing', async () => {
    expect(await locate('none/deep')).toEqual({ ...walked, file: join(home, 'none/deep'), canonical: 'none/deep' })
  })

  it('is the home itself if it is empty', async () => {
    expect(await locate('')).toEqual({ ...walked, file: home, canonical: '' })
  })

  it('is found in a home that is a link or does not exist yet', async () => {
    symlinkSync('home', join(parent, 'link'))
    const real = { ...ordinary, file: join(home, 'a/document'), canonical: 'a/document' }
    expect(await locatePath(join(parent, 'link'), 'a/document', NONE)).toEqual({ ok: true, value: real })
    const none = { ...walked, file: join(parent, 'none/a'), canonical: 'a' }
    expect(await locatePath(join(parent, 'none'), 'a', NONE)).toEqual({ ok: true, value: none })
  })

  it('is blocked by a document in the place of one of its folders', async () => {
    link('a/document', 'link')
    const found = await locate('a/document/deep/er')
    expect(found).toEqual({
      ...walked,
      file: join(home, 'a/document/deep/er'),
      canonical: 'a/document/deep/er',
      blocked: expect.anything(),
    })
    expect(found).toMatchObject({ blocked: { code: 'invalid_path', message: expect.stringContaining("'a/document' is a document") } })
    expect(await locate('link/below')).toMatchObject({
      file: join(home, 'a/document/below'),
      canonical: 'link/below',
      isLink: false,
      blocked: { message: expect.stringContaining("'link' is a document") },
    })
  })

  it('below a pipe is nothing', async () => {
    if (spawnSync('mkfifo', [join(home, 'pipe')]).status !== 0) return
    expect(await locate('pipe/below')).toEqual({ ...walked, file: join(home, 'pipe/below'), canonical: 'pipe/below' })
  })

  it('leads through links inside the home to one canonical path', async () => {
    link('a', 'folder')
    link('../document', 'a/b/up')
    link('a/new', 'dangling')
    link('.', 'self')
    for (const [path, canonical, isLink] of [
      ['folder/document', 'a/document', false],
      ['folder/b/up', 'a/document', true],
      ['folder/none/deep', 'a/none/deep', false],
      ['folder', 'a', true],
      ['dangling', 'a/new', true],
      ['dangling/below', 'a/new/below', false],
      ['self/self/a/document', 'a/document', false],
      ['self', '', true],
    ] as const)
      expect(await locate(path), path).toEqual({ ...walked, file: join(home, canonical), canonical, isLink })
  })

  it.each([
    ['beside the home', '../outside'],
    ['with a name that begins like the home', '../home-2'],
    ['above the home', '..'],
    ['far away', '/'],
    ['that does not exist', '../none/deep'],
  ])('is refused if a link leads out of the home, to a folder %s', async (_, target) => {
    for (const folder of ['outside', 'home-2']) mkdirSync(join(parent, folder))
    const real = resolve(home, target)
    link(real, 'a/out')
    const refused = { code: 'invalid_path', link: 'a/out', target: real }
    expect(await locate('a/out')).toEqual(refused)
    expect(await locate('a/out/below')).toEqual(refused)
  })

  it('may lead into a folder of the home whose name begins with two dots', async () => {
    mkdirSync(join(home, '..data'))
    link('..data', 'current')
    expect(await locate('current/x')).toMatchObject({ file: join(home, '..data/x'), canonical: '..data/x' })
  })

  it('may lead out at a linked document, and from there no further', async () => {
    const outside = join(parent, 'outside')
    mkdirSync(outside)
    mkdirSync(join(parent, 'further'))
    writeFileSync(join(outside, 'USER.md'), 'x')
    link(outside, 'memories')
    symlinkSync('USER.md', join(outside, 'inside'))
    symlinkSync('../further', join(outside, 'further'))
    symlinkSync(join(home, 'a/document'), join(outside, 'back'))
    const linked = linkedPlaces(['memories/MEMORY.md'])
    expect(await locate('memories', linked)).toEqual({ ...walked, file: outside, canonical: undefined, isLink: true })
    expect(await locate('memories/USER.md', linked)).toEqual({ ...walked, file: join(outside, 'USER.md'), canonical: undefined })
    expect(await locate('memories/inside', linked)).toMatchObject({ file: join(outside, 'USER.md'), isLink: true })
    expect(await locate('memories/back', linked)).toMatchObject({ file: join(home, 'a/document'), canonical: 'a/document', isLink: true })
    expect(await locate('memories/USER.md/below', linked)).toMatchObject({ blocked: { code: 'invalid_path' } })
    expect(await locate('memories/further', linked)).toMatchObject({ link: 'memories/further', target: join(parent, 'further') })
    expect(await locate('memories/further/x', linked)).toMatchObject({ link: 'memories/further' })
  })

  it('keeps the error of the system for a circle of links and for a name that is too long', async () => {
    link('two', 'one')
    link('one', 'two')
    await expect(locatePath(home, 'one/x', NONE)).rejects.toMatchObject({ code: 'ELOOP' })
    await expect(locatePath(home, 'x'.repeat(300), NONE)).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
  })
})

describe('a document', () => {
  it('is no file of the back end itself, by whatever path', async () => {
    mkdirSync(join(home, '.locks'))
    link('.locks', 'door')
    for (const path of ['.locks/00.lock', 'door/00.lock', 'door'])
      expect(await resolvePath(home, path, NONE), path).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await locatePath(home, '.locks/00.lock', NONE)).toMatchObject({ ok: true, value: { canonical: '.locks/00.lock' } })
    link('..', 'out')
    expect(await resolvePath(home, 'out/x', NONE)).toMatchObject({ ok: false, error: { details: { link: 'out' } } })
  })

  it('may be anywhere else, also outside where that is allowed, and where a document is in the way', async () => {
    link(dirname(home), 'memories')
    for (const path of ['a/document', 'a/document/.hermes-tmp-x', 'memories/x'])
      expect(await resolvePath(home, path, linkedPlaces(['memories/x'])), path).toMatchObject({ ok: true })
  })
})
