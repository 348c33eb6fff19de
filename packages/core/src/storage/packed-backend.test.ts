import { storageConformance } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { STORAGE_ROUNDS } from '../../../../scripts/support/rounds.ts'
import { inMemoryBackend } from './in-memory.ts'
import { type PackedStore, packedBackend } from './packed-backend.ts'
import { packTree, sizeOf, unpackTree } from './packed-tree.ts'
import type { StorageBackend } from './storage-backend.ts'

/** `fail`: called before and after each put; throws to lose it or its answer. */
const memoryStore = (fail: (when: 'before' | 'after', put: number) => void = () => undefined) => {
  const objects = new Map<string, { bytes: Uint8Array; tag: string }>()
  let puts = 0
  let gets = 0
  const store: PackedStore = {
    async get(key) {
      gets++
      // A store is elsewhere: other work runs meanwhile.
      await new Promise((resolve) => setImmediate(resolve))
      const found = objects.get(key)
      return found && { ...found, bytes: found.bytes.slice() }
    },
    async put(key, bytes, expectedTag) {
      const number = ++puts
      fail('before', number)
      await undefined
      if (objects.get(key)?.tag !== expectedTag) return false
      objects.set(key, { bytes: bytes.slice(), tag: `tag ${number}` })
      fail('after', number)
      return true
    },
  }
  return { store, objects, puts: () => puts, gets: () => gets }
}

storageConformance(
  'packedBackend',
  async () => {
    const { store } = memoryStore()
    return { open: async () => packedBackend(store, { timeoutMs: 60_000 }), dispose: async () => undefined }
  },
  { processes: false, ...STORAGE_ROUNDS },
)

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const append = (storage: StorageBackend, text: string) => storage.update(['log'], () => ({ append: { log: bytes(text) }, value: text }))

const textAt = async (storage: StorageBackend, path: string): Promise<string | undefined> => {
  const cut = await storage.read([path])
  if (!cut.ok) throw cut.error
  const document = cut.value.document(path)
  return document && new TextDecoder().decode(document.bytes)
}

describe('packedBackend', () => {
  it('is one get and one put for the updates of a process that wait together', async () => {
    const { store, puts, gets } = memoryStore()
    const storage = packedBackend(store)
    const all = await Promise.all(Array.from({ length: 30 }, (_, index) => append(storage, `${index},`)))
    expect(all.every(({ ok }) => ok)).toBe(true)
    expect([puts(), gets()]).toEqual([1, 1])
    expect((await textAt(storage, 'log'))?.split(',')).toHaveLength(31)
    expect(await storage.update(['log'], () => ({ value: 1 }))).toEqual({ ok: true, value: 1 })
    expect(puts()).toBe(1)
  })

  it.each(['before', 'after'] as const)('does an append once if the store fails %s it has put', async (when) => {
    const { store } = memoryStore((now, put) => {
      if (now === when && put % 2 === 1) throw new Error('connection reset')
    })
    const storage = packedBackend(store, { random: () => 0 })
    const other = packedBackend(store, { random: () => 0 })
    for (let time = 0; time < 10; time++)
      expect(await Promise.all([append(storage, `a${time},`), append(other, `b${time},`), append(storage, `c${time},`)])).toEqual([
        { ok: true, value: `a${time},` },
        { ok: true, value: `b${time},` },
        { ok: true, value: `c${time},` },
      ])
    const entries = (await textAt(storage, 'log'))?.split(',').slice(0, -1) ?? []
    expect([entries.length, new Set(entries).size]).toEqual([30, 30])
  })

  it('says that the outcome is unknown if the store stays away after a put, and that nothing was written if it was never there', async () => {
    let isAway = false
    const { store } = memoryStore((when) => {
      if (when !== 'after') return
      isAway = true
      throw new Error('connection reset')
    })
    const away: PackedStore = { ...store, get: async (key) => (isAway ? Promise.reject(new Error('no route')) : store.get(key)) }
    const result = await append(packedBackend(away, { random: () => 0 }), 'a')
    expect(result).toMatchObject({ ok: false, error: { code: 'io', message: expect.stringMatching(/unknown whether.*no route/) } })
    const never = await packedBackend(away, { random: () => 0 }).list('')
    expect(never).toMatchObject({ ok: false, error: { code: 'io', message: expect.stringContaining('no route') } })
    const hanging = packedBackend({ get: () => new Promise(() => undefined), put: async () => true }, { timeoutMs: 30 })
    const late = await append(hanging, 'a')
    expect(late).toMatchObject({ ok: false, error: { message: expect.not.stringContaining('unknown') } })
  })

  it('refuses what would be too large, says what to do, and lets it shrink', async () => {
    const { store } = memoryStore()
    expect((await append(packedBackend(store), 'x'.repeat(5_000))).ok).toBe(true)
    const small = packedBackend(store, { maxBytes: 4_000 })
    const [refused, shrunk] = await Promise.all([
      append(small, 'more'),
      small.update(['log'], () => ({ put: { log: bytes('y'.repeat(4_000)) }, value: 'shrunk' })),
    ])
    expect(refused).toMatchObject({ ok: false, error: { code: 'no_space', message: expect.stringContaining('raise maxBytes') } })
    expect(shrunk).toEqual({ ok: true, value: 'shrunk' })
    expect(await textAt(small, 'log')).toBe('y'.repeat(4_000))
  })

  it('refuses a damaged or newer object and one of others, and leaves it as it is', async () => {
    const { store, objects } = memoryStore()
    const storage = packedBackend(store)
    await storage.update(['a', 'b/c'], () => ({ put: { a: bytes('text'), 'b/c': { bytes: bytes('run'), executable: true } }, value: 0 }))
    const good = objects.get('hermes')?.bytes ?? new Uint8Array()
    const text = new TextDecoder().decode(good)
    const cases = [
      [good.slice(0, -1), 'damaged'],
      [bytes(text.replace('text', 'Text')), 'damaged'],
      [bytes(text.replace('hermes-packed 1', 'hermes-packed 2')), 'newer version'],
      [bytes('{"notes": "mine and nobody else may touch them, they are long enough"}'), 'not one of Hermes'],
      [new Uint8Array(), 'not one of Hermes'],
    ] as const
    for (const [content, message] of cases) {
      objects.set('hermes', { bytes: content, tag: 'their tag' })
      for (const result of [await storage.read(['a']), await storage.list(''), await append(storage, 'x')])
        expect(result).toMatchObject({ ok: false, error: { code: 'unreadable', message: expect.stringContaining(message) } })
      expect(objects.get('hermes')).toEqual({ bytes: content, tag: 'their tag' })
    }
  })

  it('gives a document another stamp for each write that anybody saw', async () => {
    const { store } = memoryStore()
    const storage = packedBackend(store)
    const stampOf = (infos: readonly { path: string; stamp: string }[]) => infos.map(({ path, stamp }) => `${path} ${stamp}`)
    const seen = await Promise.all(
      ['one', 'two', 'three'].map((text) =>
        storage.update(['/'], (cut) => ({ put: { 'folder/a': bytes(text) }, value: stampOf(cut.list('')).join() })),
      ),
    )
    const listed = await storage.list('')
    const all = [...seen.map((each) => (each.ok ? each.value : '')), ...(listed.ok ? stampOf(listed.value) : [])]
    expect(new Set(all).size).toBe(4)
    // Each takes the place of the other.
    await storage.update(['/'], () => ({ put: { b: bytes('b') }, value: 0 }))
    const before = await storage.list('')
    await storage.update(['/'], () => ({
      move: [
        ['folder/a', 'c'],
        ['b', 'folder/a'],
      ],
      value: 0,
    }))
    const after = await storage.list('')
    const texts = [before, after].flatMap((each) => (each.ok ? stampOf(each.value) : []))
    expect(new Set(texts).size).toBe(4)
  })

  it.each([
    [undefined, {}],
    [{ get: () => undefined }, {}],
    [memoryStore().store, { maxBytes: 0 }],
    [memoryStore().store, { timeoutMs: 1.5 }],
    [memoryStore().store, { key: '' }],
  ])('throws a TypeError for what it cannot use', (store, options) => {
    expect(() => Reflect.apply(packedBackend, undefined, [store, options])).toThrow(TypeError)
  })
})

describe('a packed tree', () => {
  const document = (...content: readonly number[]) => ({ bytes: new Uint8Array(content), executable: content.length > 2 })
  const ids = Array.from({ length: 70 }, (_, index) => `id ${index}`)
  const tree = (...paths: readonly string[]) => ({
    ids,
    documents: new Map(paths.map((path) => [path, path === 'b' ? document(0xff, 0) : document(0x61, 0x62, 0x63)])),
    stamps: new Map([['a', 'id 1']]),
  })

  it('has the same bytes in any order, and keeps all but old ids', async () => {
    const packed = await packTree(tree('b', 'a', 'c'))
    expect(await packTree(tree('c', 'b', 'a'))).toEqual(packed)
    const read = await unpackTree(packed, 'home')
    if (!read.ok) throw read.error
    expect([...read.value.documents]).toEqual([
      ['a', document(0x61, 0x62, 0x63)],
      ['b', { bytes: new Uint8Array([0xff, 0]) }],
      ['c', document(0x61, 0x62, 0x63)],
    ])
    expect(read.value.ids).toEqual(ids.slice(-64))
    expect([...read.value.stamps]).toEqual([
      ['a', 'id 1'],
      ['b', ''],
      ['c', ''],
    ])
    expect(sizeOf(read.value.documents)).toBe(11)
  })

  it('that is damaged is refused by the name of its object', async () => {
    const packed = await packTree(tree('a'))
    packed[packed.length - 1] = 0
    expect(await unpackTree(packed, 'home')).toMatchObject({ ok: false, error: { code: 'unreadable', details: { key: 'home' } } })
  })
})

it('a listing is in the order of the paths, and names each document once written with another stamp', async () => {
  for (const storage of [packedBackend(memoryStore().store), inMemoryBackend()]) {
    const put = (...paths: readonly string[]) =>
      storage.update(['f/'], () => ({ put: Object.fromEntries(paths.map((path) => [`f/${path}`, bytes('x')])), value: 0 }))
    await put('b', 'a', 'c')
    const listed = await storage.list('f')
    const read = await storage.read(['f/'])
    await put('a')
    const again = await storage.list('f')
    if (!listed.ok || !read.ok || !again.ok) throw new Error('It cannot be listed.')
    expect(listed.value.map(({ path }) => path)).toEqual(['f/a', 'f/b', 'f/c'])
    expect(read.value.list('f').map(({ path }) => path)).toEqual(['f/a', 'f/b', 'f/c'])
    expect(again.value.map(({ stamp }, index) => stamp === listed.value[index]?.stamp)).toEqual([false, true, true])
  }
})
