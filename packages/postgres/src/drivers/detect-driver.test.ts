import { PGlite } from '@electric-sql/pglite'
import { Pool as NeonPool, neon } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { detectDriver } from './detect-driver.ts'

const URL = 'postgres://user:hunter2@127.0.0.1:1/none'

describe('detectDriver', () => {
  it('recognises the clients', async () => {
    // Not `new PGlite()`, which starts a database.
    const pglite: PGlite = Object.create(PGlite.prototype)
    const clients = [new pg.Pool({ connectionString: URL }), new NeonPool({ connectionString: URL }), postgres(URL), neon(URL), pglite]
    for (const client of clients) expect(detectDriver(client)).toMatchObject({ query: expect.any(Function), batch: expect.any(Function) })
  })

  it.each([
    ['a connection string', URL, 'new Pool({ connectionString })'],
    ['a single client', new pg.Client({ connectionString: URL }), 'Pass a pool'],
    ['an ORM', { $client: new pg.Pool({ connectionString: URL }), query: {} }, 'db.$client'],
    ['nothing', undefined, 'variable'],
    ['another object', {}, 'something else'],
    ['another function', () => undefined, 'another function'],
  ])('refuses %s and says what to pass', (_, client, advice) => {
    expect(() => detectDriver(client)).toThrow(TypeError)
    expect(() => detectDriver(client)).toThrow(advice)
    expect(() => detectDriver(client)).not.toThrow('hunter2')
  })
})
