/** What a caller is told if the server has no connection left. */
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/postgres-backend.ts'
import { codeOf, put, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 10 })
afterAll(() => pool.end())

const urlWith = (change: (address: URL) => void): string => {
  const address = new URL(url)
  change(address)
  return address.href
}

/** A login takes its time on a busy machine. */
const LOGIN_MS = 4_000

describe('errors', () => {
  it('wait for a free connection when the server has none left, then say so', async () => {
    const schema = newSchema()
    const role = `${schema}_few`
    await pool.query(`create role ${role} superuser login password 'few-secret'`)
    await pool.query(`alter role ${role} nosuperuser connection limit 1`)
    unwrap(await put(postgresBackend(pool, { schema }), 'doc', 'text'))
    await pool.query(`grant usage on schema ${schema} to ${role}; grant all on all tables in schema ${schema} to ${role}`)
    const own = urlWith((address) => {
      address.username = role
      address.password = 'few-secret'
    })
    const holder = new pg.Client({ connectionString: own })
    await holder.connect()
    const second = new pg.Pool({ connectionString: own, max: 1 })
    const impatient = await postgresBackend(second, { schema, timeoutMs: LOGIN_MS }).read(['doc'])
    expect(impatient).toMatchObject({ ok: false, error: { code: 'io', message: expect.stringContaining('no connection left') } })
    const waiting = put(postgresBackend(second, { schema }), 'doc', 'later')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await holder.end()
    expect(codeOf(await waiting)).toBe('ok')
    await second.end()
    await pool.query(`drop schema ${schema} cascade; drop role ${role}`)
  })
})
