/** Several processes at one home's index, some of them killed; and tables of its own. */
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { bundledProgram } from '../../../scripts/support/bundled-program.ts'
import { firstOf, IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { postgresRecallIndex } from '../src/postgres-recall-index.ts'
import { migrate } from '../src/schema/migrate.ts'
import { migrationSql, migrationStatements } from '../src/schema/migration-sql.ts'
import { RECALL_TABLES } from '../src/schema/migrations.ts'
import { schemaNames } from '../src/schema/schema-name.ts'
import { startChild } from './support/child.ts'
import { put, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'
import { find, openRecallHome, turn } from './support/recall-homes.ts'

const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 10 })
afterAll(() => pool.end())

const script = bundledProgram(new URL('./support/recall-main.ts', import.meta.url))

const start = (schema: string, name: string, isShared: boolean) => startChild(script, { url, schema, name, isShared, groups: 12 })

describe('the recall index of a home', () => {
  if (IS_LONG_RUN)
    it('is filled by 4 processes at once, two of them with the same turns', async () => {
      const schema = newSchema()
      const children = [start(schema, 'a', false), start(schema, 'b', false), start(schema, 'c', true), start(schema, 'd', true)]
      for (const child of children) for (let group = 0; group < 12; group += 1) await child.line()
      expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
      const { index } = await openRecallHome(postgresRecallIndex(pool, { schema }))
      expect((await index.stats()).turns).toBe(3 * 60)
      expect(await index.check()).toEqual([])
      expect(await find(index, 'sharedx7x3')).toEqual(['shared-7-3'])
      await index.close()
    })

  it('holds what a killed process has added, whole groups only', async () => {
    const schema = newSchema()
    const { index } = await openRecallHome(postgresRecallIndex(pool, { schema }))
    for (const after of firstOf([2, 0, 5])) {
      const name = `killed${after}`
      const child = start(schema, name, false)
      for (let group = 0; group <= after; group += 1) await child.line()
      child.process.kill('SIGKILL')
      await child.ended
      const stored = (await index.search({ terms: ['common'], limit: 500 })).hits.filter(({ id }) => id.startsWith(`${name}-`))
      expect(stored.length).toBeGreaterThanOrEqual(5 * (after + 1))
      expect(stored.length % 5).toBe(0)
    }
    expect(await index.check()).toEqual([])
    await index.close()
  })

  it('tells of damage, and is repaired', async () => {
    const schema = newSchema()
    const { index } = await openRecallHome(postgresRecallIndex(pool, { schema }))
    await index.add([turn('1', 'first', 1, 'The bees swarm')])
    await pool.query(`update ${schema}.hermes_recall_terms set items = 77`)
    expect(await index.check()).toEqual([expect.stringContaining('hermes reindex')])
    await index.reindex()
    expect(await index.check()).toEqual([])
  })
})

describe('its tables', () => {
  const tablesIn = async (schema: string): Promise<readonly string[]> =>
    (await pool.query('select table_name as name from information_schema.tables where table_schema = $1 order by name', [schema])).rows.map(
      ({ name }) => name,
    )

  it('get a column for projects if they were made before there were any, and turn an older version away', async () => {
    const schema = newSchema()
    const names = schemaNames(schema)
    const { table, steps } = RECALL_TABLES
    const first = { ...RECALL_TABLES, steps: steps.slice(0, 1) }
    for (const statement of migrationStatements(first, names, 0, true)) await pool.query(statement)
    await pool.query(`insert into ${names.recallHomes} (home, terms_version) values ('homes/ada', 1)`)
    await pool.query(`insert into ${names.recallItems}
(home_no, at, automated, kind, id, source, terms_version, length, tokens, counts, said, answer)
values (1, 1, false, 'turn', 'own', 'one', 0, 0, '{}', '{}', 'The kiln is hot', 'Noted.')`)
    await pool.query(`insert into ${names.recallVectors} values (1, 1, 'm', 2, '10', '\\x0000')`)
    const { index } = await openRecallHome(postgresRecallIndex(pool, { schema }))
    await index.reindex()
    await index.add([{ ...turn('web', 'one', 2, 'The kiln is in the webshop'), project: 'web' }])
    expect((await find(index, 'kiln', { project: 'web' })).toSorted()).toEqual(['own', 'web'])
    expect(await find(index, 'kiln', { project: '' })).toEqual(['own'])
    const [state] = (await pool.query(`select max(needs) as needs from ${table(names)}`)).rows
    expect(state).toEqual({ needs: 3 })
    // One vector of a whole item was made in another way.
    expect((await index.vectors.missing('m', 9)).map(({ id }) => id)).toEqual(['web', 'own'])
    await index.close()
  })

  it('are created only for those who use it', async () => {
    const schema = newSchema()
    const storage = postgresBackend(pool, { schema })
    unwrap(await put(storage, 'doc', 'text'))
    unwrap(await migrate(pool, { schema }))
    expect(await tablesIn(schema)).toEqual(['hermes_documents', 'hermes_migrations', 'hermes_reviews', 'hermes_updates'])
    unwrap(await migrate(pool, { schema, recall: true }))
    unwrap(await migrate(pool, { schema, recall: true }))
    expect(await tablesIn(schema)).toContain('hermes_recall_items')
    expect(migrationSql({ schema })).not.toContain('recall')
  })

  it('can be made by hand, run twice, and used by a role that may create none', async () => {
    const schema = newSchema()
    const role = `role_${schema}`
    for (let time = 0; time < 2; time += 1) await pool.query(migrationSql({ schema, recall: true }))
    await pool.query(`create role ${role} login password 'x'; grant usage on schema ${schema} to ${role};
      grant select, insert, update, delete on all tables in schema ${schema} to ${role}`)
    const address = new URL(url)
    address.username = role
    address.password = 'x'
    const limited = new pg.Pool({ connectionString: address.href, max: 2 })
    const { index } = await openRecallHome(postgresRecallIndex(limited, { schema }))
    await index.add([turn('1', 'first', 1, 'The bees swarm')])
    expect(await find(index, 'bees')).toEqual(['1'])
    expect(await index.forget({ kind: 'all', dryRun: false })).toBe(1)
    await expect(openRecallHome(postgresRecallIndex(limited, { schema: newSchema() }))).rejects.toThrow(
      /migrationSql\(\{ schema: '.*', recall: true \}\)/,
    )
    await limited.end()
  })
})
