import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { guardedBackend } from './guarded-backend.ts'
import { inMemoryBackend } from './in-memory.ts'
import { moveDocuments, readDocument, updateDocument } from './one-document.ts'
import { prefixedBackend } from './prefixed-backend.ts'
import { readOnlyBackend } from './read-only-backend.ts'

describe('guardedBackend', () => {
  it('passes answers on', async () => {
    const backend = guardedBackend(inMemoryBackend())
    await updateDocument(backend, 'a/b', () => new Uint8Array([1]))
    expect(await readDocument(backend, 'a/b')).toMatchObject({ ok: true, value: { bytes: new Uint8Array([1]) } })
    expect(await backend.list('a')).toMatchObject({ ok: true, value: [{ path: 'a/b' }] })
    expect(await moveDocuments(backend, 'a/b', 'c')).toMatchObject({ ok: true })
  })

  it('turns what a back end throws into an error, sync or async', async () => {
    const down = new Error('db down')
    const throwing = guardedBackend({
      ...inMemoryBackend(),
      read: () => Promise.reject(down),
      list: () => {
        throw down
      },
    })
    expect(await readDocument(throwing, 'a')).toMatchObject({ ok: false, error: { code: 'io', cause: down } })
    expect(await throwing.list('a')).toMatchObject({ ok: false, error: { code: 'io', cause: down } })
  })

  it('keeps a typed error as it is', async () => {
    const full = new HermesError('no_space', 'disk full')
    const backend = guardedBackend({ ...inMemoryBackend(), update: () => Promise.reject(full) })
    expect(await updateDocument(backend, 'a', () => undefined)).toEqual({ ok: false, error: full })
  })

  it('refuses a plan that is too large for one update, before anything is written', async () => {
    const inner = inMemoryBackend()
    const backend = guardedBackend(inner)
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`a/${index}`, new Uint8Array(1)]))
    const refused = await backend.update(['a/'], () => ({ put: many(20_001), value: 0 }))
    expect(refused).toMatchObject({ ok: false, error: { code: 'over_limit', details: { changes: 20_001, maxChanges: 20_000 } } })
    const large = new Uint8Array(256 * 1024 * 1024)
    const bytes = await backend.update(['a/'], () => ({
      put: { 'a/1': large, 'a/2': large },
      append: { 'a/3': new Uint8Array(1) },
      value: 0,
    }))
    expect(bytes).toMatchObject({ ok: false, error: { message: expect.stringContaining('Nothing was written. Do it in parts') } })
    expect(await inner.list('')).toEqual({ ok: true, value: [] })
    expect(await backend.update(['a/'], () => ({ put: many(20_000), value: 0 }))).toMatchObject({ ok: true })
  })

  it('throws what a plan throws, also a typed error, and nothing else', async () => {
    const backend = guardedBackend(inMemoryBackend())
    for (const mistake of [new TypeError('a mistake'), new HermesError('unreadable', 'not text')]) {
      const thrown = backend.update(['a'], () => {
        throw mistake
      })
      await expect(thrown).rejects.toBe(mistake)
    }
    const down = new Error('db down')
    const broken = guardedBackend({
      ...inMemoryBackend(),
      update: async (_, plan) => {
        plan({ document: () => undefined, list: () => [] })
        throw down
      },
    })
    expect(await broken.update(['a'], () => ({ value: 1 }))).toMatchObject({ ok: false, error: { code: 'io', cause: down } })
  })

  it('throws what is wrong with a plan, but not what goes wrong in the back end with a sound one', async () => {
    const wrong: readonly unknown[] = [
      undefined,
      Promise.reject(new Error('late')),
      { put: { b: new Uint8Array(1) } },
      { append: { a: 'text' } },
    ]
    const storage = inMemoryBackend()
    const backend = guardedBackend(storage)
    for (const planned of wrong) await expect(backend.update(['a'], () => planned as never)).rejects.toThrow(TypeError)
    expect(await storage.list('')).toEqual({ ok: true, value: [] })
    const fault = new TypeError('Cannot read properties of undefined')
    const faulty = guardedBackend({
      ...storage,
      update: async (_, plan) => {
        plan({ document: () => undefined, list: () => [] })
        throw fault
      },
    })
    const answer = await faulty.update(['a'], () => ({ put: { a: new Uint8Array(1) }, value: 1 }))
    expect(answer).toMatchObject({ ok: false, error: { code: 'io', cause: fault } })
  })

  it('closes the back end', async () => {
    const inner = inMemoryBackend()
    await guardedBackend(inner).close()
    expect(await readDocument(inner, 'a')).toMatchObject({ ok: false, error: { code: 'closed' } })
  })
})

const bytes = (text: string) => new TextEncoder().encode(text)
const PATHS = ['homes/a/note', 'homes/a/x/y', 'homes/ab/note', 'homes/b/note', 'note']

const setUp = async () => {
  const whole = inMemoryBackend()
  for (const path of PATHS) await updateDocument(whole, path, () => bytes(path))
  const pathsOf = async () => {
    const listed = await whole.list('')
    return listed.ok ? listed.value.map(({ path }) => path) : []
  }
  return { whole, pathsOf, folder: prefixedBackend(whole, 'homes/a') }
}

it('reads, lists, changes and moves the documents of its folder, by their paths in it', async () => {
  const { folder, pathsOf } = await setUp()
  expect(await readDocument(folder, 'note')).toMatchObject({ ok: true, value: { bytes: bytes('homes/a/note') } })
  expect(await folder.list('')).toMatchObject({ ok: true, value: [{ path: 'note', size: 12 }, { path: 'x/y' }] })
  expect(await folder.list('x')).toMatchObject({ ok: true, value: [{ path: 'x/y' }] })
  expect(await updateDocument(folder, 'new', (current) => (current ? undefined : bytes('new')))).toMatchObject({ ok: true })
  expect(await moveDocuments(folder, 'x', 'z')).toMatchObject({ ok: true })
  expect(await updateDocument(folder, 'note', () => undefined)).toMatchObject({ ok: true })
  expect(await pathsOf()).toEqual(['homes/a/new', 'homes/a/z/y', 'homes/ab/note', 'homes/b/note', 'note'])
})

it.each(['../b/note', '/note', 'x/../../b/note'])('neither reads nor changes what is outside of its folder: %s', async (path) => {
  const { folder, pathsOf } = await setUp()
  const calls = [
    readDocument(folder, path),
    updateDocument(folder, path, () => undefined),
    folder.list(path),
    moveDocuments(folder, 'note', path),
  ]
  for (const done of await Promise.all(calls)) expect(done).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(await pathsOf()).toEqual(PATHS)
})

it('updates several of its documents in one step, and shows and takes their paths in it', async () => {
  const { folder, pathsOf } = await setUp()
  const update = folder.update(['note', 'x/', 'log'], (cut) => ({
    put: { 'x/run': { bytes: bytes('run'), executable: true }, note: null },
    append: { log: bytes('more') },
    move: [['x/y', 'x/z']],
    value: [cut.document('note')?.bytes, cut.list('x').map(({ path }) => path)],
  }))
  expect(await update).toEqual({ ok: true, value: [bytes('homes/a/note'), ['x/y']] })
  expect(await pathsOf()).toEqual(['homes/a/log', 'homes/a/x/run', 'homes/a/x/z', 'homes/ab/note', 'homes/b/note', 'note'])
  expect(await readDocument(folder, 'x/run')).toEqual({ ok: true, value: { bytes: bytes('run'), executable: true } })
  const cut = await folder.read(['/'])
  expect(cut.ok && cut.value.list('').map(({ path }) => path)).toEqual(['log', 'x/run', 'x/z'])
})

it('throws for a plan outside of what was named, in the words of its own paths', async () => {
  const { folder, pathsOf } = await setUp()
  await expect(folder.update(['note'], () => ({ put: { other: bytes('x') }, value: 0 }))).rejects.toThrow("changes 'other'")
  await expect(folder.update(['/'], () => ({ put: { '../b/note': null }, value: 0 }))).rejects.toThrow(TypeError)
  expect(await pathsOf()).toEqual(PATHS)
})

it('passes on what the storage says, and leaves it open', async () => {
  const { folder, whole } = await setUp()
  await folder.close()
  expect((await readDocument(whole, 'note')).ok).toBe(true)
  await whole.close()
  expect(await folder.list('')).toMatchObject({ ok: false, error: { code: 'closed' } })
})

describe('read only backend', () => {
  const setUp = async () => {
    const storage = inMemoryBackend()
    await updateDocument(storage, 'skills/a/SKILL.md', () => bytes('a'))
    return { storage, view: readOnlyBackend(storage) }
  }

  describe('readOnlyBackend', () => {
    it('reads and lists what is there, also what was written since', async () => {
      const { storage, view } = await setUp()
      await updateDocument(storage, 'skills/b/SKILL.md', () => bytes('b'))
      const listed = await view.list('skills')
      expect(listed.ok && listed.value.map(({ path }) => path)).toEqual(['skills/a/SKILL.md', 'skills/b/SKILL.md'])
      expect(await readDocument(view, 'skills/b/SKILL.md')).toEqual(await readDocument(storage, 'skills/b/SKILL.md'))
    })

    it('refuses every write and every move with words, and asks no change for its bytes', async () => {
      const { storage, view } = await setUp()
      let asked = 0
      const written = await updateDocument(view, 'skills/a/SKILL.md', () => {
        asked++
        return undefined
      })
      const moved = await moveDocuments(view, 'skills/a', 'skills/.archive/a')
      expect(written).toMatchObject({ ok: false, error: { code: 'unwritable', message: expect.stringContaining("'skills/a/SKILL.md'") } })
      const paths = ['skills/a', 'skills/.archive/a']
      expect(moved).toMatchObject({ ok: false, error: { code: 'unwritable', details: { paths } } })
      expect(asked).toBe(0)
      expect(await readDocument(storage, 'skills/a/SKILL.md')).toMatchObject({ ok: true, value: { bytes: bytes('a') } })
    })

    it('names no more than the beginning of a long path', async () => {
      const { view } = await setUp()
      const written = await updateDocument(view, 'a'.repeat(10_000), () => undefined)
      expect(!written.ok && written.error.message.length).toBeLessThan(300)
    })

    it('leaves the storage behind it open', async () => {
      const { storage, view } = await setUp()
      await view.close()
      expect((await readDocument(storage, 'skills/a/SKILL.md')).ok).toBe(true)
    })
  })
})
