/** A storage that fails: nothing is changed, the error says what failed, and no model is told to stop retrying for it. */

import { describe, expect, it } from 'vitest'
import { HermesError, type HermesErrorCode } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { MEMORY_PATHS, PROVENANCE_PATH } from '../storage/storage-paths.ts'
import type { MemoryOp } from './memory-op.ts'
import { MemoryStore } from './memory-store.ts'

const NOON = Date.UTC(2026, 0, 1, 12)
const ORIGINAL = ['a', 'b', 'c'].map((letter) => letter.repeat(10))
const LIMIT = 36

const add = (content: string): MemoryOp => ({ action: 'add', content })
const bytes = (text: string) => new TextEncoder().encode(text)

/** Three entries of the user, which fill the store. */
const fullStorage = async () => {
  const storage = inMemoryBackend()
  const store = new MemoryStore({ storage, memoryCharLimit: LIMIT })
  for (const content of ORIGINAL) await store.apply('memory', add(content), { origin: 'user' })
  return storage
}

/** Fails the calls with a path that fits. */
const failing = (storage: StorageBackend, call: 'read' | 'update' | 'list', path: RegExp, code: HermesErrorCode = 'io'): StorageBackend => {
  const failed = err(new HermesError(code, 'The disk failed.', { cause: 'EIO', details: { from: 'disk' } }))
  return {
    ...storage,
    read: async (paths) => (call === 'read' && paths.some((at) => path.test(at)) ? failed : storage.read(paths)),
    update: async (paths, plan, options) =>
      call === 'update' && paths.some((at) => path.test(at)) ? failed : storage.update(paths, plan, options),
    list: async (at) => (call === 'list' && path.test(at) ? failed : storage.list(at)),
  }
}

const MEMORY = /MEMORY\.md$/
const PROVENANCE = /\.provenance\.json$/
const BACKUP = /\.bak\./
const ARCHIVE = /\.archive\//

type Failure = {
  readonly what: string
  readonly code: HermesErrorCode
  readonly broken: (storage: StorageBackend) => StorageBackend
  readonly drift?: true
}

const FAILURES: readonly Failure[] = [
  { what: 'reading the entries', code: 'unreadable', broken: (storage) => failing(storage, 'read', MEMORY) },
  { what: 'reading whose the entries are', code: 'io', broken: (storage) => failing(storage, 'read', PROVENANCE) },
  { what: 'recording whose the entry is', code: 'io', broken: (storage) => failing(storage, 'update', PROVENANCE) },
  { what: 'archiving the entry that makes room', code: 'io', broken: (storage) => failing(storage, 'update', ARCHIVE) },
  { what: 'listing copies of the file', code: 'io', broken: (storage) => failing(storage, 'list', /^memories$/), drift: true },
  { what: 'copying the file before it is tidied', code: 'io', broken: (storage) => failing(storage, 'update', BACKUP), drift: true },
  { what: 'writing the entries', code: 'io', broken: (storage) => failing(storage, 'update', MEMORY) },
]

describe.each(FAILURES)('$what', ({ code, broken, drift }) => {
  it('changes nothing, and is never answered with the cap on retries', async () => {
    const storage = await fullStorage()
    if (drift) await updateDocument(storage, MEMORY_PATHS.memory, () => bytes(`${ORIGINAL.join('\n\n§\n')}\n`))
    const before = await readDocument(storage, MEMORY_PATHS.memory)
    const store = new MemoryStore({ storage: broken(storage), memoryCharLimit: LIMIT, whenFull: 'evict', clock: () => NOON })
    for (let attempt = 0; attempt < 5; attempt++) {
      const done = await store.apply('memory', [add('d'.repeat(10))], { origin: 'user' })
      expect(done.ok ? 'ok' : done.error.code).toBe(code)
      expect(JSON.stringify(done.ok || [done.error.cause, done.error.details])).toMatch(/EIO|disk|memories/)
    }
    expect(await readDocument(storage, MEMORY_PATHS.memory)).toEqual(before)
  })
})

it.each([
  ['io', 'unreadable'],
  ['unwritable', 'unreadable'],
  ['closed', 'closed'],
] as const)('tells a file that cannot be read (%s) from a storage that cannot be asked (%s)', async (from, to) => {
  const store = new MemoryStore({ storage: failing(await fullStorage(), 'read', MEMORY, from) })
  const done = await store.current('memory')
  expect(done).toMatchObject({ ok: false, error: { code: to } })
  if (to === 'unreadable') expect(done).toMatchObject({ error: { cause: { code: from }, details: { path: MEMORY_PATHS.memory } } })
})

it('names the path of a file that is not text, with the reason', async () => {
  const storage = inMemoryBackend()
  await updateDocument(storage, MEMORY_PATHS.memory, () => Uint8Array.of(0xff))
  const done = await new MemoryStore({ storage }).current('memory')
  expect(done).toMatchObject({ ok: false, error: { code: 'unreadable', cause: expect.any(Error), details: { path: MEMORY_PATHS.memory } } })
})

it('passes on why an entry that would go could not be archived', async () => {
  const store = new MemoryStore({ storage: failing(await fullStorage(), 'update', ARCHIVE) })
  const done = await store.apply('memory', { action: 'remove', oldText: 'a' })
  expect(done).toMatchObject({ ok: false, error: { code: 'io', cause: 'EIO', details: { from: 'disk' } } })
})

it('names what failed if no copy could be made of a file that a change could lose', async () => {
  const storage = inMemoryBackend()
  await updateDocument(storage, MEMORY_PATHS.memory, () => bytes('x'.repeat(50)))
  const store = new MemoryStore({ storage: failing(storage, 'update', BACKUP), memoryCharLimit: 20 })
  const done = await store.apply('memory', { action: 'remove', oldText: 'x' })
  expect(done).toMatchObject({ ok: false, error: { code: 'drift', cause: { code: 'io' }, details: { entryChars: 50, charLimit: 20 } } })
})

it('answers a change that cannot be planned in the same words, whether or not entries may make room', async () => {
  const storage = await fullStorage()
  await updateDocument(storage, PROVENANCE_PATH, () => bytes('{'))
  const store = new MemoryStore({ storage, memoryCharLimit: LIMIT, whenFull: 'evict' })
  const missing = await store.apply('memory', [{ action: 'remove', oldText: 'z' }])
  expect(missing).toMatchObject({ ok: false, error: { code: 'not_found' } })
})

it('keeps every old copy of a file if the new one cannot be written', async () => {
  const storage = inMemoryBackend()
  const copies = [1, 2, 3, 4, 5].map((second) => `${MEMORY_PATHS.memory}.bak.${second}`)
  for (const path of copies) await updateDocument(storage, path, () => bytes(path))
  await updateDocument(storage, MEMORY_PATHS.memory, () => bytes('a\n\n§\nb'))
  const store = new MemoryStore({ storage: failing(storage, 'update', /\.bak\.\d{6}/), clock: () => NOON })
  expect(await store.apply('memory', add('c'))).toMatchObject({ ok: false, error: { code: 'io' } })
  const listed = await storage.list('memories')
  expect(listed.ok && listed.value.map(({ path }) => path)).toEqual([MEMORY_PATHS.memory, ...copies])
})

it('reports an archive that cannot be read', async () => {
  const storage = await fullStorage()
  const store = new MemoryStore({ storage })
  await store.apply('memory', { action: 'remove', oldText: 'a' })
  const listed = await store.archived('memory')
  const id = listed.ok ? (listed.value[0]?.id ?? '') : ''
  expect(await new MemoryStore({ storage: failing(storage, 'list', ARCHIVE) }).archived()).toMatchObject({
    ok: false,
    error: { code: 'io' },
  })
  expect(await new MemoryStore({ storage: failing(storage, 'read', MEMORY) }).archived('memory')).toMatchObject({
    ok: false,
    error: { code: 'unreadable' },
  })
  expect(await new MemoryStore({ storage: failing(storage, 'read', ARCHIVE) }).restore(id)).toMatchObject({
    ok: false,
    error: { code: 'io' },
  })
})

it('pins nothing, and says so, if the storage fails before or while the pin is written', async () => {
  for (const [call, path, code] of [
    ['read', MEMORY, 'unreadable'],
    ['update', PROVENANCE, 'io'],
  ] as const) {
    const pinned: unknown[] = []
    const storage = failing(await fullStorage(), call, path)
    const store = new MemoryStore({ storage, onPin: async (pin) => void pinned.push(pin) })
    expect(await store.pin('memory', ORIGINAL[0] ?? '')).toMatchObject({ ok: false, error: { code } })
    expect(pinned).toEqual([])
  }
})

it('does not call an entry pinned if it cannot be seen whether it is still there', async () => {
  const storage = await fullStorage()
  let reads = 0
  const later: StorageBackend = {
    ...storage,
    read: (paths) =>
      paths.some((path) => MEMORY.test(path)) && ++reads > 1 ? failing(storage, 'read', MEMORY).read(paths) : storage.read(paths),
  }
  const store = new MemoryStore({ storage: later })
  expect(await store.pin('memory', ORIGINAL[0] ?? '')).toMatchObject({ ok: false, error: { code: 'unreadable' } })
})

it.each([
  [7, 'invalid', 'text must be text.'],
  [' ', 'empty', 'oldText is missing'],
])('refuses to pin %j', async (text, code, words) => {
  const store = new MemoryStore({ storage: await fullStorage() })
  const done = await Reflect.apply(store.pin, store, ['memory', text])
  expect(done).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(words) } })
})
