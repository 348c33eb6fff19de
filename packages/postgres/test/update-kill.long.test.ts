/** Processes that are killed at any moment of their updates: what was acknowledged is there whole, nothing is there twice or in part. */
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { bundledProgram } from '../../../scripts/support/bundled-program.ts'
import { WIDE } from '../../../scripts/support/update-together.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { migrate } from '../src/schema/migrate.ts'
import { startChild } from './support/child.ts'
import { textAt, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const ROUNDS = 24

const MAIN = bundledProgram(new URL('support/update-main.ts', import.meta.url))
const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 4 })
afterAll(() => pool.end())

it.each(['pg', 'postgres.js'])(
  `loses and doubles nothing in ${ROUNDS} kills of two processes with %s`,
  async (driver) => {
    const schema = newSchema()
    await migrate(pool, { schema })
    const home = 'homes/~none/ada/h-1'
    const storage = postgresBackend(pool, { schema })
    const acknowledged: string[] = []
    for (let round = 0; round < ROUNDS / 2; round++) {
      const children = [0, 1].map((index) =>
        startChild(MAIN, { url, schema, driver, name: `${driver[0]}${round}-${index}`, updates: 100_000, home }),
      )
      const read = children.map(async (child) => {
        for (;;) {
          const line = await child.line().catch(() => undefined)
          if (line === undefined) return
          acknowledged.push(line)
        }
      })
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length, { interval: 2 }).toBeGreaterThan(before + 3)
      for (const child of children) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
        child.process.kill('SIGKILL')
      }
      await Promise.all([...read, ...children.map(({ ended }) => ended)])
      // The server may still carry out the last statement; it holds the lock of the home then.
      unwrap(await storage.update([`${home}/after`], () => ({ put: { [`${home}/after`]: new Uint8Array(1) }, value: 0 })))
      const entries = (await textAt(storage, `${home}/log`))?.trimEnd().split('\n') ?? []
      expect(new Set(entries).size).toBe(entries.length)
      expect(acknowledged.filter((entry) => !entries.includes(entry))).toEqual([])
      expect(await textAt(storage, `${home}/count`)).toBe(String(entries.length))
      expect(await textAt(storage, `${home}/wide`)).toBe(String(entries.length).padStart(WIDE, '.'))
    }
    console.info(`${ROUNDS} kills with ${driver}: ${acknowledged.length} acknowledged`)
    await pool.query(`drop schema ${schema} cascade`)
  },
  240_000,
)
