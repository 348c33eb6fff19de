/** A conversation of fifty turns, each in a new process, as in serverless functions. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createHermesHomes } from '@hermes/core'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { bundledProgram } from '../../../scripts/support/bundled-program.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { migrate } from '../src/schema/migrate.ts'
import { unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'
import type { TurnResult, TurnTask } from './support/turn-main.ts'

const TURNS = 50
const MAIN = bundledProgram(new URL('support/turn-main.ts', import.meta.url))
const run = promisify(execFile)

const takeTurn = async (task: TurnTask): Promise<TurnResult> => {
  const { stdout } = await run(process.execPath, [MAIN, JSON.stringify(task)])
  return JSON.parse(stdout)
}

/** The turns whose text is in a request, in order. */
const turnsIn = (request: string): readonly number[] =>
  [...new Set([...request.matchAll(/my turn number (\d+)\./g)].map(([, number]) => Number(number)))].sort((a, b) => a - b)

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

it('keeps one system prompt, reviews every ten turns, and loses nothing', async () => {
  const url = inject('postgresUrl')
  const schema = newSchema()
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  onTestFinished(() => pool.end())
  await migrate(pool, { schema })
  const homes = createHermesHomes({ storage: postgresBackend(pool, { schema }) })
  unwrap(await homes.for('ada').memoryStore().apply('user', { action: 'add', content: 'Prefers tabs.' }))

  const results: TurnResult[] = []
  for (const turn of range(1, TURNS)) results.push(await takeTurn({ url, schema, turn }))

  expect(results.flatMap(({ problems }) => problems)).toEqual([])
  const prompts = new Set(results.map(({ prompt }) => prompt))
  expect([...prompts]).toEqual([expect.stringContaining('Prefers tabs.')])
  const reviewed = results.flatMap(({ reviews }, index) => (reviews.length > 0 ? [index + 1] : []))
  expect(reviewed).toEqual([10, 20, 30, 40, 50])
  // Each turn is new to exactly one review; earlier ones may be in its digest.
  for (const turn of reviewed)
    expect(turnsIn(results[turn - 1]?.reviews.join('\n') ?? '')).toEqual(expect.arrayContaining([...range(turn - 9, turn)]))
  const next = await homes.for('ada').session('another').systemBlock()
  for (const turn of reviewed) expect(next).toContain(`Learned after turn ${turn}.`)
  await homes.close()
}, 180_000)
