/** What callers do with their bytes, errors and time does not change what is stored. */
import { HermesError } from '@hermes/core'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/postgres-backend.ts'
import { addEntry, entriesAt, put, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const schema = newSchema()
const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 2 })
const other = postgresBackend(pool, { schema })

beforeAll(async () => {
  unwrap(await put(other, 'ready', 'ready'))
})
afterAll(async () => {
  await pool.query(`drop schema ${schema} cascade`)
  await pool.end()
})

it('rejects with a HermesError that a plan throws, as with any other error', async () => {
  const mistake = new HermesError('invalid', 'a mistake')
  const update = other.update(['log'], () => {
    throw mistake
  })
  await expect(update).rejects.toBe(mistake)
})

it('starts no write after its call has failed because the time was up', async () => {
  unwrap(await put(other, 'late', 'first'))
  const single = new pg.Pool({ connectionString: inject('postgresUrl'), max: 1 })
  const storage = postgresBackend(single, { schema, timeoutMs: 1_000 })
  unwrap(await addEntry(storage, 'late', 'second'))
  const held = await single.connect()
  expect(await addEntry(storage, 'late', 'third')).toMatchObject({ ok: false, error: { code: 'io' } })
  held.release()
  // Waits for its turn on the only connection.
  await single.query('select 1')
  await single.query('select 1')
  expect(await entriesAt(other, 'late')).toEqual(['first', 'second'])

  // The connection is taken between the two statements, so the write waits in the pool until its time is up.
  let release = () => {}
  const later = storage.update(['late'], (cut) => {
    const taken = single.connect()
    release = () => void taken.then((client) => client.release())
    return { put: { late: new Uint8Array(cut.document('late')?.bytes.length ?? 0) }, value: 0 }
  })
  expect(await later).toMatchObject({ ok: false, error: { code: 'io' } })
  release()
  await single.query('select 1')
  await single.query('select 1')
  expect(await entriesAt(other, 'late')).toEqual(['first', 'second'])
  await single.end()
})
