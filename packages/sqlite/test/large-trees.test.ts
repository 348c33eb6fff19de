/** Large trees: a listing is one state of the tree, and the event loop goes on meanwhile. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sqliteBackend } from '../src/sqlite-backend.ts'
import { bytes, move, put, textAt, unwrap } from './support/entries.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const COUNT = 3_000
const paths = Array.from({ length: COUNT }, (_, index) => `live/${String(index).padStart(5, '0')}`)

it('lists a folder of many pages as it was at one moment, while it is moved back and forth', async () => {
  const storage = sqliteBackend(join(temporaryFolder(), 'hermes.db'))
  for (const path of paths) unwrap(await put(storage, path, 'x'))
  let listing = true
  const moves = (async () => {
    let count = 0
    for (; listing; count++) unwrap(count % 2 === 0 ? await move(storage, 'live', 'away') : await move(storage, 'away', 'live'))
    return count
  })()
  for (let round = 0; round < 5; round++) {
    const listed = unwrap(await storage.list('')).map(({ path }) => path)
    expect(listed.map((path) => path.replace('away', 'live'))).toEqual(paths)
    expect(new Set(listed.map((path) => path.split('/')[0])).size).toBe(1)
  }
  listing = false
  expect(await moves).toBeGreaterThan(1)
  await storage.close()
})

it('gives the event loop a turn between any two of many calls that were made at once', async () => {
  const storage = sqliteBackend(join(temporaryFolder(), 'hermes.db'))
  let turns = 0
  let isWriting = true
  const count = () => {
    turns += 1
    if (isWriting) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(paths.slice(0, 500).map((path) => put(storage, path, 'x')))
  isWriting = false
  expect(turns).toBeGreaterThanOrEqual(499)
  await storage.close()
})

it('lets a plan ask the same storage for something, which runs afterwards, and reads only what it asks for', async () => {
  const storage = sqliteBackend(join(temporaryFolder(), 'hermes.db'))
  let nested: Promise<unknown> | undefined
  unwrap(
    await storage.update(['doc'], () => {
      nested ??= put(storage, 'other', 'nested')
      return { put: { doc: bytes('text') }, value: 0 }
    }),
  )
  await nested
  const late = unwrap(await storage.update(['doc', 'other', 'folder/'], (cut) => ({ value: [cut, cut.document('doc')] as const })))[0]
  expect(new TextDecoder().decode(late.document('doc')?.bytes)).toBe('text')
  expect(() => late.document('other')).toThrow('The plan has ended')
  expect(() => late.list('folder/')).toThrow(TypeError)
  expect(await textAt(storage, 'doc')).toBe('text')
  expect(await textAt(storage, 'other')).toBe('nested')
  await storage.close()
})

it('refuses a move that would make a path too long, and moves nothing', async () => {
  const storage = sqliteBackend(join(temporaryFolder(), 'hermes.db'))
  const deep = Array.from({ length: 10 }, () => 'f'.repeat(90)).join('/')
  unwrap(await put(storage, `a/${deep}`, 'text'))
  unwrap(await put(storage, 'a/b', 'text'))
  const moved = await move(storage, 'a', 't'.repeat(200))
  expect(moved).toMatchObject({ ok: false, error: { code: 'invalid_path', message: expect.stringContaining('longer than') } })
  expect(unwrap(await storage.list('')).map(({ path }) => path)).toEqual(['a/b', `a/${deep}`])
  await storage.close()
})
