/** Processes that create the tables at once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { bundledProgram } from '../../../scripts/support/bundled-program.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { pathsIn } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 10 })
afterAll(() => pool.end())

const PROCESSES = 8

const drop = (schema: string) => pool.query(`drop schema if exists "${schema}" cascade`)

describe('migrations', () => {
  it(`are raced by ${PROCESSES} processes that write at once`, async () => {
    const schema = newSchema()
    const config = JSON.stringify({ url, schema, driver: 'pg' })
    const script = bundledProgram(new URL('./support/migrate-main.ts', import.meta.url))
    const children = Array.from({ length: PROCESSES }, () =>
      spawn(process.execPath, [script, config], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    await Promise.all(children.map((child) => once(child.stdout, 'data')))
    const ended = Promise.all(children.map((child) => once(child, 'exit')))
    for (const child of children) child.stdin.end('go\n')
    expect((await ended).map(([code]) => code)).toEqual(Array.from({ length: PROCESSES }, () => 0))
    expect(await pathsIn(postgresBackend(pool, { schema }))).toHaveLength(PROCESSES)
    expect((await pool.query(`select number from ${schema}.hermes_migrations order by number`)).rows).toEqual([
      { number: 1 },
      { number: 2 },
    ])
    await drop(schema)
  })
})
