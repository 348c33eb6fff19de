/** Symbolic links: followed inside the home, and out of it only where people keep their dotfiles. */

import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const text = (value: string) => () => new TextEncoder().encode(value)
const at = (path: string) => readFileSync(path, 'utf8')

const homeAndOutside = () => {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  const outside = join(folder, 'dotfiles')
  mkdirSync(join(home, 'memories'), { recursive: true })
  mkdirSync(outside)
  return { home, outside, storage: fileSystemBackend(home) }
}

describe('links out of the home', () => {
  it('follows a linked memory document, keeps the link and the lock beside it', async () => {
    const { home, outside, storage } = homeAndOutside()
    writeFileSync(join(outside, 'MEMORY.md'), 'old')
    symlinkSync('../../dotfiles/MEMORY.md', join(home, 'memories/MEMORY.md'))
    expect(await storage.list('')).toMatchObject({ ok: true, value: [{ path: 'memories/MEMORY.md', size: 3 }] })
    expect(await updateDocument(storage, 'memories/MEMORY.md', text('new'))).toMatchObject({ ok: true })
    expect(readlinkSync(join(home, 'memories/MEMORY.md'))).toBe('../../dotfiles/MEMORY.md')
    expect(at(join(outside, 'MEMORY.md'))).toBe('new')
    expect(filesOnDisk(outside)).toEqual(['MEMORY.md'])
    expect(filesOnDisk(join(home, 'memories'))).toEqual(['MEMORY.md', 'MEMORY.md.lock'])
    expect(await updateDocument(storage, 'memories/MEMORY.md', () => undefined)).toMatchObject({ ok: true })
    expect(existsSync(join(outside, 'MEMORY.md'))).toBe(false)
    expect(lstatSync(join(home, 'memories/MEMORY.md')).isSymbolicLink()).toBe(true)
  })

  it('follows the folder of linked documents, for everything directly in it', async () => {
    const { home, outside } = homeAndOutside()
    const other = join(home, '../second')
    mkdirSync(other)
    symlinkSync(outside, join(other, 'memories'))
    const storage = fileSystemBackend(other)
    for (const path of ['memories/MEMORY.md', 'memories/.facts.jsonl'])
      expect(await updateDocument(storage, path, text('x'))).toMatchObject({ ok: true })
    expect(filesOnDisk(outside)).toContain('.facts.jsonl')
    expect(await storage.list('memories')).toMatchObject({ value: [{ path: 'memories/.facts.jsonl' }, { path: 'memories/MEMORY.md' }] })
    symlinkSync(join(home, '..'), join(outside, 'further'))
    expect(await readDocument(storage, 'memories/further/x')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  })

  it('opens no way to the lock files', async () => {
    const { home, storage } = homeAndOutside()
    await updateDocument(storage, 'a', text('x'))
    symlinkSync('.hermes', join(home, 'door'))
    expect(await storage.list('door')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await updateDocument(storage, 'door/log', text('x'))).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  })

  it('refuses every other way out, says which link it is, and lists the link but nothing through it', async () => {
    const { home, outside, storage } = homeAndOutside()
    mkdirSync(join(home, 'skills'))
    writeFileSync(join(outside, 'secret'), 'secret')
    symlinkSync(outside, join(home, 'skills/mine'))
    symlinkSync(join(outside, 'secret'), join(home, 'skills/file'))
    symlinkSync(join(outside, 'missing'), join(home, 'skills/dangling'))
    for (const [path, link] of [
      ['skills/mine/secret', 'skills/mine'],
      ['skills/file', 'skills/file'],
      ['skills/dangling', 'skills/dangling'],
    ] as const) {
      for (const outcome of [
        await readDocument(storage, path),
        await updateDocument(storage, path, text('x')),
        await moveDocuments(storage, path, 'taken'),
        await moveDocuments(storage, 'taken', path),
      ]) {
        expect(outcome).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
        expect(!outcome.ok && outcome.error.message).toContain(`'${link}'`)
      }
    }
    expect(await storage.list('skills/mine')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await storage.list('')).toMatchObject({
      ok: true,
      value: ['skills/dangling', 'skills/file', 'skills/mine'].map((path) => ({ path, size: 0, unreadable: 'outward-link' })),
    })
    expect(at(join(outside, 'secret'))).toBe('secret')
    expect(filesOnDisk(outside)).toEqual(['secret'])
  })

  it('follows what linkedDocuments names, and nothing else then', async () => {
    const { home, outside } = homeAndOutside()
    for (const name of ['config.yaml', 'memories/MEMORY.md']) symlinkSync(join(outside, name.replace('/', '-')), join(home, name))
    const storage = fileSystemBackend(home, { linkedDocuments: ['config.yaml'] })
    expect(await updateDocument(storage, 'config.yaml', text('a: 1'))).toMatchObject({ ok: true })
    expect(await updateDocument(storage, 'memories/MEMORY.md', text('x'))).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  })
})

describe('links inside the home', () => {
  it('follows them for every document, keeps the link, and lists both names', async () => {
    const { home, storage } = homeAndOutside()
    await updateDocument(storage, 'skills/a/SKILL.md', text('old'))
    symlinkSync('a', join(home, 'skills/b'))
    symlinkSync('a/SKILL.md', join(home, 'skills/c.md'))
    expect(await updateDocument(storage, 'skills/b/SKILL.md', text('newer'))).toMatchObject({ ok: true })
    expect(await updateDocument(storage, 'skills/c.md', text('newest'))).toMatchObject({ ok: true })
    expect(at(join(home, 'skills/a/SKILL.md'))).toBe('newest')
    expect(lstatSync(join(home, 'skills/c.md')).isSymbolicLink()).toBe(true)
    expect(await storage.list('skills')).toMatchObject({
      value: [{ path: 'skills/a/SKILL.md' }, { path: 'skills/b/SKILL.md' }, { path: 'skills/c.md' }],
    })
  })

  it('appends through them, and changes a file under one name at a time', async () => {
    const { home, storage } = homeAndOutside()
    const day = 'journal/day'
    await updateDocument(storage, day, text('one'))
    await updateDocument(storage, 'memories/MEMORY.md', text('x'))
    symlinkSync('day', join(home, 'journal/alias'))
    symlinkSync('memories/MEMORY.md', join(home, 'alias'))
    for (const name of ['one', 'two']) symlinkSync('missing', join(home, name))
    const append = (path: string) => storage.update([path], () => ({ append: { [path]: text('+')() }, value: undefined }))
    for (const path of ['journal/alias', day]) expect(await append(path)).toMatchObject({ ok: true })
    expect(at(join(home, day))).toBe('one++')
    for (const paths of [['journal/alias', day], ['alias'], ['one', 'two']]) {
      const put = Object.fromEntries(paths.map((path) => [path, text('new')()]))
      expect(await storage.update(paths, () => ({ put, value: undefined }))).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    }
    expect(await updateDocument(storage, 'one', text('new'))).toMatchObject({ ok: true })
    expect([at(join(home, day)), at(join(home, 'alias')), at(join(home, 'two'))]).toEqual(['one++', 'x', 'new'])
  })

  it('gives a typed error for links that lead in a circle, and ends a list of them', async () => {
    const { home, storage } = homeAndOutside()
    symlinkSync('b', join(home, 'a'))
    symlinkSync('a', join(home, 'b'))
    symlinkSync('..', join(home, 'memories/up'))
    expect(await readDocument(storage, 'a')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await updateDocument(storage, 'a/x', text('x'))).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    await updateDocument(storage, 'memories/MEMORY.md', text('x'))
    expect(await storage.list('')).toMatchObject({ ok: true, value: [{ path: 'memories/MEMORY.md' }] })
  })

  it('refuses to move a link away from what it leads to', async () => {
    const { home, storage } = homeAndOutside()
    await updateDocument(storage, 'real', text('x'))
    symlinkSync('real', join(home, 'link'))
    expect(await moveDocuments(storage, 'link', 'deep/er/link')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await moveDocuments(storage, 'real', 'link')).toMatchObject({ ok: false, error: { code: 'occupied' } })
    expect(at(join(home, 'link'))).toBe('x')
  })
})

it('takes a home that is itself a link, dangling or not', async () => {
  const folder = temporaryFolder()
  symlinkSync('real-home', join(folder, 'home'))
  const storage = fileSystemBackend(join(folder, 'home'))
  expect(await updateDocument(storage, 'memories/MEMORY.md', text('x'))).toMatchObject({ ok: true })
  expect(at(join(folder, 'real-home/memories/MEMORY.md'))).toBe('x')
  expect(await readDocument(storage, 'memories/MEMORY.md')).toMatchObject({ ok: true, value: { bytes: text('x')() } })
})
