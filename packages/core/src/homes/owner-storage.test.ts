import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { codePoint } from '../../test/support/code-point.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend, UpdateOptions } from '../storage/storage-backend.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { homeCache } from './home-cache.ts'
import { type OwnerId, ownerKey, ownerOfPath, ownerPath, toOwnerId } from './owner.ts'
import { OwnerStorage } from './owner-storage.ts'
import { eraseOwner } from './owners.ts'

const ALICE = { user: 'alice' }
const REGISTRATION = 'owners/~none/alice.json'
const text = (value: string) => new TextEncoder().encode(value)

const openWorld = () => {
  const documents = inMemoryBackend()
  const calls: string[] = []
  const given: (UpdateOptions | undefined)[] = []
  const storage: StorageBackend = {
    ...documents,
    read: (paths) => {
      calls.push(`read ${paths}`)
      return documents.read(paths)
    },
    update: (paths, plan, options) => {
      calls.push(`update ${paths}`)
      given.push(options)
      return documents.update(paths, plan, options)
    },
  }
  let ids = 0
  let erasures = 0
  const open = () => new OwnerStorage({ storage, owner: ALICE, clock: () => 7, createId: () => `id-${++ids}`, onErased: () => erasures++ })
  const paths = async () => {
    const listed = await documents.list('')
    return listed.ok ? listed.value.map(({ path }) => path) : []
  }
  return { documents, storage, open, calls, given, paths, erasures: () => erasures, erase: () => eraseOwner(documents, ALICE, () => 7) }
}

const put = (home: StorageBackend, path: string, value = 'x') => updateDocument(home, path, () => text(value))
const closed = { ok: false, error: { code: 'closed' } }

describe('the registration', () => {
  it('is written in the update that writes the first document', async () => {
    const { open, calls, paths } = openWorld()
    expect(await put(open(), 'a')).toMatchObject({ ok: true })
    expect(calls).toEqual([`update homes/~none/alice/a,${REGISTRATION}`])
    expect(await paths()).toEqual(['homes/~none/alice/a', REGISTRATION])
  })

  it('is written by an append, and by no update that removes or writes nothing', async () => {
    const { open, paths } = openWorld()
    const home = open()
    await home.update(['a', 'b'], () => ({ put: { a: null }, value: 0 }))
    await home.update(['a'], (cut) => ({ value: cut.document('a') }))
    expect(await paths()).toEqual([])
    expect(await home.look()).toEqual({ ok: true, value: 'absent' })
    await home.update(['log'], () => ({ append: { log: text('x') }, value: 0 }))
    expect(await paths()).toEqual(['homes/~none/alice/log', REGISTRATION])
    expect(await home.look()).toEqual({ ok: true, value: 'present' })
  })

  it('of two handles that write at once is one', async () => {
    const { open, paths } = openWorld()
    const homes = [open(), open()]
    await Promise.all(homes.map((home, index) => put(home, `${index}`)))
    for (const home of homes) expect(await put(home, 'both')).toMatchObject({ ok: true })
    expect(await paths()).toHaveLength(4)
  })
})

describe('a call', () => {
  it('is one call of the storage', async () => {
    const { open, calls } = openWorld()
    const home = open()
    await put(home, 'a')
    await readDocument(home, 'a')
    await home.list('')
    await put(home, 'a', 'y')
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['update', 'read', 'read', 'update'])
  })

  it('after another process has erased the owner fails, whatever it is, and says so once', async () => {
    for (const call of [
      (home: StorageBackend) => put(home, 'b'),
      (home: StorageBackend) => readDocument(home, 'a'),
      (home: StorageBackend) => home.list(''),
    ]) {
      const { open, erase, paths, erasures } = openWorld()
      const home = open()
      await put(home, 'a')
      await erase()
      expect(await call(home)).toMatchObject(closed)
      expect(await put(home, 'b')).toMatchObject(closed)
      expect([home.ended, erasures()]).toEqual([true, 1])
      expect(await paths()).toEqual([])
    }
  })

  it('of the former home changes nothing in the one that the owner has begun since, and sees nothing of it', async () => {
    const { open, erase, documents } = openWorld()
    const former = open()
    const reader = open()
    await put(former, 'a', 'old')
    await readDocument(reader, 'a')
    await erase()
    await put(open(), 'a', 'new')
    expect(await put(former, 'a', 'late')).toMatchObject(closed)
    expect(await readDocument(reader, 'a')).toMatchObject(closed)
    const found = await readDocument(documents, 'homes/~none/alice/a')
    expect(found.ok && new TextDecoder().decode(found.value?.bytes)).toBe('new')
  })
})

describe('eraseOwner', () => {
  it('is one update, which counts what it removed by folder', async () => {
    const { open, storage, calls, paths } = openWorld()
    const home = open()
    for (const path of ['memories/MEMORY.md', 'memories/USER.md', 'config.yaml']) await put(home, path, '12')
    calls.length = 0
    const erased = await eraseOwner(storage, ALICE, () => 9)
    expect(erased).toEqual({
      ok: true,
      value: {
        receipt: { owner: ALICE, erasedAt: 9, documents: 3, bytes: 6, folders: { 'config.yaml': 1, memories: 2 } },
        problem: undefined,
      },
    })
    expect(calls).toEqual([`update ${REGISTRATION},homes/~none/alice/`])
    expect(await paths()).toEqual([])
  })

  const fill = async (home: StorageBackend, count: number) => {
    const put = Object.fromEntries(Array.from({ length: count }, (_, index) => [`skills/${index}`, text('12')]))
    await home.update(['skills/'], () => ({ put, value: 0 }))
  }

  it('removes many documents in several updates, the first of which ends every handle', async () => {
    const { open, storage, calls, documents, paths } = openWorld()
    const home = open()
    await fill(home, 450)
    calls.length = 0
    const meanwhile: unknown[] = []
    const erasing: StorageBackend = {
      ...storage,
      async update(given, plan, options) {
        const done = await storage.update(given, plan, options)
        meanwhile.push((await paths()).length, await put(home, 'late'), await put(open(), 'late'), await open().look())
        return done
      },
    }
    expect(await eraseOwner(erasing, ALICE, () => 9)).toMatchObject({ value: { receipt: { documents: 450, bytes: 900 } } })
    const unfinished = { ok: false, error: { code: 'closed', message: expect.stringContaining('Erase the owner again') } }
    expect(meanwhile.slice(0, 8)).toMatchObject([
      ...[251, closed, unfinished, { ok: true, value: 'erasing' }],
      ...[51, closed, unfinished, { ok: true, value: 'erasing' }],
    ])
    // The third update was the last: a new handle then began a new home.
    expect(meanwhile.slice(8)).toMatchObject([0, closed, { ok: true }, { ok: true, value: 'present' }])
    expect((await documents.list('homes')).ok && (await paths())).toEqual(['homes/~none/alice/late', REGISTRATION])
  })

  it('goes on where it was interrupted, and leaves alone what was begun after another call has finished it', async () => {
    const { open, documents, paths, storage } = openWorld()
    await fill(open(), 450)
    let updates = 0
    const interrupted: StorageBackend = {
      ...storage,
      async update(given, plan, options) {
        const done = await storage.update(given, plan, options)
        if (++updates > 1) return done
        expect(await eraseOwner(documents, ALICE, () => 9)).toMatchObject({ value: { receipt: { documents: 250 } } })
        await put(open(), 'new')
        return done
      },
    }
    expect(await eraseOwner(interrupted, ALICE, () => 9)).toMatchObject({ value: { receipt: { documents: 200 } } })
    expect(await paths()).toEqual(['homes/~none/alice/new', REGISTRATION])
  })
})

const name = fc.oneof(
  fc.string({ unit: codePoint, minLength: 1, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('a', 'A', '~', '-', '6', '1', 'é', 'e\u0301', '/', '.'), minLength: 1, maxLength: 6 }),
  fc.string({ unit: codePoint, minLength: 30, maxLength: 250 }),
)

const owner: fc.Arbitrary<OwnerId> = fc
  .record({ tenant: fc.option(name, { nil: undefined }), user: name })
  .map(({ tenant, user }) => (tenant === undefined ? { user } : { tenant, user }))

/** Folds as file systems do that ignore case and Unicode form. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase()

describe('ownerPath', () => {
  it('is a valid path of two segments, and gives the owner back if the names are short', async () => {
    await fc.assert(
      fc.asyncProperty(owner, async (id) => {
        const path = await ownerPath(id)
        expect(checkStoragePath(`homes/${path}/x`).ok).toBe(true)
        expect(path.split('/').map((segment) => segment.length <= 100)).toEqual([true, true])
        if (!path.includes('~-')) expect(ownerOfPath(path)).toEqual(id)
        else expect(ownerOfPath(path)).toBeUndefined()
      }),
      { seed: 11, numRuns: rounds(500) },
    )
  })

  it('differs if the owners differ, also on a file system that ignores case and Unicode form', async () => {
    await fc.assert(
      fc.asyncProperty(owner, owner, async (a, b) => {
        const isSame = ownerKey(a) === ownerKey(b)
        expect(fold(await ownerPath(a)) === fold(await ownerPath(b))).toBe(isSame)
      }),
      { seed: 12, numRuns: rounds(1_000) },
    )
  })

  it.each([
    ['alice', '~none/alice'],
    ['Alice', '~none/~41lice'],
    ['../../etc', '~none/~2e~2e~2f~2e~2e~2fetc'],
    ['nul', '~none/~6eul'],
    ['com1', '~none/~63om1'],
    ['~none', '~none/~7enone'],
    ['.', '~none/~2e'],
  ])('of %s is %s', async (user, path) => {
    expect(await ownerPath({ user })).toBe(path)
  })

  it('tells long names apart that begin alike', async () => {
    const [one, other] = await Promise.all(['a', 'b'].map((last) => ownerPath({ user: `${'x'.repeat(511)}${last}` })))
    expect(one).not.toBe(other)
  })
})

describe('toOwnerId', () => {
  it('takes a string for a user without a tenant', () => {
    expect(toOwnerId('alice')).toEqual({ user: 'alice' })
    expect(toOwnerId({ user: 'alice', tenant: undefined })).toEqual({ user: 'alice' })
    expect(toOwnerId({ user: 'alice', tenant: 'acme' })).toEqual({ tenant: 'acme', user: 'alice' })
  })

  it('takes 512 characters and no more', () => {
    expect(toOwnerId('x'.repeat(512)).user).toHaveLength(512)
    expect(() => toOwnerId('x'.repeat(513))).toThrow(/513 characters.*1 to 512/)
  })
})

const open = (maxOpen: number, maxIdleMs = 1_000) => {
  let now = 0
  let made = 0
  const busy = new Set<string>()
  const dropped: string[] = []
  const cache = homeCache<{ readonly key: string; readonly idle: boolean }>({
    clock: () => now,
    maxOpen,
    maxIdleMs,
    onDropped: ({ key }) => dropped.push(key),
  })
  const get = (key: string) =>
    cache.get(key, () => {
      made++
      return {
        key,
        get idle() {
          return !busy.has(key)
        },
      }
    })
  return { cache, get, busy, dropped, wait: (ms: number) => (now += ms), made: () => made }
}

const keysOf = ({ values }: { readonly values: readonly { readonly key: string }[] }) => values.map(({ key }) => key)

describe('homeCache', () => {
  it('drops the one asked for longest ago if there are too many', () => {
    const { cache, get, dropped } = open(2)
    get('a')
    get('b')
    get('a')
    get('c')
    expect(keysOf(cache)).toEqual(['a', 'c'])
    expect(dropped).toEqual(['b'])
  })

  it('drops those that were not requested in time', () => {
    const { cache, get, wait } = open(10)
    get('a')
    wait(600)
    get('b')
    wait(600)
    get('c')
    expect(keysOf(cache)).toEqual(['b', 'c'])
  })

  it('keeps what is busy, however many there are', () => {
    const { cache, get, busy, made } = open(2)
    for (const key of ['a', 'b', 'c', 'd']) busy.add(key)
    for (const key of ['a', 'b', 'c', 'd']) get(key)
    expect(keysOf(cache)).toHaveLength(4)
    get('a')
    expect(made()).toBe(4)
    busy.clear()
    get('e')
    expect(keysOf(cache)).toHaveLength(2)
  })

  it('does not grow with the number of owners', () => {
    const { cache, get } = open(100)
    for (let each = 0; each < 10_000; each++) get(`owner-${each}`)
    expect(cache.values).toHaveLength(100)
  })
})
