/** An update begins with what was read last: it never builds on bytes that its caller has changed, or on an old document. */
import { readDocument, UNCHANGED, updateDocument } from '@hermes/core/storage'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/index.ts'
import { appending, bytes, entriesAt, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 4 })
afterAll(() => pool.end())

it('is not touched by callers that change the bytes they got', async () => {
  const storage = postgresBackend(pool, { schema: newSchema() })
  unwrap(await updateDocument(storage, 'doc', () => bytes('one')))?.bytes.fill(0)
  unwrap(await updateDocument(storage, 'doc', appending('two')))?.bytes.fill(0)
  unwrap(await readDocument(storage, 'doc'))?.bytes.fill(0)
  unwrap(await updateDocument(storage, 'doc', appending('three')))
  expect(await entriesAt(storage, 'doc')).toEqual(['one', 'two', 'three'])
})

it('decides nothing alone: a change that keeps, refuses or fails sees the present document', async () => {
  const schema = newSchema()
  const storage = postgresBackend(pool, { schema })
  const other = postgresBackend(pool, { schema })
  unwrap(await updateDocument(storage, 'doc', () => bytes('old')))
  const change = (end: () => typeof UNCHANGED) => {
    const seen: string[] = []
    const run = () =>
      updateDocument(storage, 'doc', (current) => {
        seen.push(new TextDecoder().decode(current?.bytes))
        return end()
      })
    return { seen, run }
  }
  unwrap(await updateDocument(other, 'doc', () => bytes('new')))
  const keeping = change(() => UNCHANGED)
  expect(new TextDecoder().decode(unwrap(await keeping.run())?.bytes)).toBe('new')
  expect(keeping.seen.at(-1)).toBe('new')

  unwrap(await updateDocument(other, 'doc', () => bytes('newer')))
  const failing = change(() => {
    throw new RangeError('a mistake')
  })
  await expect(failing.run()).rejects.toThrow('a mistake')
  expect(failing.seen.at(-1)).toBe('newer')

  unwrap(await updateDocument(other, 'doc', () => undefined))
  expect(unwrap(await updateDocument(storage, 'doc', (current) => (current ? UNCHANGED : bytes('again'))))?.version).toBeDefined()
  expect(await entriesAt(other, 'doc')).toEqual(['again'])
})
