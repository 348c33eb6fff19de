/** A JSON document is checked on read and write, and a corrupt one is never overwritten. */

import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { DOCUMENT_LIMITS } from '../shared/bounded-json.ts'
import { inMemoryBackend } from './in-memory.ts'
import { libraryDocument, readJsonDocument, updateJsonDocument } from './json-document.ts'
import { readDocument, UNCHANGED, updateDocument } from './one-document.ts'

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
