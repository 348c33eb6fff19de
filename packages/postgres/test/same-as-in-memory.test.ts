/** Random updates do what they do in a tree in memory, or fail for the same reason. */
import { sameAsInMemory } from '@hermes/core/testing'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { rounds } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/index.ts'
import { newSchema } from './support/new-schema.ts'

const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 2 })
afterAll(() => pool.end())

it.each(Array.from({ length: rounds(20) }, (_, seed) => seed))('with the seed %d', async (seed) => {
  const schema = newSchema()
  const outcomes = await sameAsInMemory(postgresBackend(pool, { schema }), seed, 100)
  expect(outcomes.filter((outcome) => typeof outcome === 'number').length).toBeGreaterThan(10)
  await pool.query(`drop schema ${schema} cascade`)
})
