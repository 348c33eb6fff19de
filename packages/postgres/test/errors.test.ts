/** What a caller is told if the database refuses: what to do, and never a password. */
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { appendEntry, codeOf, move, put, textAt, unwrap } from './support/entries.ts'
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

/** For a server that refuses the connection itself. */
const CONNECT_MS = 1_000

/** The error of a read and of a write through `connectionString`. */
const errorsOf = async (options: pg.PoolConfig, timeoutMs: number): Promise<readonly { code: string; message: string }[]> => {
  const wrong = new pg.Pool({ max: 2, ...options })
  wrong.on('error', () => undefined)
  const storage = postgresBackend(wrong, { schema: 'errors', timeoutMs })
  const outcomes = [await storage.read(['doc']), await put(storage, 'doc', 'x')]
  await wrong.end()
  return outcomes.flatMap((outcome) =>
    outcome.ok ? [] : [{ code: outcome.error.code, message: JSON.stringify(outcome.error) + outcome.error.stack }],
  )
}

describe('errors', () => {
  it.each([
    ['a wrong password', { connectionString: urlWith((address) => (address.password = 'not-the-secret')) }, 'refused the login', LOGIN_MS],
    ['an unknown user', { connectionString: urlWith((address) => (address.username = 'nobody-here')) }, 'refused the login', LOGIN_MS],
    ['an unknown database', { connectionString: urlWith((address) => (address.pathname = '/missing')) }, 'does not exist', LOGIN_MS],
    [
      'a server that is not there',
      { connectionString: urlWith((address) => (address.port = '1')) },
      'Check that it is running',
      CONNECT_MS,
    ],
  ])('say what to do about %s, without the password', async (_, options, advice, timeoutMs) => {
    const errors = await errorsOf(options, timeoutMs)
    expect(errors.map(({ code }) => code)).toEqual(['io', 'io'])
    for (const { message } of errors) {
      expect(message).toContain(advice)
      expect(message).not.toMatch(/not-the-secret|hermes-secret|postgres:\/\//)
    }
  })

  it('call a read-only replica unwritable, and read from it', async () => {
    const schema = newSchema()
    unwrap(await put(postgresBackend(pool, { schema }), 'doc', 'text'))
    const replica = new pg.Pool({ connectionString: url, max: 2, options: '-c default_transaction_read_only=on' })
    const storage = postgresBackend(replica, { schema })
    expect(await textAt(storage, 'doc')).toBe('text')
    for (const outcome of [
      await put(storage, 'doc', 'x'),
      await put(storage, 'new', 'x'),
      await put(storage, 'doc', null),
      await move(storage, 'doc', 'b'),
    ]) {
      expect(outcome).toMatchObject({
        ok: false,
        error: { code: 'unwritable', message: expect.stringContaining('Connect to the primary') },
      })
    }
    await replica.end()
    await pool.query(`drop schema ${schema} cascade`)
  })

  it('refuse a document over the limit before it is sent', async () => {
    const schema = newSchema()
    const storage = postgresBackend(pool, { schema, maxDocumentBytes: 10 })
    unwrap(await put(storage, 'doc', '0123456789'))
    const refused = await put(storage, 'doc', '0123456789a')
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid', message: expect.stringContaining('maxDocumentBytes') } })
    expect(await textAt(storage, 'doc')).toBe('0123456789')
    // An append to what this plan has not read: the database finds the length.
    const appended = await appendEntry(storage, 'doc', 'a')
    expect(appended).toMatchObject({ ok: false, error: { code: 'invalid', message: expect.stringContaining("'doc' would have 12 bytes") } })
    expect(await textAt(storage, 'doc')).toBe('0123456789')
    await pool.query(`drop schema ${schema} cascade`)
  })

  it('give up a document that another transaction keeps locked, and write nothing later', async () => {
    const schema = newSchema()
    // The server gives up a tenth earlier, which leaves its answer time on a busy machine.
    const storage = postgresBackend(pool, { schema, timeoutMs: 3_000 })
    unwrap(await put(storage, 'doc', 'text'))
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query(`select from ${schema}.hermes_documents where path = 'doc' for update`)
    const began = performance.now()
    const refused = await put(storage, 'doc', 'x')
    expect(refused).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(performance.now() - began).toBeLessThan(20_000)
    await holder.query('rollback')
    holder.release()
    expect(await textAt(storage, 'doc')).toBe('text')
    expect(codeOf(await put(storage, 'doc', 'y'))).toBe('ok')
    await pool.query(`drop schema ${schema} cascade`)
  })

  it('say what to set where transactions would not see what others have written', async () => {
    const schema = newSchema()
    const strict = new pg.Pool({ connectionString: url, max: 2, options: '-c default_transaction_isolation=serializable' })
    const storage = postgresBackend(strict, { schema })
    expect(await put(storage, 'doc', 'x')).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringContaining('default_transaction_isolation') },
    })
    expect(await textAt(storage, 'doc')).toBeUndefined()
    await strict.end()
    await pool.query(`drop schema ${schema} cascade`)
  })

  it('say closed after the host ended its pool, and closing leaves the pool open', async () => {
    const schema = newSchema()
    const own = new pg.Pool({ connectionString: url, max: 2 })
    const storage = postgresBackend(own, { schema })
    unwrap(await put(storage, 'doc', 'text'))
    await postgresBackend(own, { schema }).close()
    expect((await own.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await own.end()
    expect(await storage.read(['doc'])).toMatchObject({ ok: false, error: { code: 'closed', message: expect.stringContaining('pool') } })
    const sql = postgres(url, { max: 1, onnotice: () => undefined })
    const other = postgresBackend(sql, { schema })
    unwrap(await other.read(['doc']))
    await sql.end()
    expect(codeOf(await other.read(['doc']))).toBe('closed')
    await pool.query(`drop schema ${schema} cascade`)
  })
})

if (IS_LONG_RUN) {
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
}
