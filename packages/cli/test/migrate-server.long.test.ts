/** `hermes migrate` and `hermes doctor` with a PostgreSQL server. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_SERVER, serverOrNone } from '../../postgres/test/support/postgres-server.ts'
import { runHermes, runJson, temporaryHome } from './run-hermes.ts'

const PASSWORD = 'hunter2'
const WIDE = { COLUMNS: '300' }

const server = await serverOrNone()
let pool: pg.Pool

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: server.url, max: 2 })
  pool.on('error', () => undefined)
})

afterAll(async () => {
  await pool.end()
  await server.remove()
})

const tablesIn = async (schema: string): Promise<readonly string[]> => {
  const { rows } = await pool.query('select tablename from pg_tables where schemaname = $1 order by 1', [schema])
  return rows.map(({ tablename }) => tablename)
}

const TABLES = ['hermes_documents', 'hermes_migrations', 'hermes_reviews', 'hermes_updates']

/** With DATABASE_URL. */
const migrate = (url: string, ...args: readonly string[]) => runHermes(['migrate', ...args], { env: { ...WIDE, DATABASE_URL: url } })

/** The address of the test server with a user of its own, who may not create a schema. */
const addressOf = (user: string): string => {
  const url = new URL(server.url)
  url.username = user
  url.password = PASSWORD
  return url.href
}

describe.skipIf(server === NO_SERVER)('hermes migrate', () => {
  it('creates the tables in the database of DATABASE_URL or --database, and may be repeated', async () => {
    const { host } = new URL(server.url)
    for (let time = 0; time < 2; time++)
      expect(await migrate(server.url)).toEqual({ code: 0, stderr: '', stdout: `The schema 'hermes' at ${host}/postgres is up to date.\n` })
    expect(await tablesIn('hermes')).toEqual(TABLES)
    const { told } = await runJson(['migrate', '--schema', 'tenant-1', '--database', server.url], { env: { DATABASE_URL: 'ignored' } })
    expect(told).toEqual({ ok: true, value: { schema: 'tenant-1', database: `${host}/postgres` } })
    expect(await tablesIn('tenant-1')).toEqual(TABLES)
  })

  it('prints SQL that the owner of the database can run, without a connection', async () => {
    const { code, stdout, stderr } = await runHermes(['migrate', '--print', '--schema', 'printed'], { env: { DATABASE_URL: 'ignored' } })
    expect([code, stderr]).toEqual([0, ''])
    await pool.query(stdout)
    expect(await tablesIn('printed')).toEqual(TABLES)
    expect((await runJson(['migrate', '--print', '--schema', 'printed'])).told).toEqual({
      ok: true,
      value: { schema: 'printed', sql: stdout },
    })
  })

  it('creates the tables of the recall index on request', async () => {
    expect((await migrate(server.url, '--schema', 'recalling', '--recall')).code).toBe(0)
    expect(await tablesIn('recalling')).toEqual(expect.arrayContaining([...TABLES, 'hermes_recall_items']))
    const { stdout } = await runHermes(['migrate', '--print', '--recall'])
    expect(stdout).toContain('hermes_recall_items')
    await pool.query(`create role without_rights login password '${PASSWORD}'`)
    const { stderr } = await migrate(addressOf('without_rights'), '--schema', 'theirs', '--recall')
    expect(stderr).toContain('hermes migrate --print --schema theirs --recall | psql')
  })

  it('tells a user without the right to create tables what their owner runs', async () => {
    await pool.query(`create role limited login password '${PASSWORD}'`)
    const { code, stderr } = await migrate(addressOf('limited'), '--schema', 'theirs')
    expect(code).toBe(1)
    expect(stderr).toContain("in the schema 'theirs'. Have their owner run: hermes migrate --print --schema theirs | psql")
    expect(stderr).not.toContain(PASSWORD)
  })

  it('says what is wrong with a database, and never shows the password', async () => {
    const { port } = new URL(server.url)
    const at = (rest: string) => `postgres://me:${PASSWORD}${rest}`
    for (const [url, code, message] of [
      [addressOf('nobody'), 1, 'refused the login'],
      [at('@127.0.0.1:1/app'), 1, 'takes no connection'],
      [`${server.url.slice(0, -'postgres'.length)}none`, 1, 'does not exist'],
      [at(`x@y/z@127.0.0.1:${port}/app`), 2, 'DATABASE_URL has an @ after the host'],
      [at('#1@127.0.0.1/app'), 2, 'DATABASE_URL must be an address'],
      [`host=127.0.0.1 password=${PASSWORD}`, 2, 'DATABASE_URL must be an address'],
      [`mysql://me:${PASSWORD}@127.0.0.1/app`, 2, 'DATABASE_URL must be an address'],
      ['', 2, 'Missing the database: set DATABASE_URL'],
    ] as const) {
      const run = await migrate(url)
      expect([run.code, run.stdout]).toEqual([code, ''])
      expect(run.stderr).toContain(message)
      expect(run.stderr).not.toContain(PASSWORD)
      expect(run.stderr).not.toContain(new URL(server.url).password)
    }
  })
})

describe('hermes doctor', () => {
  it.skipIf(server === NO_SERVER)('says whether the database of DATABASE_URL answers', async () => {
    const home = temporaryHome()
    const { told } = await runJson(['doctor', '--home', home], { env: { DATABASE_URL: server.url } })
    const { host } = new URL(server.url)
    expect(told.value).toMatchObject({
      checks: expect.arrayContaining([{ id: 'database', status: 'ok', found: `${host}/postgres answers` }]),
    })
    expect(JSON.stringify(told)).not.toContain(PASSWORD)
  })
})
