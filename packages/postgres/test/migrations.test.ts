/** The tables: created by `migrate` or by hand; shared by versions of the library; refused if they are too new. */
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/postgres-backend.ts'
import { postgresReviewQueue } from '../src/postgres-review-queue.ts'
import { migrate } from '../src/schema/migrate.ts'
import { migrationSql } from '../src/schema/migration-sql.ts'
import { codeOf, move, pathsIn, put, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 10 })
afterAll(() => pool.end())

/** What the README says to grant, under "Without the right to create tables". */
const grantsOfReadme = async (schema: string, role: string): Promise<string> => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const [, block = ''] = /```sql\n(grant usage on schema hermes .*?)```/s.exec(readme) ?? []
  return block.replaceAll(/\bhermes\b/g, schema).replaceAll(/\bapp\b/g, role)
}

const drop = (schema: string) => pool.query(`drop schema if exists "${schema}" cascade`)

describe('migrations', () => {
  it('run once by 20 handles of one process, and again do nothing', async () => {
    const schema = newSchema()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => migrate(pool, { schema })))
    expect(outcomes.map(codeOf)).toEqual(Array.from({ length: 20 }, () => 'ok'))
    const before = await pool.query(`select xmin::text, * from ${schema}.hermes_migrations`)
    unwrap(await migrate(pool, { schema }))
    expect((await pool.query(`select xmin::text, * from ${schema}.hermes_migrations`)).rows).toEqual(before.rows)
    await drop(schema)
  })

  it('take a schema with capitals, digits and a hyphen, and refuse what is no plain name', async () => {
    const schema = `Tenant-${newSchema()}`
    const storage = postgresBackend(pool, { schema })
    unwrap(await put(storage, 'a/b', 'text'))
    unwrap(await move(storage, 'a', 'c'))
    expect(await pathsIn(storage)).toEqual(['c/b'])
    await drop(schema)
    for (const name of ['', 'a"b', "a'; drop table x; --", 'a b', 'pg_catalog', 'ä', 'x'.repeat(64), '1a', undefined, 7]) {
      const options: object = { schema: name }
      if (name === undefined) continue
      expect(() => postgresBackend(pool, options)).toThrow(TypeError)
      expect(() => migrationSql(options)).toThrow('cannot be the schema')
    }
  })

  it('add the queue to a schema of the first version, and keep its documents', async () => {
    const schema = newSchema()
    unwrap(await put(postgresBackend(pool, { schema }), 'doc', 'old'))
    await pool.query(`
      drop function ${schema}.hermes_claim_reviews, ${schema}.hermes_end_review;
      drop table ${schema}.hermes_reviews;
      drop sequence ${schema}.hermes_fences;
      delete from ${schema}.hermes_migrations where number > 1`)
    const queues = Array.from({ length: 5 }, () => postgresReviewQueue(pool, { schema }))
    await Promise.all(queues.map(async (queue, index) => unwrap(await queue.add({ owner: { user: `${index}` }, kind: 'turns', dueAt: 0 }))))
    expect(unwrap(await postgresReviewQueue(pool, { schema }).claim({ limit: 9, leaseMs: 60_000 }))).toHaveLength(5)
    expect(await pathsIn(postgresBackend(pool, { schema }))).toEqual(['doc'])
    await drop(schema)
  })

  it('leave a schema alone that a newer version has added to, and both versions work on it', async () => {
    const schema = newSchema()
    const older = postgresBackend(pool, { schema })
    unwrap(await put(older, 'doc', 'old'))
    // What a later step may do: add a column with a default, and a table.
    await pool.query(`alter table ${schema}.hermes_documents add column kind text not null default 'document'`)
    await pool.query(`create table ${schema}.hermes_more (id integer)`)
    await pool.query(`insert into ${schema}.hermes_migrations (number, needs) values (3, 1)`)
    const again = postgresBackend(pool, { schema })
    unwrap(await put(again, 'folder/new', 'new'))
    unwrap(await put(again, 'doc', 'newer'))
    unwrap(await move(older, 'folder', 'moved'))
    expect(await pathsIn(again)).toEqual(['doc', 'moved/new'])
    expect(unwrap(await migrate(pool, { schema }))).toBeUndefined()
    await drop(schema)
  })

  it('refuse a schema that needs a newer version, in every call, and change nothing', async () => {
    const schema = newSchema()
    unwrap(await put(postgresBackend(pool, { schema }), 'doc', 'old'))
    await pool.query(`insert into ${schema}.hermes_migrations (number, needs) values (9, 9)`)
    const storage = postgresBackend(pool, { schema })
    const outcomes = [await storage.read(['doc']), await put(storage, 'doc', 'x'), await storage.list(''), await move(storage, 'doc', 'b')]
    for (const outcome of [...outcomes, await migrate(pool, { schema })]) {
      expect(outcome).toMatchObject({ ok: false, error: { code: 'io', message: expect.stringContaining('Update the package') } })
    }
    expect((await pool.query(`select convert_from(bytes, 'UTF8') as text from ${schema}.hermes_documents`)).rows).toEqual([{ text: 'old' }])
    await drop(schema)
  })

  it('say what to run if the user may not create tables, and work once the owner ran it', async () => {
    const schema = newSchema()
    const role = `${schema}_app`
    await pool.query(`create role ${role} login password 'app-secret'`)
    const own = new URL(url)
    own.username = role
    own.password = 'app-secret'
    const limited = new pg.Pool({ connectionString: own.href, max: 3 })
    const refused = await put(postgresBackend(limited, { schema }), 'doc', 'x')
    expect(refused).toMatchObject({ ok: false, error: { code: 'unwritable' } })
    const message = refused.ok ? '' : refused.error.message
    expect(message).toContain(`migrationSql({ schema: '${schema}' })`)
    expect(message).not.toContain('app-secret')

    // As psql would send it; twice, as after an update of the package.
    for (let time = 0; time < 2; time++) await pool.query(migrationSql({ schema }))
    const without = await put(postgresBackend(limited, { schema }), 'doc', 'x')
    expect(without).toMatchObject({ ok: false, error: { code: 'unwritable', message: expect.stringContaining('Grant it') } })
    await pool.query(await grantsOfReadme(schema, role))
    const storage = postgresBackend(limited, { schema })
    // About one of 16 updates deletes old ones, which needs a right of its own.
    for (let time = 0; time < 100; time++) unwrap(await put(storage, 'folder/doc', `${time}`))
    unwrap(await move(storage, 'folder', 'moved'))
    expect(await pathsIn(storage)).toEqual(['moved/doc'])
    unwrap(await put(storage, 'moved/doc', null))
    await limited.end()
    await drop(schema)
    await pool.query(`drop role ${role}`)
  })
})
