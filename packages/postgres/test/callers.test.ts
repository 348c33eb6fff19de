/** What callers do with their bytes and errors does not change what is stored. */

import { HermesError } from '@hermes/core'
import { readDocument, updateDocument } from '@hermes/core/storage'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/index.ts'
import { appending, bytes, entriesAt, textAt, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const schema = newSchema()
const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 2 })
const other = postgresBackend(pool, { schema })

beforeAll(async () => {
  unwrap(await updateDocument(other, 'ready', () => bytes('ready')))
})
afterAll(async () => {
  await pool.query(`drop schema ${schema} cascade`)
  await pool.end()
})

it('updates what is stored, not what a caller made of the bytes that it read', async () => {
  const storage = postgresBackend(pool, { schema })
  unwrap(await updateDocument(storage, 'log', () => bytes('first')))
  unwrap(await readDocument(storage, 'log'))?.bytes.fill(0)
  unwrap(await updateDocument(storage, 'log', appending('second')))
  expect(await textAt(other, 'log')).toBe('first\nsecond')
})

it('rejects with a HermesError that a change throws, as with any other error', async () => {
  const mistake = new HermesError('invalid', 'a mistake')
  const update = updateDocument(other, 'log', () => {
    throw mistake
  })
  await expect(update).rejects.toBe(mistake)
})

it('starts no write after its call has failed because the time was up', async () => {
  unwrap(await updateDocument(other, 'late', () => bytes('first')))
  const single = new pg.Pool({ connectionString: inject('postgresUrl'), max: 1 })
  const storage = postgresBackend(single, { schema, timeoutMs: 2_000 })
  unwrap(await updateDocument(storage, 'late', appending('second')))
  unwrap(await updateDocument(other, 'late', appending('third')))
  // Overtaken, so the next update takes a lock.
  unwrap(await updateDocument(storage, 'late', appending('fourth')))
  const held = await single.connect()
  expect(await updateDocument(storage, 'late', appending('fifth'))).toMatchObject({ ok: false, error: { code: 'io' } })
  held.release()
  // Waits for its turn on the only connection.
  await single.query('select 1')
  await single.query('select 1')
  expect(await entriesAt(other, 'late')).toEqual(['first', 'second', 'third', 'fourth'])
  await single.end()
})
