/** A JSON document is checked on read and write, and a corrupt one is never overwritten. */
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { DOCUMENT_LIMITS } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from './in-memory.ts'
import { libraryDocument, readableJsonIn, readJsonDocument, updateJsonDocument } from './json-document.ts'
import { checkChangeResult, moveDocuments, readDocument, UNCHANGED, updateDocument } from './one-document.ts'
import type { StorageBackend } from './storage-backend.ts'

const PATH = 'sessions/a.json'
const schema = z.looseObject({ count: z.number(), note: z.string().optional() })

const holding = async (content: string | Uint8Array) => {
  const storage = inMemoryBackend()
  await updateDocument(storage, PATH, () => (typeof content === 'string' ? new TextEncoder().encode(content) : content))
  return storage
}

const textIn = async (storage: ReturnType<typeof inMemoryBackend>) => {
  const document = await readDocument(storage, PATH)
  return document.ok ? new TextDecoder().decode(document.value?.bytes) : undefined
}

describe('JSON document', () => {
  it('is written with sorted keys, read back, and keeps unknown fields', async () => {
    const storage = inMemoryBackend()
    const written = await updateJsonDocument(storage, PATH, schema, () => ({ note: 'x', count: 1, later: true }))
    expect(written).toEqual({ ok: true, value: { note: 'x', count: 1, later: true } })
    expect(await textIn(storage)).toBe('{\n  "count": 1,\n  "later": true,\n  "note": "x"\n}\n')
    expect(await readJsonDocument(storage, PATH, schema)).toEqual({ ok: true, value: { count: 1, later: true, note: 'x' } })
  })

  it('hands the current value to the change, leaves it for UNCHANGED, and removes it for undefined', async () => {
    const storage = await holding('{"count":1}')
    expect(await updateJsonDocument(storage, PATH, schema, (current) => ({ count: (current?.count ?? 0) + 1 }))).toMatchObject({
      value: { count: 2 },
    })
    expect(await updateJsonDocument(storage, PATH, schema, () => UNCHANGED)).toEqual({ ok: true, value: { count: 2 } })
    expect(await updateJsonDocument(storage, PATH, schema, () => undefined)).toEqual({ ok: true, value: undefined })
    expect(await readDocument(storage, PATH)).toEqual({ ok: true, value: undefined })
  })

  it('is as if there were none, for who can do without it, if it cannot be read', async () => {
    for (const [content, expected] of [
      ['{"count":1}', { count: 1 }],
      ['{"count":', undefined],
    ] as const) {
      const cut = await (await holding(content)).read([PATH])
      if (!cut.ok) throw cut.error
      expect(readableJsonIn(cut.value, PATH, schema)).toEqual(expected)
      expect(() => readableJsonIn(cut.value, 'other', schema)).toThrow(TypeError)
    }
  })

  it('of a newer version is unreadable, says what to do, and a write keeps it', async () => {
    const versioned = z.looseObject({ version: z.literal(1), count: z.number() })
    const newer = '{"version": 2, "count": "many"}'
    const storage = await holding(newer)
    const message = `'${PATH}' was written by a newer version of the library (version 2 of the document). It is left as it is: update @hermes/core in this program.`
    for (const answer of [
      await readJsonDocument(storage, PATH, versioned),
      await updateJsonDocument(storage, PATH, versioned, () => ({ version: 1, count: 1 })),
    ])
      expect(answer).toMatchObject({ ok: false, error: { code: 'unreadable', message } })
    expect(await textIn(storage)).toBe(newer)
  })

  it.each([
    ['half of it', 'is not JSON', '{"count": 1'],
    ['an empty file', 'is not JSON', ''],
    ['another shape', "expected shape at 'count'", '{"count": "one"}'],
    ['bytes that are no UTF-8', 'is not JSON', Uint8Array.of(0x22, 0xff, 0x22)],
  ])('refuses %s as unreadable, names its path, and a write keeps it', async (_, why, content) => {
    const storage = await holding(content)
    const before = await readDocument(storage, PATH)
    const read = await readJsonDocument(storage, PATH, schema)
    expect(read).toMatchObject({ ok: false, error: { code: 'unreadable', details: { path: PATH } } })
    expect(!read.ok && read.error.message).toContain(`'${PATH}' `)
    expect(!read.ok && read.error.message).toContain(why)
    let asked = false
    const written = await updateJsonDocument(storage, PATH, schema, () => {
      asked = true
      return { count: 0 }
    })
    expect(written).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(asked).toBe(false)
    expect(await readDocument(storage, PATH)).toEqual(before)
  })

  it('names the field that does not fit', async () => {
    const read = await readJsonDocument(await holding('{"count": "one"}'), PATH, schema)
    expect(!read.ok && read.error.message).toContain("'count'")
  })

  it('rejects a value that its own schema would not read back, and writes nothing', async () => {
    const storage = await holding('{"count":1}')
    const written = updateJsonDocument(storage, PATH, schema, () => ({ count: Number.NaN }))
    await expect(written).rejects.toThrow(TypeError)
    await expect(written).rejects.toMatchObject({ cause: { issues: [{ path: ['count'] }] } })
    expect(await textIn(storage)).toBe('{"count":1}')
  })

  it('names no field if the whole does not fit', async () => {
    const read = await readJsonDocument(await holding('5'), PATH, schema)
    expect(!read.ok && read.error.message).toMatch(/does not have the expected shape \(/)
  })

  it.each([
    ['bytes', { maxBytes: 60, maxValues: 100 }],
    ['values', { maxBytes: 1_000, maxValues: 2 }],
  ])('leaves the document as it is if the new content has too many %s to be read back', async (_, limits) => {
    const storage = await holding('{"count":1}')
    const limited = { schema, limits }
    const written = await updateJsonDocument(storage, PATH, limited, () => ({ count: 2, note: 'x'.repeat(50), more: [1, 2, 3] }))
    expect(written).toMatchObject({ ok: false, error: { code: 'over_limit', details: { path: PATH } } })
    expect(await textIn(storage)).toBe('{"count":1}')
    expect(await readJsonDocument(storage, PATH, limited)).toMatchObject({ ok: true, value: { count: 1 } })
  })

  it('of a library may have more values than another document', async () => {
    const storage = inMemoryBackend()
    const values = z.looseObject({ values: z.array(z.number()) })
    const many = { values: Array.from({ length: DOCUMENT_LIMITS.maxValues + 1 }, (_, index) => index) }
    expect(await updateJsonDocument(storage, PATH, values, () => many)).toMatchObject({ ok: false, error: { code: 'over_limit' } })
    expect(await updateJsonDocument(storage, PATH, libraryDocument(values), () => many)).toMatchObject({ ok: true })
    expect(await readJsonDocument(storage, PATH, values)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(await readJsonDocument(storage, PATH, libraryDocument(values))).toEqual({ ok: true, value: many })
  })
})

describe('one document', () => {
  it('takes bytes, of a Buffer and of another realm too, undefined and UNCHANGED', () => {
    for (const bytes of [new Uint8Array([1]), Buffer.from('x'), runInNewContext('new Uint8Array(2)')]) {
      expect(checkChangeResult('a', bytes, undefined)).toEqual({ bytes, executable: false })
    }
    for (const answer of [undefined, UNCHANGED]) expect(checkChangeResult('a', answer, undefined)).toBe(answer)
  })

  it('keeps what the document was for bytes alone, and takes what a content says', () => {
    const bytes = new Uint8Array([1])
    expect(checkChangeResult('a', bytes, { bytes, executable: true })).toEqual({ bytes, executable: true })
    expect(checkChangeResult('a', { bytes }, { bytes, executable: true })).toEqual({ bytes, executable: false })
    expect(checkChangeResult('a', { bytes, executable: true }, undefined)).toEqual({ bytes, executable: true })
    expect(checkChangeResult('a', { bytes, executable: undefined }, undefined)).toEqual({ bytes, executable: false })
  })

  it.each<[string, () => unknown, RegExp]>([
    ['text', () => 'text', /change of 'a' returned a value of type string\..*TextEncoder/],
    ['null', () => null, /returned null\..*undefined to remove/],
    ['an array', () => [1], /returned an array\./],
    ['no bytes', () => ({ executable: true }), /returned a value of type object\./],
    ['a word for executable', () => ({ bytes: new Uint8Array(), executable: 'yes' }), /returned a value of type object\./],
    ['other numbers', () => new Uint16Array(2), /returned a value of type object\./],
    ['a promise', () => Promise.resolve(new Uint8Array()), /returned a promise\..*not a promise/],
    ['a promise that fails', () => Promise.reject(new Error('unheard')), /returned a promise\./],
  ])('refuses %s as a programmer’s error that says what to return', (_, change, words) => {
    expect(() => checkChangeResult('a', change(), undefined)).toThrow(TypeError)
    expect(() => checkChangeResult('a', change(), undefined)).toThrow(words)
  })

  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const holding = (...paths: readonly string[]) => inMemoryBackend(new Map(paths.map((path) => [path, { bytes: bytes(path) }])))

  describe('a document', () => {
    it('is handed to the change, and resolves to what it is afterwards', async () => {
      const storage = holding('a')
      const seen: unknown[] = []
      const changed = await updateDocument(storage, 'a', (current) => {
        seen.push(current)
        return { bytes: bytes('b'), executable: true }
      })
      expect(seen).toEqual([{ bytes: bytes('a') }])
      expect(changed).toEqual(ok({ bytes: bytes('b'), executable: true }))
      expect(await updateDocument(storage, 'a', () => bytes('c'))).toEqual(ok({ bytes: bytes('c'), executable: true }))
      expect(await readDocument(storage, 'a')).toEqual(ok({ bytes: bytes('c'), executable: true }))
      expect(await updateDocument(storage, 'a', () => UNCHANGED)).toEqual(ok({ bytes: bytes('c'), executable: true }))
      expect(await updateDocument(storage, 'a', () => undefined)).toEqual(ok(undefined))
      expect(await readDocument(storage, 'a')).toEqual(ok(undefined))
    })

    it('that cannot be read is an error, of an update too', async () => {
      const unreadable = new HermesError('unreadable', 'closed')
      const cut = {
        document: () => {
          throw unreadable
        },
        list: () => [],
      }
      const storage: Pick<StorageBackend, 'read' | 'update'> = {
        read: async () => ok(cut),
        update: async (_, plan) => ok(plan(cut).value),
      }
      expect(await readDocument(storage, 'a')).toEqual(err(unreadable))
      expect(await updateDocument(storage, 'a', () => bytes('x'))).toEqual(err(unreadable))
    })

    it('is written with the options of its caller', async () => {
      const given: unknown[] = []
      const storage: Pick<StorageBackend, 'update'> = {
        update: async (_paths, _plan, options) => {
          given.push(options)
          return err(new HermesError('io', 'no'))
        },
      }
      await updateDocument(storage, 'a', () => undefined, { forget: true })
      expect(given).toEqual([{ forget: true }])
    })

    it.each(['', '..', 'a/', '/a'])('is refused at %j, and a change that throws is thrown', async (path) => {
      const storage = holding('a')
      expect(await readDocument(storage, path)).toMatchObject({ error: { code: 'invalid_path' } })
      expect(await updateDocument(storage, path, () => undefined)).toMatchObject({ error: { code: 'invalid_path' } })
      expect(await moveDocuments(storage, 'a', path)).toMatchObject({ error: { code: 'invalid_path' } })
      const mistake = new RangeError('mine')
      const throwing = updateDocument(storage, 'a', () => {
        throw mistake
      })
      await expect(throwing).rejects.toBe(mistake)
      expect(await readDocument(storage, 'a')).toEqual(ok({ bytes: bytes('a') }))
    })

    it('or folder that moves to its own place is in its own way, if there is one', async () => {
      const storage = holding('a', 'folder/b')
      for (const path of ['a', 'folder']) expect(await moveDocuments(storage, path, path)).toMatchObject({ error: { code: 'occupied' } })
      expect(await moveDocuments(storage, 'none', 'none')).toMatchObject({ error: { code: 'not_found' } })
      expect(await moveDocuments(storage, 'folder', 'folder/deeper')).toMatchObject({ error: { code: 'invalid_path' } })
    })
  })
})
