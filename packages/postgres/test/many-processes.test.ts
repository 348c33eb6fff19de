/** Processes that update the same documents at once: all of it is there, once, and nobody waits for too long. */
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { bundledProgram } from '../../../scripts/support/bundled-program.ts'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { migrate } from '../src/schema/migrate.ts'
import { startChild } from './support/child.ts'
import { textAt } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const MAIN = bundledProgram(new URL('support/update-main.ts', import.meta.url))
const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 2 })
afterAll(() => pool.end())

const [PROCESSES, UPDATES] = IS_LONG_RUN ? [8, 50] : [4, 20]

it.each(['pg', 'postgres.js'])(`keeps every update of ${PROCESSES} processes with %s, ${UPDATES} each`, async (driver) => {
  const schema = newSchema()
  await migrate(pool, { schema })
  const home = 'homes/~none/ada/h-1'
  const children = Array.from({ length: PROCESSES }, (_, index) =>
    startChild(MAIN, { url, schema, driver, name: `p${index}`, updates: UPDATES, home, timeoutMs: 15_000 }),
  )
  const began = performance.now()
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual(children.map(() => 0))
  console.info(`${PROCESSES} × ${UPDATES} with ${driver}: ${Math.round(performance.now() - began)} ms`)
  const storage = postgresBackend(pool, { schema })
  const all = children.flatMap((_, index) => Array.from({ length: UPDATES }, (__, time) => `p${index}-${time}`))
  expect((await textAt(storage, `${home}/log`))?.trimEnd().split('\n').toSorted()).toEqual(all.toSorted())
  expect(await textAt(storage, `${home}/count`)).toBe(String(all.length))
  await pool.query(`drop schema ${schema} cascade`)
})
