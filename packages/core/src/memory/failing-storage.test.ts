/** A storage that fails: nothing is changed, the error says what failed, and no model is told to stop retrying for it. */

import { describe, expect, it } from 'vitest'
import { HermesError, type HermesErrorCode } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { Cut, Paths, StorageBackend } from '../storage/storage-backend.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
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

/** Fails the calls that name a path that fits, or with `document` the look at such a document within them. */
const failing = (
  storage: StorageBackend,
  call: 'read' | 'update' | 'list' | 'document',
  path: RegExp,
  code: HermesErrorCode = 'io',
): StorageBackend => {
  const error = new HermesError(code, 'The disk failed.', { cause: 'EIO', details: { from: 'disk' } })
  const failed = err(error)
  const broken = (cut: Cut): Cut => ({
    ...cut,
    document: (at) => {
      if (path.test(at)) throw error
      return cut.document(at)
    },
  })
  const fails = (name: typeof call, paths: Paths) => call === name && paths.some((at) => path.test(at))
  const isBroken = call === 'document'
  return {
    ...storage,
    read: async (paths) => {
      const cut = fails('read', paths) ? failed : await storage.read(paths)
      return cut.ok && isBroken ? ok(broken(cut.value)) : cut
    },
    update: async (paths, plan, options) =>
      fails('update', paths) ? failed : storage.update(paths, isBroken ? (cut) => plan(broken(cut)) : plan, options),
    list: async (at) => (call === 'list' && path.test(at) ? failed : storage.list(at)),
  }
}

const MEMORY = /MEMORY\.md$/
const FACTS = /\.facts\.jsonl$/

type Failure = {
  readonly what: string
  readonly code: HermesErrorCode
  readonly broken: (storage: StorageBackend) => StorageBackend
  readonly drift?: true
}

const FAILURES: readonly Failure[] = [
  { what: 'reading the entries', code: 'unreadable', broken: (storage) => failing(storage, 'document', MEMORY) },
  { what: 'reading whose the entries are', code: 'unreadable', broken: (storage) => failing(storage, 'document', FACTS) },
  { what: 'listing copies of the file', code: 'io', broken: (storage) => failing(storage, 'list', /^memories$/), drift: true },
  { what: 'writing', code: 'io', broken: (storage) => failing(storage, 'update', MEMORY) },
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
  const store = new MemoryStore({ storage: failing(await fullStorage(), 'document', MEMORY, from) })
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

it.each([
  [7, 'invalid', 'text must be text.'],
  [' ', 'empty', 'oldText is missing'],
])('refuses to pin %j', async (text, code, words) => {
  const store = new MemoryStore({ storage: await fullStorage() })
  const done = await Reflect.apply(store.pin, store, ['memory', text])
  expect(done).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(words) } })
})
