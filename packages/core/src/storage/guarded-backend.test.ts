import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { guardedBackend } from './guarded-backend.ts'
import { inMemoryBackend } from './in-memory.ts'
import { moveDocuments, readDocument, updateDocument } from './one-document.ts'

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
